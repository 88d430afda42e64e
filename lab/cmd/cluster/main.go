// Command cluster starts a real Flink cluster with scenario jobs and keeps it up for someone to look at.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"culprit/lab"
	"culprit/lab/cluster"
)

func main() { os.Exit(lab.Main("cluster", run)) }

type options struct {
	config   cluster.Config
	duration time.Duration
	jobs     []string
}

func run(ctx context.Context) error {
	o := parse()
	return cluster.With(ctx, o.config, os.Stderr, func(c *cluster.Cluster) error { return show(ctx, c, o) })
}

// show submits the jobs, prints where all is, and returns when it is time to stop.
func show(ctx context.Context, c *cluster.Cluster, o options) error {
	fmt.Printf("%s\tFlink %s\tlogs %s\n", c.URL(), c.Version(), c.Logs())
	for _, job := range o.jobs {
		id, err := submit(ctx, c, job)
		if err != nil {
			return err
		}
		fmt.Printf("%s\t%s\n", id, job)
	}
	if o.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.duration)
		defer cancel()
	}
	<-ctx.Done()
	return nil
}

// submit starts a scenario by its name, or a job by its class with arguments.
func submit(ctx context.Context, c *cluster.Cluster, job string) (cluster.JobID, error) {
	words := strings.Fields(job)
	if len(words) == 0 {
		return "", fmt.Errorf("empty -job")
	}
	scenario, err := lab.Named(words[0])
	if err != nil {
		return c.Submit(ctx, words[0], words[1:]...)
	}
	return c.Submit(ctx, scenario.Class, append(scenario.Args, words[1:]...)...)
}

func parse() options {
	o := options{config: cluster.Config{Flink: map[string]string{}}}
	flag.StringVar(&o.config.Version, "version", "2.3.0", "Flink `version`, 1.19 or later")
	flag.IntVar(&o.config.TaskManagers, "tms", 1, "number of TaskManagers (tm-1, tm-2, …)")
	flag.IntVar(&o.config.SlotsPerTM, "slots", 16, "slots of each TaskManager")
	flag.IntVar(&o.config.Memory.TaskHeap, "heap", 0, "task heap in `MiB` (default 384)")
	flag.IntVar(&o.config.Memory.Network, "network", 0, "network memory in `MiB` (default 256)")
	flag.IntVar(&o.config.Cores, "cores", 0, "`cores` that the TaskManagers may use together (default all)")
	flag.IntVar(&o.config.LinkRate, "link", 0, "`bytes` a second between two TaskManagers (default: no limit)")
	flag.BoolVar(&o.config.FileCheckpoints, "files", false, "keep checkpoints in files")
	flag.DurationVar(&o.duration, "for", 0, "stop after this `time` (default: when interrupted)")
	flag.BoolVar(&o.config.KeepLogs, "keep-logs", false, "leave the logs behind")
	flag.Func("flink", "a Flink option as `key=value`, may be repeated; the metrics are fetched every\n"+
		"10 s unless metrics.fetcher.update-interval says otherwise", func(text string) error {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("want key=value")
		}
		o.config.Flink[key] = value
		return nil
	})
	flag.Func("job", "a `scenario` or a class, with arguments after it, may be repeated:\n"+
		"-job slow-middle -job \"SlowSink --parallelism 4 --wait-ms 20\"", func(text string) error {
		o.jobs = append(o.jobs, text)
		return nil
	})
	flag.Usage = func() {
		_, _ = fmt.Fprintf(flag.CommandLine.Output(), "Starts a real Flink cluster on this machine with "+
			"scenario jobs and prints its URL and the job ids.\nScenarios: %s\nFlags:\n",
			strings.Join(names(), " ")) // there is nobody else to tell
		flag.PrintDefaults()
	}
	flag.Parse()
	return o
}

func names() []string {
	var names []string
	for _, scenario := range lab.Scenarios() {
		names = append(names, scenario.Name)
	}
	return names
}
