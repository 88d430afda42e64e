package tui

import (
	"slices"
	"testing"

	"culprit/diagnose"
)

// A restart that is over is told on the panel of a job that runs again, without the colour of a warning.
func TestThePanelTellsOfARestartThatIsOver(t *testing.T) {
	t.Parallel()
	th := NewTheme(plainLook())
	rep := &diagnose.Report{Also: []diagnose.Finding{
		{Rule: "restarted", Severity: diagnose.OK, Summary: "restarted 3 min ago: IOException: disk full"},
		{
			Rule: "late-data", Severity: diagnose.OK, Summary: "a remark",
			Remedies: []diagnose.Remedy{{Do: "do this"}, {Do: "or that"}},
		},
		{Rule: "late-data", Severity: diagnose.OK, Summary: "the culprit's doing", Consequence: true},
		{Rule: "late-data", Severity: diagnose.Warning, Summary: "a risk"},
	}}
	got := alsoItems(rep, th)
	var said []string
	for _, item := range got {
		said = append(said, item.label+" "+item.text)
	}
	want := []string{"also restarted 3 min ago: IOException: disk full", "also a remark", "tip do this", "risk "}
	if !slices.Equal(said, want) {
		t.Errorf("the panel has %q", said)
	}
}
