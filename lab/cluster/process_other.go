//go:build unix && !linux

package cluster

import "syscall"

// ownedByParent keeps a terminal's Ctrl+C away from the JVMs: the lab stops them itself.
func ownedByParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
