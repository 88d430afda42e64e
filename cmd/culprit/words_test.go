package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi/sim"
)

// forbiddenWords are the patterns that no text for people may hold, with what is wrong with each.
func forbiddenWords(t *testing.T) map[*regexp.Regexp]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "diagnose", "testdata", "forbidden.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[*regexp.Regexp]string{}
	for line := range strings.Lines(string(data)) {
		pattern, why, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && !strings.HasPrefix(line, "#") {
			out[regexp.MustCompile(pattern)] = why
		}
	}
	return out
}

// What check prints of every incident, as text, JSON and Markdown, early and late, is plain.
func TestWhatIsToldOfIncidentsIsPlain(t *testing.T) {
	t.Parallel()
	forbidden := forbiddenWords(t)
	spans := []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute}
	if testing.Short() {
		spans = spans[:1]
	}
	for _, s := range sim.Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			conf := &settings{link: &connection{}, tune: &tuning{}, face: &face{}}
			w, err := newWatch(console{}, conf, &taping{}, nil, s.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, span := range spans {
				w.span, w.least = span, span
				mustBePlain(t, w.run(t.Context()), forbidden)
			}
		})
	}
}

func plainLine(t *testing.T, format, line string, forbidden map[*regexp.Regexp]string) {
	t.Helper()
	for pattern, why := range forbidden {
		if pattern.MatchString(line) {
			t.Errorf("%s: %s: %s", format, why, line)
		}
	}
}

// mustBePlain checks each line of what is printed, in every format, and the rungs of the ladder.
func mustBePlain(t *testing.T, o *outcome, forbidden map[*regexp.Regexp]string) {
	t.Helper()
	for _, format := range []string{"text", "json", "markdown"} {
		write, err := printer(format)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := write(&b, o); err != nil && exitUnknown < o.severity() {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if format == "json" && !strings.HasSuffix(strings.TrimRight(line, ",\n"), `"`) {
				continue // a number, whose name says its unit
			}
			plainLine(t, format, strings.TrimSpace(line), forbidden)
		}
	}
	for _, r := range o.reports {
		for _, rung := range r.Ladder {
			if rung.Why == "" || rung.Why == "no" {
				t.Errorf("rung %d is %s and says %q", rung.Number, rung.State, rung.Why)
			}
		}
	}
}
