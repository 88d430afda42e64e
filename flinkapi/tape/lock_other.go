//go:build !unix || aix || solaris

package tape

import (
	"os"
	"runtime"
)

// hold does nothing: on Windows a file that is open cannot be removed, which is the lock.
func hold(*os.File) error { return nil }

// abandoned tells whether no process holds a lock. Where a file that is open can be removed, and nothing else
// tells, each one counts as held.
func abandoned(path string) (lock *os.File, left bool) {
	if runtime.GOOS != "windows" {
		return nil, false
	}
	err := os.Remove(path)
	return nil, err == nil || os.IsNotExist(err)
}
