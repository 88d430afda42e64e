package cluster

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownedByParent keeps a terminal's Ctrl+C away from the JVMs (the lab stops them itself) and lets the kernel
// kill them when the lab dies.
func ownedByParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// clockTick is the unit of /proc/<pid>/stat: USER_HZ is 100 on every architecture that Go runs on.
const clockTick = 10 * time.Millisecond

// cpuTime reads the CPU time of a process, user and system.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read the CPU time of process %d: %w", pid, err)
	}
	return parseCPUTime(string(text))
}

// parseCPUTime takes the 14th and the 15th field. The second one is a name in parentheses that may hold
// spaces.
func parseCPUTime(stat string) (time.Duration, error) {
	const user, system = 14 - 3, 15 - 3
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(fields) <= system {
		return 0, fmt.Errorf("read a CPU time: unexpected line %q", stat)
	}
	var ticks int64
	for _, field := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read a CPU time: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * clockTick, nil
}
