package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
)

// applyDemo reads a treatment as --apply gives it, NAME or NAME@TIME, and begins it that much later.
func applyDemo(cluster *sim.Cluster, scenario, text string) error {
	s, err := scenarioOf(scenario)
	if err != nil {
		return err
	}
	name, after, later := strings.Cut(text, "@")
	treatment, err := s.Treatment(name)
	if err != nil {
		return err
	}
	var wait time.Duration
	if later {
		if wait, err = time.ParseDuration(after); err == nil && wait < 0 {
			err = errors.New("the time has passed")
		}
		if err != nil {
			return fmt.Errorf("--apply %s: after the @ stands a time such as 90s or 5m: %w", text, err)
		}
	}
	return cluster.ApplyAfter(treatment, wait)
}

// listDemo prints the scenarios, or the story of one with what can be done about it.
func listDemo(out io.Writer, name string) error {
	text := scenarioList()
	if name != "" {
		s, err := scenarioOf(name)
		if err != nil {
			return err
		}
		text = tale(s)
	}
	_, err := io.WriteString(out, text)
	return err
}

// tale is the story of a scenario: what goes on, how it came to that, whom to blame, and what can be done.
func tale(s sim.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", s.Name, s.Summary)
	if began, turns := s.Began(); turns {
		fmt.Fprintf(&b, "It is healthy at first. It goes wrong %s before the demo begins.\n",
			diagnose.FormatDuration(s.Warm-began))
	}
	if len(s.Culprits) > 0 {
		fmt.Fprintf(&b, "culprit  %s\n", strings.Join(s.Culprits, ", "))
	}
	fmt.Fprintf(&b, "reason   %s\n", s.Reason)
	if len(s.Treatments) == 0 {
		return b.String() + "\nThere is nothing to apply.\n"
	}
	fmt.Fprintf(&b, "\nWhat can be done, with culprit demo %s --apply NAME or NAME@TIME:\n", s.Name)
	for k, t := range s.Treatments {
		kind := "in vain"
		switch {
		case k == 0:
			kind = "the fix"
		case t.Right:
			kind = "a fix"
		case t.Eases:
			kind = "eases"
		}
		fmt.Fprintf(&b, "  %-18s %-8s %s\n", t.Name, kind, t.Says)
	}
	return b.String()
}
