package diagnose

import (
	"fmt"
	"slices"

	"culprit/flinkapi"
)

// capacity is what a vertex could take in with some parallelism: the one thing that is kept when a rescale
// empties the window.
type capacity struct {
	parallelism int
	records     float64 // a second, over all subtasks, if they were busy all the time
}

// capacity measures a vertex with so many subtasks over the slots of the window. It is not known of one that
// is hardly busy, or was not watched for long enough.
func (w *window) capacity(v, parallelism int) (out capacity, known bool) {
	l, ok := w.load(v)
	each, told := l.each.Float()
	if !ok || !told || l.slots < w.limits.roomSlots || l.mean < w.limits.capacityBusy {
		return capacity{}, false
	}
	return capacity{parallelism, each * float64(parallelism)}, true
}

// keepCapacities notes what the vertices could take before the window is emptied; what was known of others
// stays.
func (w *window) keepCapacities() {
	if w.last == nil {
		return
	}
	for v := range w.last.Vertices {
		x := &w.last.Vertices[v]
		if c, known := w.capacity(v, x.Parallelism); known {
			w.before[x.ID] = c
		}
	}
}

const rescaleInVain = "rescale-in-vain"

func rescaleInVainRule() Rule {
	return Rule{
		ID: "FD0604", Name: rescaleInVain, Title: "more parallelism did not help", Stage: StageHeadroom,
		Needs: needs(shareSignals(), rateSignals()), Check: checkRescaleInVain,
	}
}

func checkRescaleInVain(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	c.note(rateSignals()...)
	raised := false
	for v := range c.job.Vertices {
		id, p := c.job.Vertices[v].ID, c.vertex(v).Parallelism
		before, known := c.w.before[id]
		if !known || p <= before.parallelism {
			continue
		}
		raised = true
		if l, ok := c.load(v); !ok || l.slots < c.limits.roomSlots {
			return cannotTell("what "+c.vertex(v).Name+" takes since it was given more subtasks was not seen for "+
				"long enough",
				"a longer watch")
		}
		after, measured := c.w.capacity(v, p)
		if !measured {
			continue // it has time to spare now
		}
		gain := after.records/before.records - 1
		if hoped := float64(p)/float64(before.parallelism) - 1; gain < c.limits.helped*hoped {
			return c.inVain(v, before, after, max(gain/hoped, 0))
		}
	}
	if !raised {
		return notApplicable("no operator was given more subtasks while it was watched")
	}
	return fine()
}

// inVain tells of a vertex that took hardly more when it had more subtasks: brought is the part of what they
// should have brought.
func (c *Case) inVain(v int, before, after capacity, brought float64) Finding {
	name := c.vertex(v).Name
	number := func(signal, label string, x float64) Evidence {
		return Evidence{
			Signal: signal, Label: label, Subject: name, Value: flinkapi.Known(x), Unit: flinkapi.RecordsPerSecond,
			For: true, Age: c.age(),
		}
	}
	return Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(v),
		Summary: fmt.Sprintf("%s has %d subtasks instead of %d, and could take %s records a second, before %s: "+
			"their number is not what limits it", name, after.parallelism, before.parallelism,
			FormatCount(after.records), FormatCount(before.records)),
		Evidence: []Evidence{
			number("capacity-before", "what "+FormatThings(before.parallelism, "subtasks")+" could take",
				before.records),
			number("capacity", "what "+FormatThings(after.parallelism, "subtasks")+" can take", after.records),
		},
		Remedies: []Remedy{{
			Do:   "look for what all its subtasks share: a system outside, a lock, a disk, the cores of a host",
			Gain: "the subtasks that are there take more", Risk: "none",
			Undo: undoLook, Link: flameLink,
		}, {
			Do: fmt.Sprintf("give %s %s again, where nothing else needs more", name,
				FormatThings(before.parallelism, "subtasks")),
			Gain: "the slots of the others are free", Risk: "the job restarts once more",
			Undo: fmt.Sprintf("give it %d again", after.parallelism), Link: parallelLink,
		}},
		Dont: []string{fmt.Sprintf("still more parallelism for %s: the step from %d to %d subtasks brought %s of "+
			"what it should", name, before.parallelism, after.parallelism, FormatRatio(flinkapi.Known(brought)))},
	}
}

// heedRescales takes out what raises the parallelism of a vertex again that was given more in vain, and says
// why instead. Where the fix is a number of subtasks by which the key groups come out even, that one stands.
func (r *Report) heedRescales() {
	for i := range r.Checks {
		f := &r.Checks[i]
		if f.Verdict != Firing || f.Rule != rescaleInVain {
			continue
		}
		for k := range r.Culprits {
			x := &r.Culprits[k]
			if x.Vertex.ID != f.Subject.Vertex {
				continue
			}
			if x.Reason.Name == "key-groups" {
				f.Dont = []string{"any number of subtasks but the one by which the key groups come out even"}
				continue
			}
			x.Remedies, x.Dont = f.instead(x.Remedies, x.Dont)
		}
		for k := range r.Checks {
			o := &r.Checks[k]
			if o.Subject.Vertex == f.Subject.Vertex && o.Rule != f.Rule {
				o.Remedies, o.Dont = f.instead(o.Remedies, o.Dont)
			}
		}
	}
}

// instead are remedies without those that a rescale in vain speaks against, and what not to do with what it
// says.
func (f *Finding) instead(remedies []Remedy, dont []string) ([]Remedy, []string) {
	scales := func(x Remedy) bool { return x.scales }
	if !slices.ContainsFunc(remedies, scales) {
		return remedies, dont
	}
	kept := slices.DeleteFunc(slices.Clone(remedies), scales)
	if len(kept) == 0 {
		kept = f.Remedies[:1]
	}
	return kept, append(slices.Clone(f.Dont), dont...)
}
