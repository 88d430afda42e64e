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

// A secret in an operator's name or in quotes of HTML is hidden, and what Flink wrote around it stays.
func TestASecretEndsWhereFlinkGoesOn(t *testing.T) {
	t.Parallel()
	r := newReducer(nil, false)
	for _, c := range []struct {
		kind       kind
		text, want string
	}{
		{metric, "Sink_password=hunter2.pendingRecords", "Sink_password=***.pendingRecords"},
		{metric, "Sink_jdbc_x_//u_hunter2@h/x.pendingRecords", "Sink_jdbc_x_//***@h/x.pendingRecords"},
		{thread, "Sink cookie=hunter2 (1/2)#0", "Sink cookie=*** (1/2)#0"},
		{described, "Sink(&quot;password&quot; = &quot;hunter 2&quot;)", `Sink("password" = ***)`},
	} {
		if got := r.text(c.kind, c.text); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
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
