package tape

import (
	"strings"
	"testing"

	"culprit/flinkapi"
)

// A hidden operator keeps each number that the diagnosis asks for: Flink's own name of it stays.
func TestAHiddenOperatorKeepsItsNumbers(t *testing.T) {
	t.Parallel()
	for _, s := range flinkapi.Signals() {
		own := s.Info().Metric
		r := newReducer(nil, true)
		if got := r.text(metric, "Source__orders."+own); got != "Source__x1."+own {
			t.Errorf("%s: %q", s, got)
		}
	}
}

// What an operator does is hidden from the first look on, before its name was read.
func TestADescriptionIsHiddenBeforeTheNames(t *testing.T) {
	t.Parallel()
	r := newReducer(nil, true)
	got := r.text(described, "jdbc-upsert<br/>+- warehouse: Writer<br/>password=hunter2")
	if strings.Contains(got, "warehouse") || strings.Contains(got, "hunter2") || !strings.Contains(got, "<br/>+- ") {
		t.Errorf("%q", got)
	}
}
