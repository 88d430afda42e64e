package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/tui"
)

const defaultScenario = "slow-sink"

func demoCommand(c console, conf *settings) *cobra.Command {
	var list bool
	var treatments []string
	tap := &taping{}
	cmd := &cobra.Command{
		Use:   "demo [SCENARIO]",
		Short: "Watch a simulated cluster with a built-in incident; no Flink is needed",
		Long: "demo opens the monitor on a simulated cluster. Each incident can be treated while it is\n" +
			"watched, with the fix that belongs to it or with one that changes nothing: the key a opens them, and\n" +
			"demo SCENARIO --list tells them. The scenarios:\n\n" + scenarioList(),
		Example: "  culprit demo hot-key --list\n" +
			"  culprit demo hot-key --apply more-instances@1m --apply salted-key@5m",
		Args: takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return listDemo(c.out, firstOf(args))
			}
			if err := conf.fillJudge(c); err != nil {
				return err
			}
			conf.tune.fillDemo(first(firstOf(args), defaultScenario))
			return demo(cmd.Context(), c, conf, tap, first(firstOf(args), defaultScenario), treatments)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false,
		"print the scenarios, or the story and the treatments of the one that is named, and end")
	cmd.Flags().StringArrayVar(&treatments, "apply", nil,
		"apply this `TREATMENT` at once, or with @TIME after it so much later, as in faster-database@90s; "+
			"may be repeated")
	conf.face.bind(cmd)
	tap.bind(cmd)
	tap.bindSpool(cmd)
	c.journal.bind(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		const told = "it only tells what there is, and ends"
		return errors.Join(simulates(cmd),
			idle(cmd, without{"apply", "list", told}, without{"record", "list", told}))
	}
	return cmd
}

// fillDemo takes over what of a scenario's log only its owner knows, as --retention says of a real one.
func (t *tuning) fillDemo(scenario string) {
	if s, ok := sim.Lookup(scenario); ok && t.retention == "" {
		t.retention = lengthText(s.Retention)
	}
}

func demo(
	ctx context.Context, c console, conf *settings, tap *taping, name string, treatments []string,
) error {
	source, cluster, err := openDemo(name, time.Second, flinkapi.WallClock, tap)
	if err != nil {
		return err
	}
	keep := newKeeper(tap, conf.tune)
	for _, text := range treatments {
		if err = applyDemo(cluster, name, text); err != nil {
			return errors.Join(err, keep.end())
		}
	}
	err = show(ctx, c, source, conf, tui.Options{
		Mode: tui.ModeDemo, Target: name, Keeper: keep, Incident: practice{cluster},
	})
	return errors.Join(err, keep.end())
}

// openDemo returns a source on a simulated cluster. The cluster follows the clock; without one it stands
// still until it is advanced.
func openDemo(
	name string,
	interval time.Duration,
	clock flinkapi.Clock,
	tap *taping,
) (flinkapi.Source, *sim.Cluster, error) {
	return openDemoAt(name, interval, flinkapi.WallClock(), clock, tap)
}

// openDemoAt is openDemo for a cluster whose time begins at start.
func openDemoAt(
	name string,
	interval time.Duration,
	start time.Time,
	clock flinkapi.Clock,
	tap *taping,
) (flinkapi.Source, *sim.Cluster, error) {
	scenario, err := scenarioOf(name)
	if err != nil {
		return nil, nil, err
	}
	cluster := scenario.Cluster(start)
	advance := func() {}
	if clock != nil {
		advance = cluster.Follow(clock, 1)
	}
	// A look that asks nothing must see the time pass too.
	now := func() time.Time {
		advance()
		return cluster.Now()
	}
	source, _, err := connect(flinkapi.Options{
		URL: "http://" + name, Version: version(), Transport: sim.Transport(cluster.Handler(), advance),
	}, flinkapi.CollectorOptions{Clock: now, Interval: interval}, tap)
	return source, cluster, err
}

func scenarioOf(name string) (sim.Scenario, error) {
	scenario, ok := sim.Lookup(name)
	if !ok {
		return sim.Scenario{}, unknownName("scenario", name, scenarioNames(),
			"there are "+strings.Join(scenarioNames(), ", "))
	}
	return scenario, nil
}

func scenarioNames() []string {
	var out []string
	for _, s := range sim.Scenarios() {
		out = append(out, s.Name)
	}
	return out
}

func scenarioList() string {
	var b strings.Builder
	for _, s := range sim.Scenarios() {
		fmt.Fprintf(&b, "  %-20s %s\n", s.Name, s.Summary)
	}
	return b.String()
}
