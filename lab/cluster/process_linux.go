package cluster

import "syscall"

// ownedByParent keeps a terminal's Ctrl+C away from the JVMs (the lab stops them itself) and lets the kernel
// kill them when the lab dies.
func ownedByParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
