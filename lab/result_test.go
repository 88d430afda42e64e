package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() []Result {
	first, firm := 0.412, 40.26
	return []Result{
		{
			Version: "2.3.0", Scenario: "slow-sink", Expected: "warehouse: slow-sink", Seen: "warehouse: slow-sink",
			First: &first, Firm: &firm, Tries: 1, OK: true, Replay: &Replay{Checks: 1, Same: 1},
		},
		{Version: "1.20.5", Scenario: "failed", Expected: "nobody: failed", Seen: "a|b: gc", Tries: 2},
	}
}

func TestTable(t *testing.T) {
	const want = `flink   scenario   expected              seen                  first    firm    tries  ok     replay
2.3.0   slow-sink  warehouse: slow-sink  warehouse: slow-sink  0.412 s  40.3 s  1      ok     same
1.20.5  failed     nobody: failed        a|b: gc               -        -       2      WRONG  -
`
	if diff := cmp.Diff(want, Table(sample())); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	const want = `| flink | scenario | expected | seen | first | firm | tries | ok | replay |
|---|---|---|---|---|---|---|---|---|
| 2.3.0 | slow-sink | warehouse: slow-sink | warehouse: slow-sink | 0.412 s | 40.3 s | 1 | ok | same |
| 1.20.5 | failed | nobody: failed | a\|b: gc | - | - | 2 | WRONG | - |

2 lines, 1 of them tried twice.
`
	if diff := cmp.Diff(want, Markdown(sample())); diff != "" {
		t.Error(diff)
	}
}

func TestAllOKNeedsResults(t *testing.T) {
	if AllOK(nil) || AllOK(sample()) || !AllOK(sample()[:1]) {
		t.Error("no result, or a wrong one, counts as right, or a right one as wrong")
	}
	other := sample()[:1]
	other[0].Replay = &Replay{Checks: 2, Same: 1, Difference: "firm: true live, false replayed"}
	if AllOK(other) {
		t.Error("a recording that tells another verdict counts as right")
	}
}

func TestWriteResultsGivesBothForms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := WriteResults(dir, sample()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "lab.json"))
	if err != nil {
		t.Fatal(err)
	}
	var read []Result
	if err = json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), read); diff != "" {
		t.Error(diff)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "lab.md")); err != nil || string(text) != Markdown(sample()) {
		t.Errorf("lab.md: %v\n%s", err, text)
	}
}
