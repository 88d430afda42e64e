// Package cluster starts and stops real Flink clusters on this machine: one JobManager and some
// TaskManagers, each a JVM of its own, listening on localhost only. It can submit and cancel jobs and make
// faults; the product can do none of that. The types to know are Config and Cluster.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"culprit/lab/jobs"
)

// startTimeout is how long a cluster may take until every TaskManager has registered; about 10 s is usual.
const startTimeout = 3 * time.Minute

// startTries is how often a cluster may be started: a Flink process gives up when its actor system needs more
// than 10 s, which happens on a busy machine and which no option of Flink changes.
const startTries = 3

// Cluster is a running Flink cluster. Its methods are not safe for concurrent use, except URL, Submit and
// Cancel after a first Submit.
type Cluster struct {
	config   Config
	dist     Distribution
	place    place
	dir      string
	log      io.Writer
	ctx      context.Context // the processes outlive the call that starts them
	cancel   context.CancelFunc
	manager  *process
	workers  []*process
	links    []*link
	starts   int
	jobJar   string
	uploaded string
}

// Start installs Flink if need be, starts a cluster and waits until all TaskManagers have registered. The
// cluster ends with ctx, with Stop, and on Linux with this program. Progress goes to log.
func Start(ctx context.Context, config Config, log io.Writer) (*Cluster, error) {
	config = config.withDefaults()
	dist, err := Install(ctx, config.Version, log)
	if err != nil {
		return nil, err
	}
	jar, err := jobs.Jar(ctx, dist.Version, dist.Lib, dist.Jobs)
	if err != nil {
		return nil, fmt.Errorf("compile the scenario jobs for flink %s: %w", dist.Version, err)
	}
	for try := 1; ; try++ {
		c := &Cluster{config: config, dist: dist, jobJar: jar, log: log}
		err = c.start(ctx)
		if err == nil {
			return c, nil
		}
		if try == startTries || ctx.Err() != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(log, "%v; once more\n", err) // a log may fail
	}
}

// start prepares and launches; where that fails, no process is left.
func (c *Cluster) start(ctx context.Context) error {
	c.ctx, c.cancel = context.WithCancel(ctx)
	if err := c.prepare(); err != nil {
		c.cancel()
		return err
	}
	if err := c.launch(); err != nil {
		c.end()
		return fmt.Errorf("start flink %s (logs in %s): %w", c.dist.Version, c.dir, err)
	}
	return nil
}

// URL is the address of the REST API, such as http://localhost:40123.
func (c *Cluster) URL() string {
	return "http://localhost:" + strconv.Itoa(c.place.restPort)
}

// Version is the Flink version that runs.
func (c *Cluster) Version() string { return c.dist.Version }

// Logs is the folder with each process's log (jobmanager.log, tm-1.log) and output (.out).
func (c *Cluster) Logs() string { return c.dir }

// CPUTime is the CPU time that a TaskManager (counted from 1) has used since its start. It is known on Linux
// only.
func (c *Cluster) CPUTime(number int) (time.Duration, error) {
	p, err := c.worker(number)
	if err != nil {
		return 0, err
	}
	return cpuTime(p.cmd.Process.Pid)
}

// With starts a cluster, works with it, and stops it, whatever became of the work.
func With(ctx context.Context, config Config, log io.Writer, work func(*Cluster) error) error {
	c, err := Start(ctx, config, log)
	if err != nil {
		return err
	}
	return errors.Join(work(c), c.Stop())
}

// Stop ends every process and removes the files of the cluster, but for those that are to be kept.
func (c *Cluster) Stop() error {
	c.end()
	rest := c.dir
	if c.config.KeepLogs {
		rest = c.place.tmp
	}
	if err := os.RemoveAll(rest); err != nil {
		return fmt.Errorf("remove the cluster's files: %w", err)
	}
	return nil
}

func (c *Cluster) end() {
	c.cancel()
	for _, p := range append([]*process{c.manager}, c.workers...) {
		if p != nil {
			p.kill()
		}
	}
	for _, l := range c.links {
		l.close()
	}
}

// prepare makes the cluster's folder with its configuration and picks the ports.
func (c *Cluster) prepare() error {
	dir, err := os.MkdirTemp("", "culprit-lab-")
	if err != nil {
		return fmt.Errorf("make the cluster's folder: %w", err)
	}
	c.dir = dir
	c.place.tmp = filepath.Join(dir, "scratch")
	if err = os.Mkdir(c.place.tmp, 0o755); err != nil {
		return fmt.Errorf("make the cluster's folder: %w", err)
	}
	ports, err := freePorts(c.ctx, 2)
	if err != nil {
		return err
	}
	c.place.restPort, c.place.rpcPort = ports[0], ports[1]
	files := map[string]string{
		"config.yaml":      c.config.render(c.place),
		"log4j.properties": log4jConfig(),
	}
	for name, text := range files {
		if err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

// launch starts all processes and waits for the TaskManagers.
func (c *Cluster) launch() error {
	if err := c.startManager(); err != nil {
		return err
	}
	for i := range c.config.TaskManagers {
		p, err := c.startWorker(i + 1)
		if err != nil {
			return err
		}
		c.workers = append(c.workers, p)
	}
	return c.awaitWorkers(c.config.TaskManagers)
}

func (c *Cluster) startManager() error {
	args := c.java("jobmanager", jobManagerHeap, jobManagerHeap/2)
	args = append(args, "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
		"--configDir", c.dir)
	p, err := startProcess(c.ctx, "jobmanager", c.dir, c.output("jobmanager"), args)
	if err != nil {
		return err
	}
	c.manager = p
	return nil
}

func (c *Cluster) startWorker(number int) (*process, error) {
	name := workerID(number)
	memory := c.config.Memory
	args := c.java(name, frameworkHeap+memory.TaskHeap, frameworkOffHeap+memory.Network)
	args = append(args, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", c.dir,
		"-Dtaskmanager.resource-id="+name)
	if c.config.LinkRate > 0 {
		l, err := startLink(c.ctx, c.config.LinkRate)
		if err != nil {
			return nil, err
		}
		c.links = append(c.links, l)
		args = append(args, l.options()...)
	}
	if c.config.Cores > 0 {
		args = append([]string{"taskset", "-c", fmt.Sprintf("0-%d", c.config.Cores-1)}, args...)
	}
	return startProcess(c.ctx, name, c.dir, c.output(name), args)
}

// workerID is the resource id of a TaskManager, counted from 1: the id that the REST API gives.
func workerID(number int) string { return "tm-" + strconv.Itoa(number) }

func (c *Cluster) java(name string, heapMiB, directMiB int) []string {
	log4j := filepath.Join(c.dir, "log4j.properties")
	// nice becomes java: the process keeps its id.
	command := []string{"nice", "-n", strconv.Itoa(c.config.Nice), "java"}
	return append(command, javaArgs(c.dist, heapMiB, directMiB, log4j, filepath.Join(c.dir, name+".log"))...)
}

// output gives a new file for what a process prints, so that a restarted one keeps the words of the first.
func (c *Cluster) output(name string) string {
	c.starts++
	return filepath.Join(c.dir, fmt.Sprintf("%s-%d.out", name, c.starts))
}

// awaitWorkers waits until exactly count TaskManagers are registered.
func (c *Cluster) awaitWorkers(count int) error {
	ctx, cancel := context.WithTimeout(c.ctx, startTimeout)
	defer cancel()
	for {
		if err := c.checkAlive(); err != nil {
			return err
		}
		var overview struct {
			TaskManagers int `json:"taskmanagers"`
		}
		err := c.client().Get(ctx, "/overview", &overview)
		if err == nil && overview.TaskManagers == count {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %d TaskManagers: %w", count, errors.Join(ctx.Err(), err))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// checkAlive reports a process that ended by itself, with what it printed.
func (c *Cluster) checkAlive() error {
	for _, p := range append([]*process{c.manager}, c.workers...) {
		if !p.alive() && !p.killed {
			said, _ := os.ReadFile(p.output) // best effort: an aid to the reader
			return fmt.Errorf("%s ended: %s", p.name, said)
		}
	}
	return nil
}

// freePorts asks the kernel for unused ports, all different, and releases them.
func freePorts(ctx context.Context, count int) (ports []int, err error) {
	listeners := make([]net.Listener, 0, count)
	defer func() {
		for _, l := range listeners {
			err = errors.Join(err, l.Close())
		}
	}()
	var config net.ListenConfig
	for range count {
		l, err := config.Listen(ctx, "tcp", "localhost:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		listeners = append(listeners, l)
		address, ok := l.Addr().(*net.TCPAddr)
		if !ok {
			return nil, fmt.Errorf("find a free port: unexpected address %v", l.Addr())
		}
		ports = append(ports, address.Port)
	}
	return ports, nil
}
