package sim

import "time"

// The turn of a story: a scenario is described as it is while things go wrong, and these put a healthy time
// before it.

// usualTurn is when a story goes wrong, after the start of the cluster.
const usualTurn = 5 * time.Minute

// first makes a vertex need so many microseconds for a record until the turn.
func (s Scenario) first(vertex int, micros float64) Scenario {
	v := &s.Config.Jobs[0].Vertices[vertex]
	s = s.turns(Change{Vertex: vertex, Service: v.Service})
	v.Service = perRecord(micros)
	return s
}

// firstKeys makes an edge carry other keys until the turn.
func (s Scenario) firstKeys(edge int, keys Keys) Scenario {
	e := &s.Config.Jobs[0].Edges[edge]
	now := e.Keys
	s = s.turns(Change{Vertex: e.To, Keys: &now})
	e.Keys = keys
	return s
}

// firstSupply gives the source at the first position another supply until the turn.
func (s Scenario) firstSupply(source Source) Scenario {
	v := &s.Config.Jobs[0].Vertices[0]
	s = s.turns(Change{Source: v.Source})
	v.Source = &source
	return s
}

// firstHost makes a TaskManager like another one until the turn.
func (s Scenario) firstHost(at int, tm TaskManager) Scenario {
	now := s.Config.TaskManagers[at]
	s = s.turns(Change{Host: &Host{
		TaskManager: at, Slowdown: now.Slowdown, GC: now.GC, HeapUsed: now.HeapUsed, Upload: now.Upload,
	}})
	s.Config.TaskManagers[at] = tm
	return s
}

// firstFactors makes the instances of a vertex differ in other ways until the turn; nil makes them alike.
func (s Scenario) firstFactors(vertex int, factors []float64) Scenario {
	v := &s.Config.Jobs[0].Vertices[vertex]
	s = s.turns(Change{Vertex: vertex, Factors: v.Factors})
	v.Factors = factors
	return s
}

// turns makes changes at the turn.
func (s Scenario) turns(changes ...Change) Scenario {
	for _, change := range changes {
		change.At = usualTurn
		s.Config.Jobs[0].Changes = append(s.Config.Jobs[0].Changes, change)
	}
	return s
}
