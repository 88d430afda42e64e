package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDifferenceIsTheFirst(t *testing.T) {
	const live = `{"firm": true, "culprits": [{"evidence": [{"value": 0.93, "note": "a"}, {"value": null}]}],
		"data": {"requests": 12, "firmVerdictSeconds": 31.2}}`
	tests := map[string]struct{ old, new, want string }{
		"none":        {"", "", ""},
		"a number":    {"0.93", "0.930001", "culprits[0].evidence[0].value: 0.93 live, 0.930001 replayed"},
		"an unknown":  {"null", "0", "culprits[0].evidence[1].value: null live, 0 replayed"},
		"a word":      {`"a"`, `"b"`, `culprits[0].evidence[0].note: "a" live, "b" replayed`},
		"a flag":      {"true", "false", "firm: true live, false replayed"},
		"a count":     {`, {"value": null}`, "", "culprits[0].evidence: 2 elements live, 1 replayed"},
		"a field":     {`"requests": 12, `, "", "data.requests: 12 live, null replayed"},
		"some ms":     {"31.2", "31.203", ""},
		"many ms":     {"31.2", "32.2", "data.firmVerdictSeconds: 31.2 live, 32.2 replayed"},
		"never firm":  {"31.2", "null", "data.firmVerdictSeconds: 31.2 live, null replayed"},
		"other shape": {`"culprits": [`, `"culprits": 1, "more": [`, "culprits: [{"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := difference([]byte(live), []byte(strings.Replace(live, tc.old, tc.new, 1)))
			if err != nil || got != tc.want && !(name == "other shape" && strings.HasPrefix(got, tc.want)) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	if _, err := difference([]byte("{}"), []byte("panic: no")); err == nil {
		t.Error("what is no JSON was compared")
	}
}

func TestReplaysAddUp(t *testing.T) {
	var all *Replay
	for _, difference := range []string{"", "firm", "", "severity"} {
		all = all.plus(replayOf(difference)).plus(nil)
	}
	if diff := cmp.Diff(&Replay{Checks: 4, Same: 2, Difference: "firm"}, all); diff != "" || !all.differs() {
		t.Error(diff)
	}
	cells := map[string]*Replay{
		"-": nil, "same": replayOf(""), "same (2 checks)": replayOf("").plus(replayOf("")),
		"DIFFERS in 2 of 4: firm": all,
	}
	for want, r := range cells {
		if got := r.String(); got != want {
			t.Errorf("%+v is shown as %q, not %q", r, got, want)
		}
	}
}

// The real program is recorded and replayed, with the flags that the lab gives it.
func TestCulpritReplaysWhatItSaid(t *testing.T) {
	t.Chdir("..")
	dir := t.TempDir()
	binary := Binary(filepath.Join(dir, "culprit"))
	if err := Build(t.Context(), string(binary)); err != nil {
		t.Fatal(err)
	}
	for demo, job := range map[string]string{"hot-key": "customer-totals", "fleet": ""} {
		file := filepath.Join(dir, demo)
		live, err := binary.run(t.Context(), "check", "--demo", demo, "--format", "json", "--record", file)
		if err != nil {
			t.Fatal(err)
		}
		var more []string
		if job != "" {
			more = []string{"--job", job}
		}
		if got := binary.replay(t.Context(), file, live, more...); got.String() != "same" {
			t.Errorf("%s: %v", demo, got)
		}
		changes := map[string]string{`"requests": `: `"requests": 1`, `"firm": true`: `"firm": false`}
		for old, changed := range changes {
			other := live
			other.out = []byte(strings.Replace(string(live.out), old, changed, 1))
			if got := binary.replay(t.Context(), file, other, more...); !got.differs() {
				t.Errorf("%s: another %s is the same", demo, old)
			}
		}
		other := live
		other.code++
		if got := binary.replay(t.Context(), file, other, more...); !got.differs() {
			t.Errorf("%s: another exit code is the same", demo)
		}
		if got := binary.replay(t.Context(), file+"-missing", live, more...); !got.differs() {
			t.Errorf("%s: a recording that is missing is the same", demo)
		}
	}
}

// A check that no cluster answers leaves no recording, which is no difference.
func TestNothingIsReplayedOfAClusterThatIsNotThere(t *testing.T) {
	t.Chdir("..")
	dir := t.TempDir()
	binary := Binary(filepath.Join(dir, "culprit"))
	if err := Build(t.Context(), string(binary)); err != nil {
		t.Fatal(err)
	}
	watch := Watch{Most: time.Second, Record: filepath.Join(dir, "a.culprit")}
	if err := os.WriteFile(watch.Record, []byte("of an earlier run"), 0o644); err != nil {
		t.Fatal(err)
	}
	verdict, err := binary.Check(t.Context(), "http://127.0.0.1:1", "j", watch)
	if err != nil || verdict.Exit != 3 || verdict.Replay != nil {
		t.Errorf("%+v, %v", verdict, err)
	}
}
