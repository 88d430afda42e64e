// Command cluster starts a real Flink cluster with scenario jobs and keeps it up for someone to look at.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"culprit/lab"
	"culprit/lab/cluster"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1) //nolint:gocritic // the cluster is down by now; stop has nothing left to do
	}
}

type options struct {
	config   cluster.Config
	duration time.Duration
	keepLogs bool
	jobs     []string
}

func run(ctx context.Context) error {
	options := parse()
	c, err := cluster.Start(ctx, options.config, os.Stderr)
	if err != nil {
		return err
	}
	if options.keepLogs {
		defer c.StopKeepingLogs() //nolint:errcheck // it is going away
	} else {
		defer c.Stop() //nolint:errcheck // it is going away
	}
	fmt.Printf("%s\tFlink %s\tlogs %s\n", c.URL(), c.Version(), c.Logs())
	for _, job := range options.jobs {
		id, err := submit(ctx, c, job)
		if err != nil {
			return err
		}
		fmt.Printf("%s\t%s\n", id, job)
	}
	if options.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, options.duration)
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
	options := options{config: cluster.Config{Flink: map[string]string{}}}
	flag.StringVar(&options.config.Version, "version", "2.3.0", "Flink `version`, 1.19 or later")
	flag.IntVar(&options.config.TaskManagers, "tms", 1, "number of TaskManagers (tm-1, tm-2, …)")
	flag.IntVar(&options.config.SlotsPerTM, "slots", 16, "slots of each TaskManager")
	flag.IntVar(&options.config.Memory.TaskHeap, "heap", 0, "task heap of each TaskManager in `MiB` (default 384)")
	flag.IntVar(&options.config.Memory.Network, "network", 0, "network memory of each TaskManager in `MiB` (default 256)")
	flag.DurationVar(&options.duration, "for", 0, "stop after this `time` (default: when interrupted)")
	flag.BoolVar(&options.keepLogs, "keep-logs", false, "leave the logs behind")
	flag.Func("flink", "a Flink option as `key=value`, may be repeated; the metrics are fetched every 10 s unless\n"+
		"metrics.fetcher.update-interval says otherwise", func(text string) error {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("want key=value")
		}
		options.config.Flink[key] = value
		return nil
	})
	flag.Func("job", "a `scenario` or a class, with arguments after it, may be repeated:\n"+
		"-job slow-middle -job \"SlowSink --parallelism 4 --wait-ms 20\"", func(text string) error {
		options.jobs = append(options.jobs, text)
		return nil
	})
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Starts a real Flink cluster on this machine with scenario jobs and "+
			"prints its URL and the job ids.\nScenarios: %s\nFlags:\n", strings.Join(names(), " "))
		flag.PrintDefaults()
	}
	flag.Parse()
	return options
}

func names() []string {
	var names []string
	for _, scenario := range lab.Scenarios() {
		names = append(names, scenario.Name)
	}
	return names
}
