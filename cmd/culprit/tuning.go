package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// tuning is what the flags say about the diagnosis.
type tuning struct {
	thresholds []string
	// The first filed thresholds are those of the configuration in file; the others are flags.
	file      string
	filed     int
	silenced  []string
	retention string // empty where it is not given
	utc       bool
}

// retentionOf reads the value of --retention: a length of time above 0, in days and weeks too.
func retentionOf(text string) (time.Duration, error) {
	d, err := diagnose.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("--retention: %q is not a duration above 0, such as 24h or 7d", text)
	}
	return d, nil
}

// lengthText writes a length of time as a flag has it, which is nothing where it is 0.
func lengthText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// bind adds the flags to a command and those below it.
func (t *tuning) bind(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringArrayVar(&t.thresholds, "threshold", nil,
		"override a threshold, as `NAME=VALUE`; docs/rules.md lists them; may be given again")
	f.StringSliceVar(&t.silenced, "silence", nil,
		"do not alarm by the rule of this `NAME` or code, only tell that it fires; several by commas, and may be "+
			"given again")
	f.BoolVar(&t.utc, "utc", false, "show times in UTC instead of the local time zone")
	f.StringVar(&t.retention, "retention", "",
		"`DURATION` for which the log behind the sources keeps a record, such as 24h or 7d; "+
			"without it rung 7 cannot be told")
}

// zone is the time zone of the times that people read.
func (t *tuning) zone() *time.Location {
	if t.utc {
		return time.UTC
	}
	return time.Local //nolint:gosmopolitan // people read the times where they are
}

// options are those of the diagnosis.
func (t *tuning) options() (diagnose.Options, error) {
	o := diagnose.DefaultOptions()
	o.Stopwatch = flinkapi.WallClock
	set := map[string]string{} // where each was set last
	for i, text := range t.thresholds {
		place := "--threshold"
		if i < t.filed {
			place = t.file
		}
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return o, fmt.Errorf("%s %s: it has no NAME=VALUE form, such as busy=0.7", place, text)
		}
		name = strings.TrimSpace(name)
		if !slices.Contains(thresholdNames(), name) {
			return o, fmt.Errorf("%s: %w", place, unknownName("threshold", name, thresholdNames(),
				"there are "+strings.Join(thresholdNames(), ", ")))
		}
		if err := o.SetThreshold(name, strings.TrimSpace(value)); err != nil {
			return o, fmt.Errorf("%s: %w", place, err)
		}
		set[name] = place
	}
	if pair, err := o.Check(); err != nil {
		return o, fmt.Errorf("%s: %w", cmp.Or(set[pair[0]], set[pair[1]]), err)
	}
	for _, name := range t.silenced {
		name = strings.TrimSpace(name)
		if _, ok := diagnose.RuleNamed(name); !ok {
			return o, fmt.Errorf("--silence: %w", unknownRule(name))
		}
		if err := o.Silence(name); err != nil {
			return o, fmt.Errorf("--silence: %w", err)
		}
	}
	if t.retention == "" {
		return o, nil
	}
	kept, err := retentionOf(t.retention)
	o.LogRetention = kept
	return o, err
}

func thresholdNames() []string {
	var names []string
	for _, t := range diagnose.Thresholds() {
		names = append(names, t.Name)
	}
	return names
}
