package tui

import (
	"fmt"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// bigJob is a job of n vertices with many sources, forks, joins and lines of victims, whose culprit is the
// join at half of them: what leads there is held back, what follows is starved, all else keeps up.
func bigJob(n int) *diagnose.Observation {
	const line = 6 // vertices from a source to the join with the line before
	culprit := min(n/2/line*line+line-1, n-1)
	var edges [][2]int
	for i := range n {
		switch place := i % line; {
		case place > 0:
			edges = append(edges, [2]int{i - 1, i})
			if place == line-1 && i >= 2*line {
				edges = append(edges, [2]int{i - line, i})
			}
		case i%(2*line) == line: // every other line begins as a fork of the one before
			edges = append(edges, [2]int{i - line + 1, i})
		}
	}
	roles := make([]diagnose.Role, n)
	mark := func(role diagnose.Role, from, to int) {
		reached := map[int]bool{culprit: true}
		for range n {
			for _, e := range edges {
				if reached[e[to]] && !reached[e[from]] {
					reached[e[from]], roles[e[from]] = true, role
				}
			}
		}
	}
	mark(diagnose.RoleStarved, 1, 0)
	mark(diagnose.RoleHeldBack, 0, 1)
	roles[culprit] = diagnose.RoleCulprit
	words := []string{"Source: orders", "parse", "filter late", "enrich", "keyBy-window", "join"}
	nodes := make([]node, n)
	for i := range nodes {
		x := node{
			name: fmt.Sprintf("%s %d", words[i%line], i), parallelism: 1 + i%8, busy: 0.2 + float64(i%7)/20, idle: 0.5,
			in: 1200, out: 1100, role: roles[i], why: "it keeps up",
		}
		switch roles[i] {
		case diagnose.RoleHeldBack:
			x.busy, x.back, x.idle, x.why = 0.05, 0.95, 0, "a slower operator below holds it back"
		case diagnose.RoleStarved:
			x.busy, x.idle, x.why = 0.04, 0.96, "it waits for records: idle 96 %"
		case diagnose.RoleCulprit:
			x.name, x.busy, x.idle, x.why = "sessionize", 1, 0, "it is busy by itself and holds others back"
		default:
			x.role = diagnose.RoleFine
		}
		nodes[i] = x
	}
	obs := observe("clicks-to-everything", nodes, edges)
	rep := obs.Report
	c := slowSinkCulprit()
	c.Vertex, c.Victims, c.RunnersUp = rep.Vertices[culprit].Vertex, nil, nil
	rep.Culprits = []diagnose.Culprit{c}
	rep.Severity, rep.Headline = diagnose.Warning, "sessionize holds the job back: it computes all the time"
	obs.Trend = trend(3*60e9, flinkapi.VertexID(c.Vertex.ID))
	return obs
}
