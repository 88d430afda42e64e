package diagnose

import (
	"strings"
	"testing"
)

func TestNextLimit(t *testing.T) {
	t.Parallel()
	runArchives(t, "testdata/next.txtar")
}

func TestTheTextSaysWhoIsNext(t *testing.T) {
	t.Parallel()
	w := runScript(t, "src 2/98 -> slow\nslow 99/0 -> join\njoin 70/0\n\nwatch 40s")
	if text := w.report.Text(); !strings.Contains(text, "next     join, at 1.43 times today's records\n") {
		t.Error(text)
	}
}
