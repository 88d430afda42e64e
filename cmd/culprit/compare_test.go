package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// treated records a scenario of which a treatment begins at 08:04.
func treated(t *testing.T, scenario, treatment string) string {
	t.Helper()
	s, ok := sim.Lookup(scenario)
	if !ok {
		t.Fatal("no such scenario")
	}
	path := filepath.Join(t.TempDir(), "incident.culprit")
	w := record(t, s, path, tape.Options{Program: "test"})
	x, err := s.Treatment(treatment)
	must(t, err)
	must(t, w.cluster.ApplyAfter(x, 4*time.Minute))
	w.run(t, 10*time.Minute)
	return path
}

// said runs the program and returns what it prints.
func said(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, failed bytes.Buffer
	c := console{out: &out, err: &failed, env: func(string) string { return "" }}
	if code := run(t.Context(), append(args, "--utc"), c); code != want {
		t.Errorf("%q ends with %d, want %d: %s%s", args, code, want, out.String(), failed.String())
	}
	return out.String() + failed.String()
}

// TestCompare tells from recordings whether a fix helped, and where it cannot be told, why.
func TestCompare(t *testing.T) {
	t.Parallel()
	fixed := treated(t, "slow-sink", "faster-database")
	vain := treated(t, "slow-sink", "more-upstream")
	other := filepath.Join(t.TempDir(), "other.culprit")
	healthy, _ := sim.Lookup("healthy")
	record(t, healthy, other, tape.Options{}).run(t, 4*time.Minute)
	for name, c := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"the fix": {
			[]string{fixed, "--at", "08:04"}, 0, []string{"the fix helped: sink records 35", "no longer holds"},
		},
		"just after the restart": {
			[]string{vain, "--at", "08:04:20"},
			0,
			[]string{"nothing changed: ", "before ends at 08:0", "ahead of the restart"},
		},
		"in vain": {[]string{vain, "--at", "08:04"}, 0, []string{"nothing changed: ", "slow-sink"}},
		"two spans": {
			[]string{fixed, "--before", "08:01..08:04", "--after", "08:07.."}, 0, []string{"the fix helped"},
		},
		"the wrong way": {
			[]string{fixed, "--before", "08:07..", "--after", "..08:04"},
			1,
			[]string{"it got worse", "now holds the job back"},
		},
		"two files": {[]string{vain, fixed}, 0, []string{"the fix helped"}},
		"too soon": {
			[]string{fixed, "--before", "..08:04", "--after", "08:04..08:04:20"},
			3,
			[]string{"cannot tell yet, because only", "were seen"},
		},
		"just restarted": {
			[]string{vain, "--before", "..08:04", "--after", "08:04..08:04:30"},
			3,
			[]string{"cannot tell yet, because the job runs for only"},
		},
		"two jobs":   {[]string{fixed, other}, 3, []string{"these are two jobs"}},
		"no span":    {[]string{fixed}, 3, []string{"say what to compare"}},
		"not a time": {[]string{fixed, "--at", "noon"}, 3, []string{`"noon" is no time`}},
		"elsewhere":  {[]string{fixed, "--at", "11:00"}, 3, []string{"was not recorded: the recording goes from"}},
		"behind the end": {
			[]string{fixed, "--before", "..08:04", "--after", "08:10:30.."},
			3,
			[]string{"--after 08:10:30..: 08:10:30 was not recorded: the recording goes from"},
		},
		"before the beginning": {
			[]string{fixed, "--before", "..2026-01-02 07:59", "--after", "08:06.."},
			3,
			[]string{"2026-01-02 07:59 was not recorded"},
		},
		"the same file": {[]string{fixed, fixed}, 3, []string{"both are the same time of the same job"}},
		"the same span": {
			[]string{fixed, "--before", "08:01..08:04", "--after", "08:01..08:04"},
			3,
			[]string{"both are the same time", "--before and --after"},
		},
		"not firm": {
			[]string{fixed, "--before", "08:00..08:00:20", "--after", "08:06.."},
			3,
			[]string{"no verdict is firm after ", "which takes a minute or two", "give a span of 2 min 30 s or longer"},
		},
		"overlapping": {
			[]string{fixed, "--before", "08:01..08:06", "--after", "08:04..08:08"},
			3,
			[]string{"before and after overlap from 2026-01-02 08:04:0", "to 2026-01-02 08:05:59", "that lie apart"},
		},
		"overlapping, the later one first": {
			[]string{fixed, fixed, "--before", "08:04..08:08", "--after", "08:01..08:06"},
			3,
			[]string{"before and after overlap from 2026-01-02 08:04:0"},
		},
		"side by side": {
			[]string{fixed, "--before", "08:01..08:04", "--after", "08:04..08:09"}, 0, []string{"the fix helped"},
		},
		"a length": {[]string{fixed, "--at", "10s"}, 3, []string{`--at 10s: "10s" is no time`}},
		"backwards": {
			[]string{fixed, "--before", "08:05..08:04", "--after", "08:06.."}, 3, []string{"ends before it begins"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := said(t, c.code, append([]string{"compare"}, c.args...)...)
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q in\n%s", w, text)
				}
			}
		})
	}
	t.Run("formats", func(t *testing.T) {
		t.Parallel()
		text := said(t, 0, "compare", fixed, "--at", "08:04", "--format", "json")
		var got jsonComparison
		must(t, json.Unmarshal([]byte(text), &got))
		if got.Outcome != string(diagnose.Helped) || got.After.SinkRecords == nil ||
			*got.After.SinkRecords < 1.5**got.Before.SinkRecords || len(got.Before.Culprits) != 1 ||
			got.Before.Culprits[0].Reason != "slow-sink" {
			t.Errorf("%s", text)
		}
		text = said(t, 0, "compare", fixed, "--at", "08:04", "--format", "markdown")
		for _, w := range []string{"# Before and after: helped", "| sinks, in | 35", "| culprit | jdbc-upsert"} {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	})
}
