package flinkapi

import (
	"maps"
	"slices"
)

// Fork returns a collector that knows what this one knows and goes on by itself, with another client and
// clock. What neither of the two writes again, such as a [Job], they share.
func (c *Collector) Fork(client *Client, clock Clock) *Collector {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Collector{
		client: client, clock: clock, interval: c.interval, signals: c.signals, settings: c.settings,
		cluster: c.cluster.fork(), jobs: forkAll(c.jobs, (*jobState).fork),
		fleet: forkAll(c.fleet, (*jobState).fork), seen: maps.Clone(c.seen),
		cost:     costs{slices.Clone(c.cost.marks)},
		dumps:    dumps{maps.Clone(c.dumps.last), slices.Clone(c.dumps.marks), maps.Clone(c.dumps.answered)},
		failures: c.failures, wait: c.wait,
	}
}

// forkAll copies a map with its values; nil stays nil.
func forkAll[K comparable, V any](all map[K]V, fork func(V) V) map[K]V {
	out := maps.Clone(all)
	for key, one := range out {
		out[key] = fork(one)
	}
	return out
}

func (s *clusterState) fork() clusterState {
	out := *s
	out.readings, out.problems = maps.Clone(s.readings), maps.Clone(s.problems)
	out.notOffered, out.gaps = maps.Clone(s.notOffered), slices.Clone(s.gaps)
	return out
}

func (s *jobState) fork() *jobState {
	out := *s
	out.vertices = forkAll(s.vertices, (*vertexState).fork)
	out.problems, out.counters = maps.Clone(s.problems), maps.Clone(s.counters)
	out.exceptions, out.byDump = slices.Clone(s.exceptions), slices.Clone(s.byDump)
	out.anatomy = forkAll(s.anatomy, func(a *checkpointAnatomy) *checkpointAnatomy {
		one := *a
		return &one
	})
	return &out
}

func (v *vertexState) fork() *vertexState {
	out := *v
	out.shares, out.gauges = maps.Clone(v.shares), maps.Clone(v.gauges)
	out.spread, out.operators = maps.Clone(v.spread), maps.Clone(v.operators)
	out.queries, out.parts = slices.Clone(v.queries), slices.Clone(v.parts)
	out.stacks.newest = slices.Clone(v.stacks.newest)
	out.coordinator.names = slices.Clone(v.coordinator.names)
	out.coordinator.operators = maps.Clone(v.coordinator.operators)
	return &out
}
