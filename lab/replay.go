package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Replay is how the recordings of checks were told anew.
type Replay struct {
	// Checks is how many recordings were replayed; Same is how many of them gave the answer that was given
	// live, to the last number.
	Checks int `json:"checks"`
	Same   int `json:"same"`
	// Difference is the first that there was; empty for none.
	Difference string `json:"difference,omitempty"`
}

// replayOf is the replay of one recording.
func replayOf(difference string) *Replay {
	r := &Replay{Checks: 1, Difference: difference}
	if difference == "" {
		r.Same = 1
	}
	return r
}

// plus joins the replays of several checks; nil is none.
func (r *Replay) plus(more *Replay) *Replay {
	if r == nil || more == nil {
		if r == nil {
			return more
		}
		return r
	}
	out := Replay{Checks: r.Checks + more.Checks, Same: r.Same + more.Same, Difference: r.Difference}
	if out.Difference == "" {
		out.Difference = more.Difference
	}
	return &out
}

// differs tells whether a recording told something else than was told live.
func (r *Replay) differs() bool { return r != nil && r.Same < r.Checks }

// String is a cell of the table.
func (r *Replay) String() string {
	switch {
	case r == nil:
		return "-"
	case r.differs():
		return fmt.Sprintf("DIFFERS in %d of %d: %s", r.Checks-r.Same, r.Checks, r.Difference)
	case r.Checks == 1:
		return "same"
	default:
		return fmt.Sprintf("same (%d checks)", r.Checks)
	}
}

// keepRecordings makes the folder of the recordings: that of the answers where those are kept, else one that
// remove deletes.
func (o *Options) keepRecordings() (remove func(), err error) {
	if o.Answers == "" {
		if o.records, err = os.MkdirTemp("", "culprit-lab-recordings-"); err != nil {
			return nil, fmt.Errorf("make a folder for the recordings: %w", err)
		}
		return func() { _ = os.RemoveAll(o.records) }, nil // the system clears its temporary folder anyway
	}
	o.records = filepath.Join(o.Answers, o.Version)
	if err = os.MkdirAll(o.records, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the recordings: %w", err)
	}
	return func() {}, nil
}

// record is the file into which a check of this name is recorded.
func (o Options) record(name string) string { return filepath.Join(o.records, name+".culprit") }

// recorded is the check, of which each call is recorded under the name and its number, and its replay is
// added to all.
func (o Options) recorded(name string, all **Replay) Check {
	if o.Check == nil {
		return nil
	}
	calls := 0
	return func(ctx context.Context, url, job string, watch Watch) (Verdict, error) {
		calls++
		watch.Record = o.record(fmt.Sprintf("%s-%d", name, calls))
		verdict, err := o.Check(ctx, url, job, watch)
		*all = (*all).plus(verdict.Replay)
		return verdict, err
	}
}

// replay asks for the verdict at the end of a recording and compares it with the live one; nil where nothing
// was recorded since nothing was answered. One that cannot be replayed differs.
func (b Binary) replay(ctx context.Context, file string, live said, more ...string) *Replay {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if live.unread() {
			return nil
		}
		return replayOf("there is no recording: " + strings.TrimSpace(string(live.complaints)))
	}
	args := append([]string{"check", "--replay", file, "--last", "--format", "json"}, more...)
	again, err := b.run(ctx, args...)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return replayOf(err.Error())
	case live.code != again.code:
		return replayOf(fmt.Sprintf("exit code: %d live, %d replayed", live.code, again.code))
	}
	text, err := difference(live.out, again.out)
	if err != nil {
		text = fmt.Sprintf("%v: %s%s", err, again.out, again.complaints)
	}
	return replayOf(text)
}

// unread tells whether the answer is that nothing could be read of the cluster.
func (s said) unread() bool {
	var report struct {
		Job, Jobs json.RawMessage
	}
	return json.Unmarshal(s.out, &report) == nil && string(report.Job) == "null" && report.Jobs == nil
}

// difference is the first one between two answers in JSON, by the path to it; empty for none.
func difference(live, again []byte) (string, error) {
	var a, b any
	if err := errors.Join(json.Unmarshal(live, &a), json.Unmarshal(again, &b)); err != nil {
		return "", fmt.Errorf("decode an answer of culprit check: %w", err)
	}
	return differ("", a, b), nil
}

// sinceStart are the two numbers of an answer that a recording cannot know to the last digit: they count from
// the start of the check, of which the recording knows the first look alone. startSlack is by how many
// seconds that may come later, on a busy machine.
func sinceStart() []string { return []string{"data.firstVerdictSeconds", "data.firmVerdictSeconds"} }

const startSlack = 0.5

func differ(path string, a, b any) string {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return differInFields(path, x, y)
		}
	case []any:
		if y, ok := b.([]any); ok {
			return differInElements(path, x, y)
		}
	case float64:
		y, ok := b.(float64)
		field := func(name string) bool { return path == name || strings.HasSuffix(path, "."+name) }
		if ok && slices.ContainsFunc(sinceStart(), field) && math.Abs(x-y) <= startSlack {
			return ""
		}
	}
	if a == b {
		return ""
	}
	return fmt.Sprintf("%s: %s live, %s replayed", path, shown(a), shown(b))
}

func differInFields(path string, a, b map[string]any) string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if text := differ(strings.TrimPrefix(path+"."+name, "."), a[name], b[name]); text != "" {
			return text
		}
	}
	return ""
}

func differInElements(path string, a, b []any) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%s: %d elements live, %d replayed", path, len(a), len(b))
	}
	for i := range a {
		if text := differ(fmt.Sprintf("%s[%d]", path, i), a[i], b[i]); text != "" {
			return text
		}
	}
	return ""
}

// shown is a value in few characters.
func shown(value any) string {
	const most = 120
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	if runes := []rune(string(text)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(text)
}
