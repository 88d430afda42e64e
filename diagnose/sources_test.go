package diagnose_test

import (
	"math"
	"testing"
	"time"

	"culprit/diagnose"
)

// A watermark that stood before anybody watched is told with all of that time, where the silent subtask says
// so.
func TestAHeldWatermarkReachesBackBeforeTheWatch(t *testing.T) {
	t.Parallel()
	var last *diagnose.Report
	reportsOver(t, "watermark-idle", time.Minute, func(r *diagnose.Report) { last = r })
	if last == nil || len(last.Sources) != 1 {
		t.Fatal("no source is told of")
	}
	s := &last.Sources[0]
	stood, known := s.WatermarkStood.Float()
	if silent := s.Silent.Or(0); !known || silent < 300 || math.Abs(stood-silent) > 1 {
		t.Errorf("it has stood for %g s, and a subtask has been silent for %g s", stood, silent)
	}
}
