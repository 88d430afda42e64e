package diagnose

import (
	"maps"
	"slices"

	"culprit/flinkapi"
)

// fork returns a monitor that knows what this one knows and goes on by itself, on a source of its own. What
// neither of the two writes again, such as a [Report], they share.
func (m *Monitor) fork(source flinkapi.Source) *Monitor {
	out := *m
	out.source = source
	out.jobs, out.fleet = forkAll(m.jobs, (*jobWatch).fork), forkAll(m.fleet, (*fleetWatch).fork)
	out.changes = maps.Clone(m.changes)
	return &out
}

// forkAll copies a map with its values; nil stays nil.
func forkAll[K comparable, V any](all map[K]V, fork func(V) V) map[K]V {
	out := maps.Clone(all)
	for key, one := range out {
		out[key] = fork(one)
	}
	return out
}

func (w *jobWatch) fork() *jobWatch { return &jobWatch{w.engine.fork(), w.report, w.looked, w.lag} }

func (w *fleetWatch) fork() *fleetWatch {
	out := *w
	if w.past != nil {
		out.past = w.past.fork()
	}
	return &out
}

func (e *engine) fork() *engine {
	out := *e
	out.w, out.g = e.w.fork(), e.g.fork()
	out.stands, out.shown = slices.Clone(e.stands), slices.Clone(e.shown)
	out.order = ranking{slices.Clone(e.order.ids), e.order.fixed, maps.Clone(e.order.since)}
	out.told, out.sampling = maps.Clone(e.told), maps.Clone(e.sampling)
	out.grew, out.spared = maps.Clone(e.grew), slices.Clone(e.spared)
	out.phrases = phrases{} // made anew as they are said
	return &out
}

// fork leaves out what is found again when it is asked for.
func (g *graph) fork() *graph {
	if g == nil {
		return nil
	}
	return &graph{
		ids: g.ids, out: g.out, in: g.in, ship: g.ship, edges: g.edges,
		up: make([][]bool, len(g.up)), down: make([][]bool, len(g.down)),
	}
}

func (w *window) fork() *window {
	out := *w
	out.shape, out.spare = forkAll(w.shape, slices.Clone[[]int]), nil
	out.before = maps.Clone(w.before)
	out.readings = forkAll(w.readings, slices.Clone[[]reading])
	// Of these the past is never written again, so that it can be shared; what comes goes elsewhere.
	out.cpu = forkAll(w.cpu, slices.Clip[[]cpuReading])
	out.series = forkAll(w.series, slices.Clip[[]spreadReading])
	out.workers = forkAll(w.workers, slices.Clip[[]workerReading])
	out.stacks = forkAll(w.stacks, slices.Clip[[]stackReading])
	out.checkpoints, out.exceptions = slices.Clone(w.checkpoints), slices.Clone(w.exceptions)
	out.slots, out.loads = slices.Clone(w.slots), slices.Clone(w.loads)
	out.tallies, out.courses = forkList(w.tallies), forkList(w.courses)
	out.scratch = nil
	out.restarts, out.counts = slices.Clone(w.restarts), slices.Clone(w.counts)
	out.rescales = slices.Clone(w.rescales)
	if w.attempt != nil {
		highest := *w.attempt
		out.attempt = &highest
	}
	return &out
}

// forkList copies a list of lists; nil stays nil.
func forkList[T any](all [][]T) [][]T {
	out := slices.Clone(all)
	for i := range out {
		out[i] = slices.Clone(out[i])
	}
	return out
}
