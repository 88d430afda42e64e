package tui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
)

// ward is the incident of a simulated cluster; err refuses a treatment.
type ward struct {
	cluster *sim.Cluster
	err     error
}

func (w *ward) Treatments() []Treatment {
	var out []Treatment
	for _, t := range w.cluster.Treatments() {
		out = append(out, Treatment{t.Name, t.Does()})
	}
	return out
}

func (w *ward) Apply(name string) (Applied, error) {
	for _, t := range w.cluster.Treatments() {
		if t.Name == name && w.err == nil {
			return Applied{name, t.Says, w.cluster.Now()}, w.cluster.Apply(t)
		}
	}
	return Applied{}, w.err
}

// A wrong treatment changes nothing, the right one cures: the screen tells what was applied, and when.
func TestTreatsAnIncident(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := sim.Lookup("slow-middle")
		sick := s.Cluster(flinkapi.WallClock())
		room := &ward{cluster: sick}
		p := playWith(t, Options{Monitor: watching(t, sick), Incident: room, Mode: "demo", Clock: flinkapi.WallClock}, 110, 34)
		time.Sleep(90 * time.Second)
		p.wants(p.settle(), "CULPRIT  enrich")
		screen := p.press("a")
		p.wants(screen, "apply a treatment now", "more-upstream", "Give parse eight instances instead of two")
		p.lacks(screen, "it only waits with more of them", "in vain", "the fix")
		p.lacks(p.press("esc"), "apply a treatment now")
		p.wants(p.press("a", "m", "o", "r", "e", "-", "u", "enter"), "applied more-upstream", "it only waits with more")
		time.Sleep(3 * time.Minute)
		p.wants(p.settle(), "CULPRIT  enrich", "│x8  ", "applied more-upstream 00:01:3")
		p.wants(p.press("a", "a", "s", "y", "n", "c", "enter"), "applied async-lookup")
		time.Sleep(8 * time.Minute)
		screen = p.settle()
		p.wants(screen, "HEALTHY", "applied async-lookup ")
		p.lacks(screen, "CULPRIT  enrich")
		p.wants(p.press("x"), "treatment", "applied more-upstream: Give parse", "applied async-lookup: Ask the service")
		room.err = errors.New("the job has ended")
		p.wants(p.press("a", "enter"), "not applied: the job has ended")
		p.quit("q")
	})
}

// Only a demo has the key, and a scenario without treatments says so.
func TestTreatsNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := play(t, always(t, slowSink), 100, 30)
		p.lacks(p.press("a"), "apply a treatment")
		p.lacks(p.press("?"), "choose a treatment")
		p.quit("q")
		s, _ := sim.Lookup("healthy")
		well := s.Cluster(flinkapi.WallClock())
		p = playWith(t, Options{Monitor: watching(t, well), Incident: &ward{cluster: well}}, 100, 30)
		time.Sleep(5 * time.Second)
		p.wants(p.press("a"), "there is nothing to treat in this scenario")
		p.quit("q")
	})
}

// What a treatment does is what one chooses by: none of it is cut, at any size.
func TestTreatmentsAreWhole(t *testing.T) {
	s, _ := sim.Lookup("uniform-parallelism")
	room := &ward{cluster: s.Cluster(start)}
	for _, size := range [][2]int{{40, 15}, {80, 24}} {
		m := mounted(t, slowSink(), size[0], size[1], plainLook())
		m.opts.Incident = room
		m.openTreatments()
		for _, want := range room.Treatments() {
			frame := m.View()
			for _, word := range strings.Fields(want.Does) {
				if !strings.Contains(frame, word) {
					t.Errorf("%v: no %q of %q on the screen:\n%s", size, word, want.Does, frame)
				}
			}
			m.paletteKey(keyNamed("down"))
		}
	}
}
