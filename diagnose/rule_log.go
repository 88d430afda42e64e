package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// logRules are rung 7: does the log hold the lag?
func logRules() []Rule { return []Rule{logRetentionRule()} }

func logRetentionRule() Rule {
	return Rule{
		ID: "FD0701", Name: "log-retention", Title: "the lag will outlive the log", Stage: StageLog,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{
			flinkapi.PendingRecords, flinkapi.FetchLag, flinkapi.EmitLag,
		}),
		Check: checkLogRetention,
	}
}

// lagAge is how old the oldest record is that a source has not read, and by how much that grows.
type lagAge struct {
	vertex int
	age    float64 // seconds
	// slope is by how many seconds the age grows a second: 1 where reading has stopped. Known where grows is.
	slope     float64
	grows     bool
	span      time.Duration
	estimated bool // from the number of records and their rate, not from their timestamps
}

func checkLogRetention(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	var worst *lagAge
	lagging, blind := false, ""
	for _, v := range c.sources() {
		records, _ := c.lag(v)
		if n, known := records.Float(); known && n == 0 {
			continue
		}
		lagging = true
		u, ok := c.unread(v)
		if !ok {
			blind = c.vertex(v).Name
			continue
		}
		if worst == nil || c.dies(&u) < c.dies(worst) {
			worst = &u
		}
	}
	switch {
	case len(c.sources()) == 0:
		return notApplicable("no source reads any more")
	case !lagging:
		return fineBy("no record waits at a source, so there is none that the log could delete unread")
	case c.options.LogRetention == 0:
		return cannotTell("the retention of the log is not known; give it with --retention", "the retention of "+
			"the log")
	case worst == nil:
		return cannotTell("how far "+blind+" is behind is not known", flinkapi.PendingRecords.String(),
			flinkapi.FetchLag.String())
	}
	f := c.retentionFinding(worst)
	if f.Verdict != Firing && blind != "" {
		return cannotTell("how far "+blind+" is behind is not known", flinkapi.PendingRecords.String())
	}
	return f
}

// unread measures a source: by the age of what it fetches, else of what it gives out, else by how long the
// records that wait took to come. A source that still reads cannot be further behind than the log reaches, so
// timestamps that say so are not those of the log.
func (c *Case) unread(v int) (lagAge, bool) {
	estimate, okEstimate := c.unreadByCount(v)
	for _, s := range []flinkapi.Signal{flinkapi.FetchLag, flinkapi.EmitLag} {
		u, ok := c.unreadByAge(v, s)
		kept := c.options.LogRetention.Seconds()
		if ok && (kept == 0 || u.age < c.limits.retentionBeyond*kept) {
			return u, true
		}
	}
	return estimate, okEstimate
}

func (c *Case) unreadByAge(v int, signal flinkapi.Signal) (lagAge, bool) {
	var all []point
	for _, r := range c.series(v, signal) {
		if age, ok := r.spread.Max.Float(); ok && age >= 0 {
			all = append(all, point{r.at, age})
		}
	}
	if len(all) == 0 {
		return lagAge{}, false
	}
	u := lagAge{vertex: v, age: all[len(all)-1].y, span: all[len(all)-1].at.Sub(all[0].at)}
	if all = withoutStep(all); len(all) >= c.limits.lagReadings {
		u.slope, _ = theilSen(all)
		u.grows = u.slope > 0 && kendall(all) >= c.limits.trendTau
	}
	return u, true
}

// unreadByCount takes the records that wait over the rate at which they come: what is read and what is added.
func (c *Case) unreadByCount(v int) (lagAge, bool) {
	lag, ok := c.lagOf(v, history)
	all, _ := c.rates(v)
	read, counted := all.in.Float()
	if !counted || read == 0 {
		read, counted = all.out.Float()
	}
	comes := read + lag.slope
	if !ok || !counted || comes <= 0 {
		return lagAge{}, false
	}
	u := lagAge{vertex: v, age: lag.records / comes, span: lag.span, estimated: true}
	if lag.grows(c.limits) {
		u.slope, u.grows = min(lag.slope/comes, 1), true
	}
	return u, true
}

// never is longer than anything that is looked ahead to.
const never time.Duration = 1 << 62

// lossAt is when the first unread record of a source is deleted, from now; never where that is not known.
func (c *Case) lossAt(v int) time.Duration {
	if c.options.LogRetention <= 0 {
		return never
	}
	if u, ok := c.unread(v); ok {
		return c.dies(&u)
	}
	return never
}

// dies is when the first unread record is deleted, from now; hardly ever where the lag does not grow.
func (c *Case) dies(u *lagAge) time.Duration {
	left := c.options.LogRetention.Seconds() - u.age
	least := c.limits.retentionLeast * c.options.LogRetention.Seconds()
	if left <= 0 {
		return 0
	}
	if !u.grows || u.slope <= 0 || u.age < least {
		return never
	}
	if d := left / u.slope; d < never.Seconds() {
		return seconds(d)
	}
	return never
}

func (c *Case) retentionFinding(u *lagAge) Finding {
	whole := c.options.LogRetention
	eta := c.dies(u)
	age := seconds(u.age)
	f := Finding{Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(u.vertex)}
	f.Summary = fmt.Sprintf("the oldest record that %s has not read is %s old, the log keeps %s",
		c.vertex(u.vertex).Name, FormatDuration(age), FormatDuration(whole))
	switch {
	case age >= whole:
		f.Severity = Critical
		f.Summary += ": what is not read yet is being deleted"
		f.loss = "data is being lost"
	case eta < c.limits.retentionWarning:
		if eta < c.limits.retentionCritical {
			f.Severity = Critical
		}
		f.Summary += fmt.Sprintf(": at this pace data is lost from %s on", FormatDuration(eta))
		f.loss = "data will be lost in " + FormatDuration(eta)
	case u.age/whole.Seconds() < c.limits.retentionShare:
		return fineBy(f.Summary)
	}
	f.Evidence = c.retentionEvidence(u, eta)
	f.Remedies = []Remedy{
		{
			Do:   "raise the retention of the topic now, and cure what is slow after that",
			Key:  "retention.ms (and retention.bytes) of the topic",
			From: fmt.Sprintf("%d ms%s", whole.Milliseconds(), givenMark),
			To:   fmt.Sprintf("%d ms, which is %s", 2*whole.Milliseconds(), FormatDuration(2*whole)),
			Gain: "twice the time until unread records are deleted", Risk: "more disk on the brokers",
			Undo: "set it back when the lag is gone",
			Link: "https://kafka.apache.org/documentation/#topicconfigs_retention.ms",
		},
	}
	f.Dont = []string{"a restart or a savepoint does not stop the log from deleting: only reading or a " +
		"longer retention does"}
	return f
}

func (c *Case) retentionEvidence(u *lagAge, eta time.Duration) []Evidence {
	name := c.vertex(u.vertex).Name
	note := "by the timestamps of the records"
	if u.estimated {
		note = "estimated: what waits over the rate at which records come"
	}
	out := []Evidence{{
		Signal: "unread-age", Label: "age of the oldest unread record", Subject: name, Value: flinkapi.Known(u.age),
		Unit: flinkapi.Seconds, For: true, Age: c.age(), Note: note,
	}}
	if u.grows {
		out = append(out, Evidence{
			Signal: "unread-age-slope", Label: "growth of that age a second, 1 where nothing is read", Subject: name,
			Value: flinkapi.Known(u.slope), Unit: flinkapi.Ratio, For: true, Age: c.age(),
			Note: "over " + FormatDuration(u.span),
		})
	}
	if eta < c.limits.retentionWarning {
		out = append(out, Evidence{
			Signal: "time-to-loss", Label: "time until unread records are deleted, at least", Subject: name,
			Value: flinkapi.Known(eta.Seconds()), Unit: flinkapi.Seconds, For: true, Age: c.age(),
			Note: "a log deletes whole segments, so it may take longer",
		})
	}
	return out
}
