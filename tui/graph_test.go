package tui

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/muesli/termenv"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/dag"
)

// The budget of a frame: 200x60 with 60 vertices. A frame in which nothing changed costs nothing.
func TestAFrameOfALargeJobKeepsToItsBudget(t *testing.T) {
	const most = 1000 // allocations
	m := mounted(t, bigJob(60), 200, 60, Look{Profile: termenv.TrueColor, Dark: true})
	m.View()
	if n := testing.AllocsPerRun(10, func() { m.draw() }); n > most {
		t.Errorf("%.0f allocations a frame, want %d at the most", n, most)
	}
	if n := testing.AllocsPerRun(10, func() { m.View() }); n > 0 {
		t.Errorf("%.0f allocations for a frame in which nothing changed", n)
	}
}

// Choosing a layout is bounded work, also where nothing fits.
func TestPlacingALargeJobIsBounded(t *testing.T) {
	const most = 500_000 // allocations, which the work goes with
	for _, size := range [][2]int{{40, 3}, {80, 8}, {200, 34}, {400, 120}} {
		sc := &scene{obs: bigJob(300)}
		sc.report = sc.obs.Report
		th := NewTheme(plainLook())
		place := func() { (&graphPane{}).need(sc, Rect{W: size[0], H: size[1]}, th) }
		if n := testing.AllocsPerRun(1, place); n > most {
			t.Errorf("%v: %.0f allocations, want %d at the most", size, n, most)
		}
	}
}

func TestNothingMovesWithTheNumbers(t *testing.T) {
	m := mounted(t, manyVertices(), 120, 36, plainLook())
	m.View()
	g, _ := m.panes[screenGraph].(*graphPane)
	before := g.placed.layout
	again := manyVertices()
	for i := range again.Report.Vertices {
		again.Report.Vertices[i].Busy = flinkapi.Known(0.123)
	}
	m.Update(obsMsg{gen: m.loop.gen, obs: again})
	m.View()
	if g.placed.layout != before {
		t.Error("other numbers gave another layout")
	}
}

func TestHit(t *testing.T) {
	for _, n := range []int{12, 60, 300} {
		for _, size := range [][2]int{{60, 12}, {120, 20}, {200, 34}} {
			sc := &scene{obs: bigJob(n)}
			sc.report = sc.obs.Report
			sc.selected = sc.vertices()[0].vertex.ID
			p, r, th := &graphPane{view: viewGraph}, Rect{X: 3, Y: 5, W: size[0], H: size[1]}, NewTheme(plainLook())
			p.need(sc, r, th)
			s := p.sheet(sc, r)
			for i, b := range p.placed.layout.Boxes {
				for _, at := range []dag.Point{{X: b.X, Y: b.Y}, {X: b.X + b.W - 1, Y: b.Y + b.H - 1}} {
					x, y := at.X-s.origin.X, at.Y-s.origin.Y
					got, ok := s.hit(p.placed.layout, x, y, 0)
					inside := x >= 0 && y >= 0 && x < s.w && y < s.h
					if ok != inside || ok && got != i {
						t.Fatalf("%d vertices, %v: cell %d,%d is box %d %v, want %d %v", n, size, x, y, got, ok, i, inside)
					}
				}
			}
		}
	}
}

func TestStrokesTellWhereDataStands(t *testing.T) {
	state := func(role diagnose.Role, in, out float64) diagnose.VertexState {
		return diagnose.VertexState{Role: role, RecordsIn: value(in), RecordsOut: value(out)}
	}
	held, culprit, fine := diagnose.RoleHeldBack, diagnose.RoleCulprit, diagnose.RoleFine
	for _, c := range []struct {
		name     string
		from, to diagnose.VertexState
		only     bool
		want     dag.Stroke
	}{
		{"into the culprit", state(held, 5, 5), state(culprit, 5, 5), false, dag.Heavy},
		{"into another victim", state(held, 5, 0), state(held, 0, 0), false, dag.Heavy},
		{"the other branch of a held back fork", state(held, 5, 5), state(fine, 5, 5), false, dag.Thin},
		{"the only output of a held back one", state(held, 5, 5), state(fine, 5, 5), true, dag.Heavy},
		{"out of the culprit", state(culprit, 5, 5), state(fine, 5, 5), true, dag.Thin},
		{"only the receiver tells", state(fine, 5, -1), state(fine, 5, 5), true, dag.Thin},
		{"nothing flows", state(fine, 5, 0), state(fine, 0, 0), true, dag.Dotted},
		{"nobody knows", state(diagnose.RoleUnknown, -1, -1), state(diagnose.RoleUnknown, -1, -1), true, dag.Dotted},
		{"has finished", state(diagnose.RoleFinished, 5, 5), state(fine, 5, 5), true, dag.Dotted},
	} {
		if got := strokeOf(c.from, c.to, c.only); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestItemize(t *testing.T) {
	links := []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 3, To: 2}, {From: 2, To: 4}}
	got := itemize(5, links, [][]int{{0, 1}, {2, 4}})
	want := []item{{[]int{0, 1}}, {[]int{2, 4}}, {[]int{3}}}
	if !slices.EqualFunc(got.items, want, func(a, b item) bool { return slices.Equal(a.members, b.members) }) {
		t.Errorf("items %v, want %v", got.items, want)
	}
	if edges := []dag.Edge{{From: 0, To: 1}, {From: 2, To: 1}}; !slices.Equal(got.edges, edges) {
		t.Errorf("edges %v, want %v", got.edges, edges)
	}
	if ends := []dag.Edge{{From: 1, To: 2}, {From: 3, To: 2}}; !slices.Equal(got.ends, ends) {
		t.Errorf("ends %v, want %v", got.ends, ends)
	}
	if of := []int{0, 0, 1, 2, 1}; !slices.Equal(got.of, of) {
		t.Errorf("vertices are in %v, want %v", got.of, of)
	}
}

// hostileJob is a large job whose names are hostile and whose edges go anywhere, in circles too.
func hostileJob(r *rand.Rand, n int) *diagnose.Observation {
	texts := hostile()
	roles := []diagnose.Role{
		diagnose.RoleCulprit, diagnose.RoleHeldBack, diagnose.RoleHeldBack, diagnose.RoleStarved,
		diagnose.RoleFine, diagnose.RoleUnknown,
	}
	nodes := make([]node, n)
	var edges [][2]int
	for i := range nodes {
		nodes[i] = node{
			name: texts[r.IntN(len(texts))], parallelism: r.IntN(3), busy: r.Float64(), back: r.Float64(),
			role: roles[r.IntN(len(roles))],
		}
		if i > 0 {
			edges = append(edges, [2]int{max(i-1-r.IntN(4), 0), i})
		}
		if r.IntN(6) == 0 {
			edges = append(edges, [2]int{i, r.IntN(n)})
		}
	}
	obs := observe(texts[r.IntN(len(texts))], nodes, edges)
	for i := range obs.Snapshot.Job.Vertices {
		obs.Snapshot.Job.Vertices[i].Description = texts[r.IntN(len(texts))] + "\n" + texts[r.IntN(len(texts))]
	}
	if n > 0 && r.IntN(3) > 0 {
		c := slowSinkCulprit()
		c.Vertex = obs.Report.Vertices[r.IntN(n)].Vertex
		obs.Report.Culprits = []diagnose.Culprit{c}
	}
	return obs
}

// Whatever the job, the size and the keys, a frame of the graph is exactly its size.
func TestGraphsAreExactWhateverTheJob(t *testing.T) {
	t.Parallel()
	keys := []string{
		"+", "-", "0", "v", "z", "f", "M", "H", "J", "K", "L", "shift+right", "n", "N", "d", "/", "a", "enter",
		"esc", "up", "down", "left", "right", "tab", "shift+tab", "g", "G",
	}
	rounds := 30
	if testing.Short() {
		rounds = 8
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		size := func() (int, int) { return 1 + r.IntN(400), 1 + r.IntN(150) }
		n := []int{0, 1, 2, 12, 60, 300}[seed%6]
		w, h := size()
		m := mounted(t, hostileJob(r, n), w, h, []Look{plainLook(), {Profile: termenv.Ascii, ASCII: true}}[seed%2])
		m.opts.Mouse = true
		sized(t, m.View(), w, h)
		for range 16 {
			press(m, keys[r.IntN(len(keys))])
			m.click(r.IntN(w), r.IntN(h))
			sized(t, m.View(), w, h)
			switch r.IntN(6) {
			case 0:
				w, h = size()
				m.w, m.h = w, h
			case 1:
				n = r.IntN(40)
				m.Update(obsMsg{gen: m.loop.gen, obs: hostileJob(r, n)})
			}
			sized(t, m.View(), w, h)
		}
	}
}

// A vertex that is selected stays selected, wherever a new layout puts it.
func TestSelectionFollowsTheVertex(t *testing.T) {
	m := mounted(t, bigJob(60), 200, 60, plainLook())
	press(m, "left", "left")
	was := m.scene().selected
	for _, keys := range [][]string{{"+"}, {"-", "-"}, {"z"}, {"v"}, {"0"}} {
		press(m, keys...)
		m.w -= 10
		m.View()
		if now := m.scene().selected; now != was {
			t.Fatalf("after %v %s is selected, want %s", keys, now, was)
		}
	}
	grown := bigJob(72)

	m.Update(obsMsg{gen: m.loop.gen, obs: grown})
	m.View()
	if now := m.scene().selected; now != was {
		t.Errorf("in a larger job %s is selected, want %s", now, was)
	}
}
