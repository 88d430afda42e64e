package main

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recordLost records a healthy job whose cluster is away for a time, and comes back where it says so.
func recordLost(t *testing.T, back bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lost.culprit")
	w, server := recordMoody(t, 3, path, time.Minute)
	w.look(t, time.Minute)
	server.away = true
	w.look(t, 2*time.Minute)
	if server.away = false; back {
		w.look(t, time.Minute)
	}
	must(t, w.recorder.Close())
	return path
}

// What is known of a job ends when its cluster no longer answers: the time line, the headline, the exit code
// and the JSON say so, and say when it answers again.
func TestLostClusterIsAmongTheVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		back   bool
		code   int
		begins string
		last   string
	}{
		{"lost", false, 3, "UNKNOWN: ", "unknown"},
		{"back", true, 0, "OK: ", "ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := recordLost(t, c.back)
			answer := func(format string) (string, int) {
				var out bytes.Buffer
				to := console{out: &out, err: io.Discard, env: func(string) string { return "" }}
				code := run(t.Context(), []string{"check", "--replay", path, "--format", format}, to)
				return out.String(), code
			}
			text, code := answer("text")
			head, _, _ := strings.Cut(text, "\n")
			if code != c.code || !strings.HasPrefix(text, c.begins) ||
				strings.Contains(head, "unknown since 08:0") != !c.back {
				t.Errorf("it exits with %d and says\n%s", code, text)
			}
			if !strings.Contains(text, "  unknown   not firm  ") || !strings.Contains(text, "nobody listens") {
				t.Errorf("no line tells of the time without answers:\n%s", text)
			}
			lines, code := answer("json")
			lost, last := lostLines(t, lines)
			if lost != 1 || last != c.last || code != c.code {
				t.Errorf("%d lines of the time without answers, the last is %q, exit %d:\n%s",
					lost, last, code, lines)
			}
			if page, _ := answer("markdown"); strings.Count(page, "| unknown | not firm | ") == 0 {
				t.Errorf("the page does not tell of it:\n%s", page)
			}
		})
	}
}

// lostLines counts the lines that tell of a time without answers, and returns the severity of the last line.
func lostLines(t *testing.T, lines string) (lost int, last string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var v verdictLine
		must(t, json.Unmarshal([]byte(line), &v))
		if v.Job.ID == "" {
			t.Errorf("a line tells of no job: %s", line)
		}
		if last = v.Severity; strings.Contains(line, "nobody listens") && last == "unknown" {
			lost++
		}
	}
	return lost, last
}
