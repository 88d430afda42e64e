package cluster

import (
	"fmt"
	"syscall"
)

// StopTM freezes a TaskManager (counted from 1) with SIGSTOP, as a stalled host does.
func (c *Cluster) StopTM(number int) error { return c.signalTM(number, syscall.SIGSTOP) }

// ContTM lets a frozen TaskManager go on.
func (c *Cluster) ContTM(number int) error { return c.signalTM(number, syscall.SIGCONT) }

// KillTM kills a TaskManager (counted from 1) with SIGKILL.
func (c *Cluster) KillTM(number int) error {
	p, err := c.worker(number)
	if err != nil {
		return err
	}
	p.kill()
	return nil
}

// KillJM kills the JobManager with SIGKILL. Without high availability its jobs are lost.
func (c *Cluster) KillJM() { c.manager.kill() }

// RestartJM starts the JobManager again on the same ports and waits until every living TaskManager has
// registered.
func (c *Cluster) RestartJM() error {
	if c.manager.alive() {
		c.manager.kill()
	}
	c.uploaded = ""
	if err := c.startManager(); err != nil {
		return err
	}
	living := 0
	for _, p := range c.workers {
		if p.alive() {
			living++
		}
	}
	if err := c.awaitWorkers(living); err != nil {
		return fmt.Errorf("restart the JobManager: %w", err)
	}
	return nil
}

func (c *Cluster) signalTM(number int, sig syscall.Signal) error {
	p, err := c.worker(number)
	if err != nil {
		return err
	}
	return p.signal(sig)
}

func (c *Cluster) worker(number int) (*process, error) {
	if number < 1 || number > len(c.workers) {
		return nil, fmt.Errorf("there is no TaskManager %d: the cluster has %d", number, len(c.workers))
	}
	return c.workers[number-1], nil
}
