package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// conclude fills in the severity, the headline and the rest that follows from the findings.
func (c *Case) conclude(r *Report) {
	if len(r.Culprits) > 0 {
		c.concludeCulprits(r)
	} else {
		r.Severity, r.Headline = r.State.Severity, r.State.Summary
		r.growing = c.stateGrows()
		r.Firm = c.firmState(r.State) && !c.growthOpen() && !(r.Lead() == r.State && c.mayComeBack(r.State))
		if r.State.Severity == UnknownSeverity {
			r.Undetermined = &Undetermined{Why: r.State.Summary, Missing: r.State.Missing}
			if r.State.Why != "" {
				r.Undetermined.Why = r.State.Why
			}
		}
	}
	if f := r.Lead(); f != nil {
		r.Headline = f.Summary
		if f.Severity != UnknownSeverity { // which says so itself
			r.Headline = soFar(r.Firm) + r.Headline
		}
	}
	for i := range r.Also {
		r.Severity = r.Severity.Worse(r.Also[i].Severity)
	}
	r.headAlarm()
	r.headLoss()
}

// Lead is the finding that the headline speaks of where nobody is named: the state of the job, or, of a job
// that is well otherwise, the first finding beside it that is not, causes before what follows from them. It
// is nil when a culprit stands.
func (r *Report) Lead() *Finding {
	if len(r.Culprits) > 0 || r.State == nil || r.State.Severity != OK {
		return r.State
	}
	var lead *Finding
	for i := range r.Also {
		f := &r.Also[i]
		if f.Severity != OK && (lead == nil || lead.Consequence && !f.Consequence) {
			lead = f
		}
	}
	return cmp.Or(lead, r.State)
}

func (c *Case) concludeCulprits(r *Report) {
	for i := range r.Culprits {
		x := &r.Culprits[i]
		if x.unsilenced = c.severity(x); x.Reason.Silenced == "" {
			x.Severity = x.unsilenced
			r.Severity = r.Severity.Worse(x.Severity)
		}
	}
	r.Headline = c.headline(r)
	r.Firm = !slices.ContainsFunc(r.Culprits, func(x Culprit) bool {
		return x.Confidence != Firm || x.Reason.unsure()
	})
}

// severity grades a culprit. Pressure that began just now, or that comes from working off a backlog, is no
// matter yet.
func (c *Case) severity(x *Culprit) Severity {
	switch {
	case x.Pattern == CatchingUp:
		return OK
	case c.critical(x):
		return Critical
	case x.Pattern == Momentary:
		return OK
	}
	return Warning
}

// critical tells whether a culprit is a matter for now: firm, and either its lag grows or it has stood for
// long.
func (c *Case) critical(x *Culprit) bool {
	if x.Confidence != Firm {
		return false
	}
	if x.Pattern == Chronic {
		return true
	}
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 || !c.holdsBack(x, v) {
			continue
		}
		if lag, ok := c.lagOf(v, c.limits.lagWindow); ok && lag.grows(c.limits) {
			return true
		}
	}
	return false
}

func (c *Case) holdsBack(x *Culprit, v int) bool {
	id := c.job.Vertices[v].ID
	return x.Vertex.ID == id || slices.ContainsFunc(x.Victims, func(o Victim) bool { return o.Vertex.ID == id })
}

// firmState tells whether a state of the whole job is not expected to change by watching longer.
func (c *Case) firmState(f *Finding) bool {
	switch f.Rule {
	case "failed", "finished", "batch", "restart-loop", "stuck":
		return f.Severity != UnknownSeverity
	case "undetermined", "taskmanager-lost":
		return false
	}
	if _, open := c.roomOpen(); open {
		return false // the best news there is, while one may be near its limit
	}
	slots, quiet := 0, time.Duration(0)
	for i := len(c.w.slots) - 1; i >= 0; i-- {
		s := &c.w.slots[i]
		if s.gauges || s.verdict.abstain != "" || len(s.verdict.named) > 0 {
			break
		}
		slots++
		quiet += s.to.Sub(s.from)
	}
	return slots >= c.limits.firmSlots && quiet >= c.limits.settle
}
