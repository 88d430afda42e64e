//go:build unix && !aix && !solaris

package tape

import (
	"os"
	"syscall"
)

// hold takes the lock on a file for this process, again where a signal came between.
func hold(lock *os.File) error {
	for {
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EINTR {
			return err
		}
	}
}

// abandoned tells whether no process holds a lock, and takes it where it is there.
func abandoned(path string) (lock *os.File, left bool) {
	lock, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, os.IsNotExist(err)
	}
	if err := hold(lock); err != nil {
		_ = lock.Close()
		return nil, false
	}
	return lock, true
}
