package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// The change of the checkpoints' durations is what was seen of it, and none where they vary by more.
func TestTheTrendOfCheckpointsIsNoMoreThanWasSeen(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		slope  float64 // seconds an hour
		over   time.Duration
		climbs bool
		want   string
	}{
		"0.1 s cannot fall by a second": {-1.1, 3 * time.Minute, false, "steady, over 10"},
		"within what they vary by":      {90, 5 * time.Minute, false, "none beyond what they vary by, over 10"},
		"it climbs":                     {90, 20 * time.Minute, true, "30 s longer, over 10"},
		"it falls":                      {-90, 20 * time.Minute, false, "30 s shorter, over 10"},
	} {
		got := trendText(&diagnose.CheckpointTrend{
			Count: 10, Least: 5, Over: tc.over, Slope: flinkapi.Known(tc.slope / 3600), Climbs: tc.climbs,
		})
		if !strings.HasPrefix(got, tc.want) || strings.Contains(got, "an hour") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A checkpoint that was never triggered counts as failed and has no row: it is no warning.
func TestACheckpointThatWasNotTriggeredIsNoWarning(t *testing.T) {
	t.Parallel()
	done := flinkapi.Checkpoint{Status: flinkapi.CheckpointCompleted}
	cp := &flinkapi.Checkpoints{Failed: 1, History: []flinkapi.Checkpoint{done, done}}
	if got := failedCheckpoints(cp)[0]; got.tone != toneDim || got.text != "1 failed before the last 2" {
		t.Errorf("only not triggered: %+v", got)
	}
	cp.History[0].Status = flinkapi.CheckpointFailed
	if got := failedCheckpoints(cp)[0]; got.tone != toneWarn || got.text != "1 failed" {
		t.Errorf("failed: %+v", got)
	}
}

// The evidence begins with what the banner says, and says it once.
func TestTheEvidenceBeginsWithWhatTheBannerSays(t *testing.T) {
	t.Parallel()
	p := &paper{w: 100, th: NewTheme(plainLook())}
	evidenceText(&scene{report: &diagnose.Report{
		State: &diagnose.Finding{Rule: "healthy", Title: "nothing holds the job back", Severity: diagnose.OK},
		Also: []diagnose.Finding{{
			Rule: "watermark-held", Title: "a watermark is held", Severity: diagnose.Warning, Summary: "held by src",
		}},
	}}, p)
	text := ""
	for _, row := range p.rows {
		text += ansi.Strip(row) + "\n"
	}
	held, well := strings.Index(text, "a watermark is held"), strings.Index(text, "nothing holds the job back")
	if held < 0 || well < held || strings.Contains(text, "beside it") {
		t.Errorf("the evidence is\n%s", text)
	}
}
