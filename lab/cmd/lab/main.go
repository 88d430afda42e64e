// Command lab runs culprit against real Flink clusters with jobs whose slow operator is known, and fails
// when a verdict is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"culprit/lab"
)

func main() { os.Exit(lab.Main("lab", run)) }

type settings struct {
	versions string
	only     string
	subset   bool
	out      string
	accuracy string
	from     string
	binary   string
	raw      bool
	watch    time.Duration
	together int
}

func parse() settings {
	var s settings
	flag.StringVar(&s.versions, "versions", "2.3.0", "Flink `versions`, comma separated")
	flag.StringVar(&s.only, "only", "", "scenarios and faults to run, comma separated `names` (default all):\n"+
		strings.Join(known(), " "))
	flag.BoolVar(&s.subset, "ci", false, "run only the subset for the gate: "+strings.Join(lab.GateNames(), " "))
	flag.StringVar(&s.accuracy, "accuracy", "",
		"`file` that gets the report on accuracy, such as docs/accuracy.md")
	flag.StringVar(&s.from, "from", "", "run nothing; take the results of earlier runs, comma separated\n"+
		"lab.json `files`; of one scenario and version the last one counts")
	flag.StringVar(&s.out, "out", "", "`folder` for lab.md, lab.json and every answer of culprit\n"+
		"with its recording")
	flag.StringVar(&s.binary, "culprit", "", "culprit's `binary` (default: built from ./cmd/culprit)")
	flag.BoolVar(&s.raw, "raw", false, "do not ask culprit: prove from Flink's raw counters that the\n"+
		"scenarios show what they were built for")
	flag.DurationVar(&s.watch, "for", 90*time.Second, "longest `time` of each check")
	flag.IntVar(&s.together, "together", 0, "how many checks run at once (default all: only then was no job\n"+
		"watched before its check)")
	flag.Parse()
	return s
}

func known() []string {
	var names []string
	for _, s := range lab.Scenarios() {
		names = append(names, s.Name)
	}
	return append(names, lab.FaultNames()...)
}

func run(ctx context.Context) error {
	s := parse()
	if s.from != "" {
		results, err := lab.ReadResults(strings.Split(s.from, ","))
		return report(s, results, err)
	}
	if s.raw && s.accuracy != "" {
		return errors.New("-raw asks culprit nothing, so there is no -accuracy")
	}
	options := lab.Options{Watch: s.watch, Together: s.together, Answers: s.out, Log: os.Stdout}
	var err error
	if options.Wanted, err = s.wanted(); err != nil {
		return err
	}
	if !s.raw {
		binary, remove, err := buildOr(ctx, s.binary)
		if err != nil {
			return err
		}
		defer remove()
		options.Check, options.CheckAll = lab.Binary(binary).Check, lab.Binary(binary).CheckAll
	}
	var results []lab.Result
	var failures []error
	for version := range strings.SplitSeq(s.versions, ",") {
		options.Version = version
		found, err := lab.Run(ctx, options)
		results = append(results, found...)
		if err != nil {
			failures = append(failures, fmt.Errorf("flink %s: %w", version, err))
		}
	}
	return report(s, results, errors.Join(failures...))
}

// wanted returns nil for all.
func (s settings) wanted() (func(name string) bool, error) {
	var names []string
	if s.only != "" {
		names = strings.Split(s.only, ",")
	}
	if s.subset {
		names = append(names, lab.GateNames()...)
	}
	for _, name := range names {
		if !slices.Contains(known(), name) {
			return nil, fmt.Errorf("no scenario or fault %q", name)
		}
	}
	if names == nil {
		return nil, nil
	}
	return func(name string) bool { return slices.Contains(names, name) }, nil
}

// report prints the table and writes what is asked for, also when some of it is missing.
func report(s settings, results []lab.Result, failure error) error {
	fmt.Printf("\n%s\n", lab.Table(results))
	if s.out != "" {
		failure = errors.Join(failure, lab.WriteResults(s.out, results))
	}
	if s.accuracy != "" {
		text := lab.Accuracy(results, lab.Scenarios())
		failure = errors.Join(failure, os.WriteFile(s.accuracy, []byte(text), 0o644))
	}
	if failure == nil && !lab.AllOK(results) {
		return errors.New("wrong verdicts, or none, or another one of a recording")
	}
	return failure
}

// buildOr returns the given binary, or builds culprit into a temporary folder, which remove deletes.
func buildOr(ctx context.Context, given string) (binary string, remove func(), err error) {
	if given != "" {
		binary, err = filepath.Abs(given)
		return binary, func() {}, err
	}
	dir, err := os.MkdirTemp("", "culprit-lab-build-")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the binary: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) } // the system clears its temporary folder anyway
	binary = filepath.Join(dir, "culprit")
	if err := lab.Build(ctx, binary); err != nil {
		remove()
		return "", nil, err
	}
	return binary, remove, nil
}
