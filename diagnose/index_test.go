package diagnose

import (
	"context"
	"io"
	"testing"
	"time"

	"culprit/flinkapi"
)

// lostCluster is a recording of a cluster that never answered.
type lostCluster struct{ looks, next int }

type lookMark int

func (m lookMark) Look() int { return int(m) }

func (s *lostCluster) Next(context.Context, flinkapi.Focus) (*flinkapi.Snapshot, error) {
	if s.next == s.looks {
		return nil, io.EOF
	}
	s.next++
	return nil, &flinkapi.Error{Op: "read the job", Kind: flinkapi.KindUnreachable}
}

func (s *lostCluster) Wait() time.Duration          { return 0 }
func (s *lostCluster) Len() int                     { return s.looks }
func (s *lostCluster) Position() int                { return s.next }
func (s *lostCluster) Speed() float64               { return 1 }
func (s *lostCluster) SetSpeed(float64)             {}
func (s *lostCluster) Mark() flinkapi.Mark          { return lookMark(s.next) }
func (s *lostCluster) Seek(i int) error             { s.next = i; return nil }
func (s *lostCluster) Return(m flinkapi.Mark) error { s.next = m.Look(); return nil }

// However long a recording is, no more places are remembered than may be, and each moment has one near it.
func TestPlacesOfALongRecordingAreBounded(t *testing.T) {
	t.Parallel()
	const looks = 5 * mostPlaces * looksBetween
	x := NewIndex(&lostCluster{looks: looks}, DefaultOptions(), nil)
	for more := true; more; {
		var err error
		if more, err = x.Ahead(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		if len(x.places) >= mostPlaces {
			t.Fatalf("%d places are remembered", len(x.places))
		}
	}
	for i, p := range x.places {
		if p.mark.Look() != i*x.every {
			t.Fatalf("place %d of %d is look %d, want %d", i, len(x.places), p.mark.Look(), i*x.every)
		}
	}
	if last := x.places[len(x.places)-1].mark.Look(); looks-last > x.every || x.every > 8*looksBetween {
		t.Errorf("the last place is look %d of %d, and they lie %d looks apart", last, looks, x.every)
	}
	shown := &lostCluster{looks: looks}
	if _, err := x.Seek(t.Context(), NewMonitor(shown, DefaultOptions()), 12_345, Ask{}); err == nil ||
		shown.next != 12_346 {
		t.Errorf("the seek ends with %v before look %d, not with the failure that was recorded", err, shown.next)
	}
}
