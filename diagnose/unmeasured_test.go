package diagnose

import (
	"strings"
	"testing"
	"time"
)

// A busy time that is not a number is unknown: the operator is neither named nor called not busy enough.
func TestABusyTimeThatIsNoNumberIsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 -> mid\nmid 98/0 -> sink\nsink 5/0")
	for _, k := range w.part("mid").tasks {
		k.legacy = true
	}
	w.watch(time.Minute)
	got := w.report.Headline
	if !strings.Contains(got, "how busy mid is, is not known") || strings.Contains(got, "busy enough") ||
		w.report.Severity != UnknownSeverity {
		t.Errorf("%s: %s", w.report.Severity, got)
	}
}
