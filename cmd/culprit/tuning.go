package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// tuning is what the flags say about the diagnosis.
type tuning struct {
	thresholds []string
	silenced   []string
	retention  time.Duration
	utc        bool
}

// bind adds the flags to a command and those below it.
func (t *tuning) bind(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringArrayVar(&t.thresholds, "threshold", nil,
		"override a threshold, as `NAME=VALUE`; docs/rules.md lists them; may be given again")
	f.StringArrayVar(&t.silenced, "silence", nil, "leave out the rule of this `NAME`; may be given again")
	f.BoolVar(&t.utc, "utc", false, "show times in UTC instead of the local time zone")
	f.DurationVar(&t.retention, "retention", 0,
		"how long the log behind the sources keeps a record, such as 24h; without it rung 7 cannot be told")
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
	for _, text := range t.thresholds {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return o, fmt.Errorf("--threshold %s: it has no NAME=VALUE form, such as busy=0.7", text)
		}
		if err := o.SetThreshold(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return o, fmt.Errorf("--threshold: %w", err)
		}
	}
	for _, name := range t.silenced {
		if err := o.Silence(name); err != nil {
			return o, fmt.Errorf("--silence: %w", err)
		}
	}
	if t.retention < 0 {
		return o, fmt.Errorf("--retention %s: give a duration above 0, such as 24h", t.retention)
	}
	o.LogRetention = t.retention
	return o, nil
}
