package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verdictLine is what makes a verdict in the JSON of check, without its numbers.
type verdictLine struct {
	Job      struct{ ID string }
	Severity string
	Firm     bool
	State    struct{ Reason struct{ Name string } }
	Culprits []struct {
		Vertex struct{ ID string }
		Reason struct{ Name string }
	}
}

// verdictsIn are the newest verdicts of each job in some JSON; check lists several jobs in one object.
func verdictsIn(t *testing.T, text string) map[string]string {
	t.Helper()
	newest := map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(text)); ; {
		var one struct {
			verdictLine
			Jobs []verdictLine
		}
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return newest
		}
		must(t, err)
		for _, v := range append(one.Jobs, one.verdictLine) {
			if id := v.Job.ID; id != "" {
				newest[id] = fmt.Sprintf("%+v", v)
			}
		}
	}
}

// A check of one job of several is told anew as one of that job, without its name.
func TestCheckOfARecordingKnowsItsJob(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "check.culprit")
	answer := func(args ...string) string {
		var out bytes.Buffer
		c := console{out: &out, err: io.Discard, env: func(string) string { return "" }}
		run(t.Context(), append([]string{"check", "--format", "json"}, args...), c)
		return out.String()
	}
	var all struct{ Jobs []verdictLine }
	must(t, json.Unmarshal([]byte(answer("--demo", "fleet")), &all))
	live := answer("--demo", "fleet", "--job", all.Jobs[1].Job.ID, "--record", path)
	if diff := cmp.Diff(live, answer("--replay", path, "--last")); diff != "" {
		t.Errorf("(-live +replay):\n%s", diff)
	}
}

// A check that is recorded says what check tells of its recording in the end, for every incident.
func TestCheckOfARecordingSaysWhatCheckSaid(t *testing.T) {
	t.Parallel()
	for _, s := range incidents() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "check.culprit")
			answer := func(args ...string) (string, int) {
				var out bytes.Buffer
				c := console{out: &out, err: io.Discard, env: func(string) string { return "" }}
				code := run(t.Context(), append([]string{"check", "--format", "json"}, args...), c)
				return out.String(), code
			}
			said, code := answer("--demo", s.Name, "--record", path)
			told, _ := answer("--replay", path)
			live, again := verdictsIn(t, said), verdictsIn(t, told)
			if len(live) == 0 && s.Name != "finished" {
				t.Error("nothing was said")
			}
			for job, verdict := range live {
				if again[job] != verdict {
					t.Errorf("live it said %s\nof the recording %s", verdict, again[job])
				}
			}
			judge := []string{"--replay", path, "--last"}
			if s.Retention > 0 { // which the demo tells the judge, and a recording does not
				judge = append(judge, "--retention", s.Retention.String())
			}
			last, lastCode := answer(judge...)
			if diff := cmp.Diff(said, last); diff != "" || lastCode != code {
				t.Errorf("live it ended with %d, the last of the recording with %d (-live +replay):\n%s",
					code, lastCode, diff)
			}
		})
	}
}
