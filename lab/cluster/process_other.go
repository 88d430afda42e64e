//go:build unix && !linux

package cluster

import (
	"errors"
	"syscall"
	"time"
)

// ownedByParent keeps a terminal's Ctrl+C away from the JVMs: the lab stops them itself.
func ownedByParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// cpuTime is read on Linux only.
func cpuTime(int) (time.Duration, error) {
	return 0, errors.New("the CPU time of a process is read on Linux only")
}
