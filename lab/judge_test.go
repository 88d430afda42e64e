package lab

import (
	"testing"
	"time"
)

func firm(vertex, reason string) Verdict {
	return Verdict{Severity: "critical", Named: []Accused{{
		Vertex: vertex, Reason: reason, Confidence: "firm", Pattern: "chronic", Subtasks: 2,
	}}}
}

// The grades that a verdict can get.
func right() Grade       { return Grade{Subject: true, Reason: true} }
func subjectOnly() Grade { return Grade{Subject: true} }
func wrong() Grade       { return Grade{} }

func TestJudge(t *testing.T) {
	weak := firm("enrich", "external-wait")
	weak.Named[0].Confidence = "probable"
	two := firm("enrich", "external-wait")
	two.Named = append(two.Named, firm("sink", "slow-sink").Named...)
	enrich := culprit("enrich", "external-wait", "lock")
	one := culprit("enrich", "external-wait")
	one.Culprits[0].Instances = 1
	loop := Expect{JobReasons: []string{"restart-loop"}}
	tests := map[string]struct {
		expect  Expect
		verdict Verdict
		want    Grade
	}{
		"right":                    {enrich, firm("enrich", "lock"), right()},
		"a victim named":           {enrich, firm("parse", "lock"), wrong()},
		"wrong reason":             {enrich, firm("enrich", "cpu-bound"), subjectOnly()},
		"not firm":                 {enrich, weak, subjectOnly()},
		"one too many":             {enrich, two, wrong()},
		"nobody":                   {enrich, Verdict{Reasons: []string{"healthy"}}, wrong()},
		"too many instances":       {one, firm("enrich", "external-wait"), wrong()},
		"the state of the job":     {loop, Verdict{Reasons: []string{"gc", "restart-loop"}}, right()},
		"another state":            {loop, Verdict{Reasons: []string{"healthy"}}, subjectOnly()},
		"somebody where nobody is": {loop, firm("enrich", "restart-loop"), wrong()},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) { judged(t, tc.expect, tc.verdict, tc.want) })
	}
}

func judged(t *testing.T, expect Expect, verdict Verdict, want Grade) {
	t.Helper()
	if got := expect.Judge(verdict); got != want {
		t.Errorf("%s judged against %s: %+v, want %+v", verdict, expect, got, want)
	}
}

func TestJudgeLooksAtAllThatIsAskedFor(t *testing.T) {
	chain := culprit("parse -> enrich -> mask", "external-wait")
	chain.Culprits[0].Operator, chain.Culprits[0].Next = "enrich", "orders"
	chain.Severities = []string{"critical"}
	told := func(change func(*Verdict)) Verdict {
		v := firm("parse -> enrich -> mask", "external-wait")
		v.Named[0].Operator, v.Named[0].Next = "enrich", "orders"
		change(&v)
		return v
	}
	judged(t, chain, told(func(*Verdict) {}), right())
	judged(t, chain, told(func(v *Verdict) { v.Named[0].Operator = "mask" }), subjectOnly())
	judged(t, chain, told(func(v *Verdict) { v.Named[0].Next = "" }), subjectOnly())
	judged(t, chain, told(func(v *Verdict) { v.Severity = "ok" }), subjectOnly())
	judged(t, chain, told(func(v *Verdict) {
		v.Named[0].Next, v.Findings = "", []Told{{Vertex: "orders", Reason: "no-headroom"}}
	}), right())

	host := culprit("enrich", "slow-host")
	host.Culprits[0].TaskManager, host.Never = "tm-2", []string{"gc"}
	onHosts := func(reasons []string, hosts ...string) Verdict {
		v := firm("enrich", "slow-host")
		v.Named[0].TaskManagers, v.Reasons = hosts, reasons
		return v
	}
	judged(t, host, onHosts(nil, "tm-2"), right())
	judged(t, host, onHosts(nil, "tm-1"), subjectOnly())
	judged(t, host, onHosts(nil, "tm-1", "tm-2"), subjectOnly())
	judged(t, host, onHosts([]string{"gc"}, "tm-2"), subjectOnly())

	room := Expect{Findings: []Finding{{Vertex: "enrich", Reasons: []string{"no-headroom"}}}}
	judged(t, room, Verdict{Findings: []Told{{Vertex: "enrich", Reason: "no-headroom"}}}, right())
	judged(t, room, Verdict{Findings: []Told{{Vertex: "parse", Reason: "no-headroom"}}}, subjectOnly())
	judged(t, room, firm("enrich", "no-headroom"), wrong())
}

func TestJudgeHoldsAPeriodToItsBounds(t *testing.T) {
	named := culprit("windows", "burst")
	named.Culprits[0].Period = about(50 * time.Second)
	told := Expect{Findings: []Finding{{Reasons: []string{"burst"}, Period: about(50 * time.Second)}}}
	for period, want := range map[time.Duration]Grade{
		48 * time.Second: right(), 25 * time.Second: subjectOnly(), 0: subjectOnly(),
	} {
		verdict := firm("windows", "burst")
		verdict.Named[0].Period = period
		judged(t, named, verdict, want)
		judged(t, told, Verdict{Findings: []Told{{Vertex: "windows", Reason: "burst", Period: period}}}, want)
	}
}

func TestJudgeTakesTheBestOfSeveralRightVerdicts(t *testing.T) {
	burst := Expect{
		JobReasons: []string{"healthy"},
		Severities: []string{"ok", "warning"},
		Or: []Expect{{Culprits: []Culprit{
			{Vertex: "windows", Reasons: []string{"burst"}, Patterns: []string{"periodic"}, Probable: true},
		}}},
	}
	periodic := firm("windows", "burst")
	periodic.Named[0].Pattern, periodic.Named[0].Confidence = "periodic", "probable"
	judged(t, burst, periodic, right())
	judged(t, burst, Verdict{Severity: "ok", Reasons: []string{"healthy"}}, right())
	judged(t, burst, Verdict{Severity: "critical", Reasons: []string{"healthy"}}, subjectOnly())
	judged(t, burst, firm("windows", "burst"), subjectOnly())
	judged(t, burst, firm("orders", "burst"), wrong())
}

func TestExpectSaysWhatIsAskedFor(t *testing.T) {
	e := culprit("parse -> enrich", "external-wait", "lock")
	e.Culprits[0].Operator, e.Culprits[0].Next = "enrich", "score"
	e.Culprits[0].Period = about(50 * time.Second)
	e.Or = []Expect{{
		Severities: []string{"ok"},
		Findings:   []Finding{{Reasons: []string{"burst"}}, {Vertex: "score", Reasons: []string{"no-headroom"}}},
	}}
	const want = "parse -> enrich: external-wait or lock, operator enrich, every 45 to 55 s, next score; " +
		"or nobody; tells of the job: burst; tells of score: no-headroom; severity ok"
	if e.String() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
}
