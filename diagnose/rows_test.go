package diagnose

import (
	"fmt"
	"strings"
	"testing"
)

const rows = "testdata/rows.txtar"

func TestRows(t *testing.T) {
	t.Parallel()
	runArchives(t, rows)
}

// Every edge case of rung 1 has a story, by its number.
func TestEveryRowHasAStory(t *testing.T) {
	t.Parallel()
	const most = 50
	told := map[string]bool{}
	for _, a := range readArchive(t, rows) {
		number, what, found := strings.Cut(a.name, ": ")
		if !found || what == "" {
			t.Errorf("%q does not tell its row", a.name)
		}
		told[number] = true
	}
	for row := 1; row <= most; row++ {
		if name := fmt.Sprintf("row %02d", row); !told[name] {
			t.Errorf("no story of %s", name)
		}
	}
	if len(told) != most {
		t.Errorf("%d rows", len(told))
	}
}
