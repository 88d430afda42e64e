package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// process is one JVM of the cluster.
type process struct {
	name   string
	output string // the file with what it printed
	cmd    *exec.Cmd
	// exited is closed once the process is gone.
	exited chan struct{}
	// killed tells a process that the lab ended from one that ended by itself.
	killed bool
	reaper errgroup.Group
}

// startProcess runs a command; what it prints goes to output. The process dies with ctx and, on Linux,
// with this program however it ends.
func startProcess(ctx context.Context, name, dir, output string, command []string) (*process, error) {
	out, err := os.Create(output)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	defer func() { _ = out.Close() }() // the process has its own handle
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	cmd.SysProcAttr = ownedByParent()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, output: output, cmd: cmd, exited: make(chan struct{})}
	p.reaper.Go(func() error {
		defer close(p.exited)
		return cmd.Wait()
	})
	return p, nil
}

func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

func (p *process) signal(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil {
		return fmt.Errorf("signal %s with %v: %w", p.name, sig, err)
	}
	return nil
}

// kill ends the process at once (a stopped one too) and waits until it is gone.
func (p *process) kill() {
	p.killed = true
	if p.alive() {
		_ = p.cmd.Process.Kill() // it may have ended by itself just now
	}
	<-p.exited
}
