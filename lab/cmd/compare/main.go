// Command compare runs graphs of culprit's demo on a real cluster, one at a time, and writes how far the
// simulator is from it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"culprit/lab"
	"culprit/lab/cluster"
)

func main() { os.Exit(lab.Main("compare", run)) }

func run(ctx context.Context) error {
	version := flag.String("version", "2.3.0", "Flink `version`")
	binary := flag.String("culprit", "", "`path` of the binary, built before")
	document := flag.String("out", "docs/simulator.md", "`file` whose measured part is replaced")
	names := flag.String("scenarios", "", "`names`, with commas; all by default")
	o := lab.Comparison{Log: os.Stderr}
	flag.DurationVar(&o.Settle, "settle", 75*time.Second, "`time` to let a job run first")
	flag.DurationVar(&o.Watch, "watch", 40*time.Second, "`time` to watch each side")
	flag.Parse()
	if o.Culprit = *binary; o.Culprit == "" {
		return errors.New("give the binary with -culprit")
	}
	config := cluster.Config{Version: *version, TaskManagers: 1, SlotsPerTM: 16}
	var all []lab.Compared
	err := cluster.With(ctx, config, os.Stderr, func(c *cluster.Cluster) error {
		var failed error
		all, failed = compare(ctx, c, o, *names)
		return failed
	})
	if len(all) == 0 {
		return err
	}
	return errors.Join(err, write(*document, *version, all))
}

func compare(
	ctx context.Context, c *cluster.Cluster, o lab.Comparison, names string,
) ([]lab.Compared, error) {
	var all []lab.Compared
	var failed error
	for _, t := range lab.Twins() {
		if names != "" && !slices.Contains(strings.Split(names, ","), t.Scenario) {
			continue
		}
		one, err := o.Compare(ctx, c, t)
		if ctx.Err() != nil {
			return all, fmt.Errorf("stopped: %w", ctx.Err())
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		all = append(all, one)
	}
	return all, failed
}

func write(path, version string, all []lab.Compared) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	table, apart := lab.Closeness(all)
	text := fmt.Sprintf("Measured on %s against Flink %s, the real number first. %s\n\n%s",
		time.Now().UTC().Format(time.DateOnly), version, apart, table)
	made, err := lab.PutMeasured(string(old), text)
	if err != nil {
		return err
	}
	if err = os.WriteFile(path, []byte(made), 0o600); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}
