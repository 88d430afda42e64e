package diagnose

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/flinkapi"
)

func TestTrack(t *testing.T) {
	t.Parallel()
	runArchives(t, "testdata/track.txtar")
}

// seesaw is a job whose culprit changes, with slots that cannot be judged, until its slots are of every kind.
func seesaw(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "src 2/98 -> a, b\na 95/0\nb 80/0\nother 98/0")
	w.watch(70 * time.Second)
	for _, shares := range [][2]string{
		{"80/0", "99/0"}, {"-", "-"}, {"30/0", "97/0"}, {"97/0", "30/0"}, {"60/0", "62/0"},
	} {
		w.set("a", shares[0])
		w.set("b", shares[1])
		w.watch(30 * time.Second)
	}
	return w
}

// Seeking in a recording goes on from a state that was kept: a fold in two parts must equal one at once.
func TestTheFoldCanBeResumedAnywhere(t *testing.T) {
	t.Parallel()
	w := seesaw(t)
	limits, slots := w.engine.limits, w.slots()
	var states [][]standing
	var stands []standing
	for i := range slots {
		stands = follow(limits, stands, slots[:i+1])
		states = append(states, stands)
	}
	if diff := cmp.Diff(w.engine.stands, stands, standingOptions()); diff != "" {
		t.Errorf("the engine's state differs (-engine +fold):\n%s", diff)
	}
	for cut := range slots {
		resumed := states[cut]
		for i := cut + 1; i < len(slots); i++ {
			resumed = follow(limits, resumed, slots[:i+1])
		}
		if diff := cmp.Diff(stands, resumed, standingOptions()); diff != "" {
			t.Errorf("resumed after slot %d it differs (-whole +resumed):\n%s", cut, diff)
		}
	}
}

func standingOptions() cmp.Options {
	return cmp.Options{cmp.AllowUnexported(standing{}, candidate{})}
}

func TestTheFoldLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	w := seesaw(t)
	limits, slots := w.engine.limits, w.slots()
	var stands []standing
	for i := range slots {
		before := slices.Clone(stands)
		next := follow(limits, stands, slots[:i+1])
		if diff := cmp.Diff(before, stands, standingOptions()); diff != "" {
			t.Fatalf("slot %d changed the state that it was given:\n%s", i, diff)
		}
		stands = next
	}
}

// One that was never firm is not held up by being level with a rival.
func TestOnlyAnEstablishedCulpritIsHardToReplace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "src 2/98 -> a, b\na 97/0\nb 88/0")
	w.watch(20 * time.Second)
	w.set("a", "88/0")
	w.set("b", "97/0")
	w.watch(20 * time.Second)
	var stood []string
	for _, s := range w.engine.stands {
		stood = append(stood, string(s.id))
	}
	if !slices.Equal(stood, []string{"b"}) {
		t.Errorf("%v stand", stood)
	}
}

func TestConflict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		a, b candidate
		want bool
	}{
		{
			"they explain the same",
			candidate{vertex: 1, explains: []int{0}},
			candidate{vertex: 2, explains: []int{0, 3}},
			true,
		},
		{
			"they explain different ones",
			candidate{vertex: 1, explains: []int{0}},
			candidate{vertex: 2, explains: []int{3}},
			false,
		},
		{
			"a busy source and one below it",
			candidate{vertex: 0, source: true, feeds: []int{1, 2}},
			candidate{vertex: 2, explains: []int{0, 1}},
			true,
		},
		{
			"a busy source and one of another pipeline",
			candidate{vertex: 0, source: true, feeds: []int{1}},
			candidate{vertex: 3, explains: []int{2}},
			false,
		},
		{
			"two busy sources",
			candidate{vertex: 0, source: true, feeds: []int{2}},
			candidate{vertex: 1, source: true, feeds: []int{2}},
			false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := conflict(&c.a, &c.b); got != c.want {
				t.Errorf("got %v", got)
			}
			if got := conflict(&c.b, &c.a); got != c.want {
				t.Errorf("turned round: got %v", got)
			}
		})
	}
}

// The last hour and the events must speak of the culprit that the headline names.
func TestTheTrendNamesTheCulpritsInTheOrderOfTheReport(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "left 40/60 -> slow\nslow 99/0\nright 40/60 -> sluggish\nsluggish 99/0")
	w.watch(time.Minute)
	w.set("right", "2/98")
	w.watch(90 * time.Second)
	culprits := w.report.Culprits
	if len(culprits) != 2 || culprits[0].Vertex.Name != "sluggish" {
		t.Fatalf("culprits: got %v, want sluggish and slow", culprits)
	}
	others := []flinkapi.VertexID{culprits[1].Vertex.ID}
	for i, p := range w.engine.trend() {
		if p.Culprit != culprits[0].Vertex.ID || !slices.Equal(p.Others, others) {
			t.Errorf("point %d: got %q and %q, want %q first", i, p.Culprit, p.Others, culprits[0].Vertex.ID)
		}
	}
}
