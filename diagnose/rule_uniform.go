package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi"
)

func uniformParallelismRule() Rule {
	return Rule{
		ID: "FD0602", Name: "uniform-parallelism", Title: "one parallelism for all operators, dear and cheap",
		Stage: StageHeadroom, Needs: roomSignals(), Check: checkUniformParallelism,
	}
}

func checkUniformParallelism(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	p, why := c.oneNumber()
	if why != "" {
		return notApplicable(why)
	}
	if len(c.stands) > 0 {
		return notApplicable("an operator holds the job back: what the load asks of the others is not seen")
	}
	if v, yes := c.worksOff(); yes {
		return c.busyByBacklog(v)
	}
	var all []load
	for v := range c.job.Vertices {
		if c.over(v) {
			continue
		}
		l, ok := c.load(v)
		if !ok || l.slots < c.limits.roomSlots {
			return cannotTell("how busy "+c.vertex(v).Name+" is was not measured for long enough",
				flinkapi.BusyTime.String())
		}
		all = append(all, l)
	}
	dear, cheap := &all[0], 0
	for i := range all {
		if all[i].mean > dear.mean {
			dear = &all[i]
		}
		if all[i].mean < c.limits.cheap {
			cheap++
		}
	}
	if dear.mean < c.limits.tight || 2*cheap < len(all)-1 || dear.uneven >= c.limits.unevenLoad {
		return fine()
	}
	return c.uniform(p, all, dear, cheap)
}

// oneNumber returns the parallelism that all vertices have, or why there is no such thing.
func (c *Case) oneNumber() (p int, why string) {
	n := 0
	for v := range c.job.Vertices {
		if c.over(v) {
			continue
		}
		if n++; n > 1 && c.vertex(v).Parallelism != p {
			return 0, "the operators have different parallelism"
		}
		p = c.vertex(v).Parallelism
	}
	switch {
	case n < c.limits.uniformLeast:
		return 0, "it has too few operators to compare"
	case p == 1:
		return 0, "its parallelism is 1"
	}
	return p, ""
}

// uniform is the finding, with a line for each vertex.
func (c *Case) uniform(p int, all []load, dear *load, cheap int) Finding {
	f := Finding{
		Verdict: Firing, Severity: OK, Subject: c.vertexSubject(dear.vertex),
		Summary: fmt.Sprintf("all %d operators have parallelism %d: %s is busy %s, %d others less than %s, %s",
			len(all), p, c.vertex(dear.vertex).Name, FormatRatio(flinkapi.Known(dear.mean)), cheap,
			FormatRatio(flinkapi.Known(c.limits.cheap)), spanText(dear.span)),
		Dont: []string{"a higher parallelism for all operators: most of the new subtasks would idle"},
	}
	wanted := map[int]int{}
	var changes []string
	for i := range all {
		l := &all[i]
		e := Evidence{
			Signal: "parallelism-asked-for", Label: fmt.Sprintf("subtasks that its load asks for, of %d", p),
			Subject: c.vertex(l.vertex).Name, Unit: flinkapi.Count, For: true, Age: c.age(),
			Note: "busy " + FormatRatio(flinkapi.Known(l.mean)),
		}
		if n, why := c.needOf(l); why == "" {
			e.Value = flinkapi.Known(float64(n.rounded))
		} else if l.mean < c.limits.leastLoad {
			e.Value = flinkapi.Known(float64(max(c.instances(l.mean*float64(p), 1), 1)))
		} else {
			e.Note += "; no number, because " + why
		}
		if asked, known := e.Value.Float(); known && int(asked) != p {
			wanted[l.vertex] = int(asked)
			change := fmt.Sprintf("%s %d -> %d", c.vertex(l.vertex).Name, p, int(asked))
			if l.vertex == dear.vertex {
				changes = slices.Insert(changes, 0, change)
			} else {
				changes = append(changes, change)
			}
		}
		f.Evidence = append(f.Evidence, e)
	}
	f.Remedies = []Remedy{c.withParallelism(Remedy{
		Do:   "give each operator the parallelism that its load asks for: " + firstOf(changes),
		Gain: "room where it is missing, fewer tasks, buffers and connections elsewhere",
		Risk: "operators of different parallelism are no longer chained, and what was FORWARD goes over the " +
			"network",
		Undo: fmt.Sprintf("set all to %d again", p),
	}, p, wanted)}
	return f
}

// firstOf names the first few of what changes, and how many more there are.
func firstOf(changes []string) string {
	const most = 8
	if len(changes) == 0 {
		return "no number can be told for the one that is busy; lower the others"
	}
	text := strings.Join(changes[:min(len(changes), most)], ", ")
	if more := len(changes) - most; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}
