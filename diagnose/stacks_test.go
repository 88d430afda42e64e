package diagnose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"culprit/flinkapi"
)

// readThread reads a thread as a thread dump prints it.
func readThread(text string) flinkapi.Stack {
	head := regexp.MustCompile(`Id=\d+ ([A-Z_]+)(?: on (\S+?)@\S+)?(?: owned by "(.*)" Id=\d+)?`)
	frame := regexp.MustCompile(`^\s*at (?:[^/($]*/)*([^(]+)\.([^.(]+)\([^:)]*:?(\d*)`)
	k := flinkapi.Stack{Count: 1}
	for line := range strings.Lines(text) {
		if m := head.FindStringSubmatch(line); m != nil && k.State == "" {
			k.State, k.Lock, k.LockOwner = m[1], m[2], m[3]
		}
		if m := frame.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[3])
			k.Frames = append(k.Frames, flinkapi.Frame{Class: m[1], Method: m[2], Line: n})
		}
	}
	return k
}

// The stories of threads begin with what is expected: "want sleeps, depth 1, at com.example.Cost.rest:44",
// and words such as "timer".
func TestWhatThreadsAreSeenToDo(t *testing.T) {
	t.Parallel()
	tables, seen := newFrameTables(), map[activity]bool{}
	for _, file := range []string{"seen", "made"} {
		for _, a := range readArchive(t, "testdata/stacks/"+file+".txtar") {
			want, text, _ := strings.Cut(strings.TrimLeft(a.text, "\n"), "\n")
			k := readThread(text)
			s := tables.sight(&k)
			seen[s.does] = true
			if got := "want " + describe(&s); got != want {
				t.Errorf("%s/%s: %s\n%s", file, a.name, want, got)
			}
		}
	}
	for a := range activityCount {
		if !seen[a] {
			t.Errorf("no thread is seen that %s", a.said())
		}
	}
}

func describe(s *sighting) string {
	out := []string{s.does.said()}
	if s.depth >= 0 {
		out = append(out, fmt.Sprintf("depth %d", s.depth))
	}
	if s.place.Class != "" {
		out = append(out, fmt.Sprintf("at %s:%d", call(s.place), s.place.Line))
	}
	for word, is := range map[string]bool{"timer": s.timer, "snapshot": s.snapshot, "in state": s.inState} {
		if is {
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}
