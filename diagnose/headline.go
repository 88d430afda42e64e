package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// headline is the sentence about the culprits: who they are, and why the first is slow. It says where that is
// not firm, and where it alarms nobody.
func (c *Case) headline(r *Report) string {
	x, s := &r.Culprits[0], &c.stands[0]
	name, why := x.Vertex.Name, x.Reason.Summary
	if x.Pattern == CatchingUp {
		b, _ := c.coursing(s)
		return fmt.Sprintf("%sthe job works off its backlog, %s; %s sets the pace: %s",
			soFar(x.Confidence == Firm), b.text(), name, why)
	}
	others := c.otherCulprits(r)
	text := doubts(x) + name + others
	if others == "" {
		text += " holds the job back"
	} else {
		text += " hold the job back"
	}
	if s.rhythm != nil && x.Reason.Name != burstRule().Name { // which tells both itself
		text += " " + s.rhythm.text()
	}
	switch {
	case others != "" && slices.ContainsFunc(r.Culprits, func(o Culprit) bool { return o.Reason.unsure() }):
		text += ", not all reasons firm"
	case x.Reason.Open:
		text += ", the reason not firm"
	}
	if others != "" {
		return text + "; " + name + ": " + why
	}
	return text + ": " + why
}

// soFar begins a sentence that watching longer may change.
func soFar(firm bool) string {
	if firm {
		return ""
	}
	return "so far "
}

// doubts begins a sentence about a culprit that is not firm, or that may be gone in a moment.
func doubts(x *Culprit) string {
	switch {
	case x.Pattern == Momentary:
		return "perhaps only for a moment "
	case x.Confidence != Firm:
		return "perhaps "
	}
	return ""
}

// otherCulprits names those beside the first, to stand behind its name, the first few of many; empty without
// any. One that takes turns with the first is told of in the reason.
func (c *Case) otherCulprits(r *Report) string {
	const most = 2
	first := &c.stands[0]
	var names []string
	apart := true
	for i := 1; i < len(r.Culprits); i++ {
		if first.swing != nil && first.swing == c.stands[i].swing {
			continue
		}
		names = append(names, doubts(&r.Culprits[i])+r.Culprits[i].Vertex.Name)
		p := c.g.pipelineOf(first.last.vertex)
		apart = apart && (p == nil || !p[c.stands[i].last.vertex])
	}
	if len(names) == 0 {
		return ""
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	switch {
	case apart && last == 0:
		return " and, in another pipeline, " + names[0]
	case apart:
		return " and, in other pipelines, " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(append([]string{""}, names[:last]...), ", ") + " and " + names[last]
}

// headAlarm puts what alarms first where the culprits alarm nobody: their reasons are silenced, or they may
// be gone in a moment, or the job works off a backlog.
func (r *Report) headAlarm() {
	loud := slices.ContainsFunc(r.Culprits, func(x Culprit) bool {
		return x.Reason.Silenced == "" && x.unsilenced != OK
	})
	i := slices.IndexFunc(r.Also, func(f Finding) bool { return f.Severity == r.Severity })
	if len(r.Culprits) > 0 && !loud && r.Severity != OK && i >= 0 {
		r.Headline = r.Also[i].Summary + "; beside it " + r.Headline
	}
}

// headLoss puts first that data will be lost, whatever else the headline speaks of: nothing costs more.
func (r *Report) headLoss() {
	for i := range r.Also {
		if f := &r.Also[i]; f.loss != "" && f != r.Lead() && !strings.HasPrefix(r.Headline, f.Summary) {
			r.Headline = f.loss + "; " + r.Headline
			return
		}
	}
}
