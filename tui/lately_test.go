package tui

import (
	"testing"

	"culprit/diagnose"
)

// A restart that is over is told on the panel of a job that runs again, without the colour of a warning.
func TestThePanelTellsOfARestartThatIsOver(t *testing.T) {
	t.Parallel()
	th := NewTheme(plainLook())
	rep := &diagnose.Report{Also: []diagnose.Finding{
		{Rule: "restarted", Severity: diagnose.OK, Summary: "restarted 3 min ago: IOException: disk full"},
		{Rule: "late-data", Severity: diagnose.OK, Summary: "a remark"},
		{Rule: "late-data", Severity: diagnose.Warning, Summary: "a risk"},
	}}
	got := alsoItems(rep, th)
	if len(got) != 2 || got[0].label != "also" || got[0].text != rep.Also[0].Summary || got[1].label != "risk" {
		t.Errorf("the panel has %+v", got)
	}
}
