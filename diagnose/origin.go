package diagnose

import (
	"slices"

	"culprit/flinkapi"
)

// origin is what decides which subtask of a vertex gets a record: the edges above its FORWARD edges, which
// only hand on.
type origin struct {
	// keyed is the vertex that such an edge reaches by key, -1 for none. Its key groups count.
	keyed int
	// source is a source that it reads from by FORWARD edges only, or is itself; -1 for none.
	source int
	// spreads are the ship strategies of all those edges, each once.
	spreads []flinkapi.ShipStrategy
}

func (c *Case) origin(v int) origin {
	out := origin{keyed: -1, source: -1}
	c.trace(v, &out, make([]bool, len(c.g.ids)))
	return out
}

func (c *Case) trace(v int, out *origin, seen []bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	if len(c.g.in[v]) == 0 {
		out.source = v
	}
	for _, u := range c.g.in[v] {
		ship := c.g.ship[[2]int{u, v}]
		if ship == flinkapi.ShipForward {
			c.trace(u, out, seen)
			continue
		}
		if ship == flinkapi.ShipHash {
			out.keyed = v
		}
		if !slices.Contains(out.spreads, ship) {
			out.spreads = append(out.spreads, ship)
		}
	}
}

// anySubtask tells whether a record that reaches v may go to any of its subtasks, so that a sender could skip
// a slow one.
func (c *Case) anySubtask(v int) bool {
	return slices.ContainsFunc(c.g.in[v], func(u int) bool {
		ship := c.g.ship[[2]int{u, v}]
		return ship == flinkapi.ShipRebalance || ship == flinkapi.ShipRescale
	})
}

// keyed tells whether records reach v by key.
func (c *Case) keyed(v int) bool {
	return slices.ContainsFunc(c.g.in[v], func(u int) bool {
		return c.g.ship[[2]int{u, v}] == flinkapi.ShipHash
	})
}
