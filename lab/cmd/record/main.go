// Command record runs scenarios on a real cluster and saves the raw REST answers that culprit decodes, as
// test data.
package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"time"

	"culprit/lab"
	"culprit/lab/cluster"
)

func main() { os.Exit(lab.Main("record", run)) }

func run(ctx context.Context) error {
	version := flag.String("version", "2.3.0", "Flink `version`")
	out := flag.String("out", "flinkapi/testdata/rest", "`folder` that gets <version>/<scenario>/*.json")
	names := flag.String("scenarios", "slow-middle,hot-key,restart-loop,finished,rate-limited",
		"scenario `names`, or every-metric alone, which needs a cluster of its own")
	settle := flag.Duration("settle", 80*time.Second, "`time` to let the jobs run first")
	flag.Parse()
	config := cluster.Config{Version: *version, TaskManagers: 2, SlotsPerTM: 8}
	if everyMetric, options := lab.EveryMetric(); *names == everyMetric.Name {
		config.Flink = options
	}
	return cluster.With(ctx, config, os.Stderr, func(c *cluster.Cluster) error {
		return record(ctx, c, strings.Split(*names, ","), *settle, filepath.Join(*out, *version))
	})
}

func record(ctx context.Context, c *cluster.Cluster, names []string, settle time.Duration, dir string) error {
	jobs := map[string]cluster.JobID{}
	for _, name := range names {
		scenario, err := named(name)
		if err != nil {
			return err
		}
		if jobs[name], err = c.Submit(ctx, scenario.Class, scenario.Args...); err != nil {
			return err
		}
	}
	if err := lab.Sleep(ctx, settle); err != nil {
		return err
	}
	return lab.Record(ctx, c, jobs, dir)
}

// named returns a scenario, or the job that is for recordings alone.
func named(name string) (lab.Scenario, error) {
	if everyMetric, _ := lab.EveryMetric(); everyMetric.Name == name {
		return everyMetric, nil
	}
	return lab.Named(name)
}
