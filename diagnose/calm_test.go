package diagnose

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// noisy is a healthy job of a source, two operators and a sink, each with two subtasks.
const noisy = "src 8/0*2 -> parse\nparse 25/0*2 => windows\nwindows 40/0*2 -> sink\nsink 15/0*2"

// A healthy job is watched for a day: shares that scatter, windows that fire, collections of garbage that
// stop a TaskManager for a second or two, checkpoints whose blocking part holds the next operator up. Nobody
// may be named, and no look may warn.
func TestAHealthyDayPassesWithoutAWord(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	if testing.Short() {
		day = 2 * time.Hour
	}
	rng := rand.New(rand.NewPCG(7, 7))
	w := newWorld(t, noisy)
	w.engine = newEngine(DefaultOptions(), Rules())
	normal := map[string]float64{"src": 8, "parse": 25, "windows": 40, "sink": 15}
	names := []string{"src", "parse", "windows", "sink"}
	for at := time.Duration(0); at < day; at += w.fetch {
		burst := at%(2*time.Minute) == 0
		checkpoint := at%time.Minute == 30*time.Second
		collects := rng.IntN(30) == 0
		for i, name := range names {
			shares := make([]string, 2)
			for k := range shares {
				busy, pressed := normal[name]+8*rng.NormFloat64(), 3*rng.Float64()
				switch {
				case name == "windows" && burst:
					busy += 25
				case i < 2 && burst, i == 2 && checkpoint:
					pressed += 15 * rng.Float64()
				case collects:
					busy += 10 + 10*rng.Float64()
				}
				busy = min(max(busy, 0), 100-pressed)
				shares[k] = fmt.Sprintf("%.2f/%.2f", busy, pressed)
			}
			w.set(name, shares...)
		}
		w.look(w.fetch)
		if r := w.report; len(r.Culprits) > 0 || r.Severity == Warning || r.Severity == Critical {
			t.Fatalf("after %s: %s", at, r.Text())
		}
	}
}

// looksPerSwing of 10 s make one swing.
const looksPerSwing = 3

// The load of a job swings every 30 s for an hour. The headline may change with each swing while it is not
// yet clear that they come back, and not at all from then on.
func TestALoadThatSwingsDoesNotFlap(t *testing.T) {
	t.Parallel()
	const learned = 10
	for name, loads := range map[string][2]map[string]string{
		"on and off": {
			{"src": "2/98", "slow": "99/0", "sink": "8/0"},
			{"src": "20/0", "slow": "30/0", "sink": "3/0"},
		},
		"from one to the other": {
			{"src": "2/98", "slow": "99/0", "sink": "8/0"},
			{"src": "2/98", "slow": "3/97", "sink": "100/0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := swinging(t, loads)
			changes, late := 0, map[string]bool{}
			for i, who := range said {
				if i > 0 && who != said[i-1] {
					changes++
				}
				if i > learned*looksPerSwing {
					late[who] = true
				}
			}
			if changes > learned || len(late) > 1 {
				t.Errorf("%d changes; after %d swings it said %v", changes, learned, late)
			}
		})
	}
}

// swinging is whom each look names while the load swings between two states.
func swinging(t *testing.T, loads [2]map[string]string) []string {
	t.Helper()
	const swings = 120
	w := newWorld(t, "src 2/98 -> slow\nslow 99/0 -> sink\nsink 8/0")
	var said []string
	for i := range swings {
		for vertex, share := range loads[i%2] {
			w.set(vertex, share)
		}
		for range looksPerSwing {
			w.look(w.fetch)
			said = append(said, w.who())
		}
	}
	return said
}

// who is whom the newest report names, or the state.
func (w *world) who() string {
	if w.report.State != nil {
		return w.report.State.Rule
	}
	out := ""
	for _, x := range w.report.Culprits {
		out += x.Vertex.Name + " "
	}
	return out
}
