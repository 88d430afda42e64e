package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"culprit/lab/rest"
)

// accuracy is what the document tells: the verdicts on jobs with their right ones, and the faults.
type accuracy struct {
	verdicts []graded
	faults   []Result
}

// graded is a verdict on a job and what must have been said.
type graded struct {
	Result
	expect Expect
}

// Accuracy gives the document docs/accuracy.md, in Markdown: what culprit said of each scenario, and what
// simpler rules would have said of the same job at the same time. It is the same text for the same results,
// in whatever order they come.
func Accuracy(results []Result, scenarios []Scenario) string {
	a := sorted(results, scenarios)
	var text strings.Builder
	fmt.Fprintf(&text, `# Accuracy

Every job here runs on a real Flink cluster, and its slow operator is known because it was built in
([the lab](../lab/README.md)). The table says what culprit must say of each job, and what it said.

%s

`, a.when())
	section := func(title, introduction, table string) {
		fmt.Fprintf(&text, "## %s\n\n%s\n\n%s\n", title, introduction, table)
	}
	section("Totals", "A verdict is right when its subject (which vertices, how many instances) and its reason "+
		"(with operator, pattern,\nconfidence and severity where those are asked for) are right. A victim is a "+
		"vertex that a slower one below it holds\nback.", a.totals())
	section("Recorded and replayed", "Each check was recorded, those of the faults too, and its recording was "+
		"asked for the verdict at its end by\n`culprit check --replay FILE --last`. Its whole JSON must be what "+
		"was said live, every number of the evidence included. Only\nthe seconds to the first and to the firm "+
		"verdict may differ by some ms: a recording begins with its first look.", a.replays())
	section("Simpler rules on the same jobs", "Each looks at the busy and backpressured shares that Flink's "+
		"web UI shows (its own gauges, the largest of any subtask)\nwhen culprit's check ended, names nobody "+
		"where no share is above 50 %, and of equal ones the first in the order of the\nflow. Where several "+
		"vertices are right, one of them is enough for a simple rule; culprit must name all. Jobs whose page\n"+
		"could not be read are left out.", a.comparison())
	section("Verdicts", "First and firm are the times from the start of the check to the first and to the firm "+
		"verdict. A wrong verdict is asked\nfor once more after a minute; the last try counts.", a.table())
	section("What the simpler rules would have named", "The name, and what naming it amounts to.", a.picks())
	if before := a.before(); len(before) > 0 {
		section("Wrong in an earlier run", "This page joins several runs; of a job that was checked again the "+
			"last run counts above. What an earlier one of them\nwrongly said:",
			markdownTable([]string{"scenario", "flink", "was said"}, before))
	}
	if len(a.faults) > 0 {
		section("Faults", "Made on purpose beside a job whose culprit is known.", a.faultTable())
	}
	return strings.TrimRight(text.String(), "\n") + "\n"
}

// sorted puts the results into the order of the scenarios, then of the versions.
func sorted(results []Result, scenarios []Scenario) accuracy {
	var a accuracy
	place := func(name string) int {
		return slices.IndexFunc(scenarios, func(s Scenario) bool { return s.Name == name })
	}
	for _, r := range results {
		if i := place(r.Scenario); i >= 0 {
			a.verdicts = append(a.verdicts, graded{Result: r, expect: scenarios[i].Expect})
		} else {
			a.faults = append(a.faults, r)
		}
	}
	slices.SortFunc(a.verdicts, func(x, y graded) int {
		return cmp.Or(cmp.Compare(place(x.Scenario), place(y.Scenario)), cmp.Compare(x.Version, y.Version))
	})
	slices.SortFunc(a.faults, func(x, y Result) int {
		return cmp.Or(cmp.Compare(x.Scenario, y.Scenario), cmp.Compare(x.Version, y.Version))
	})
	return a
}

// before lists what earlier runs said wrongly.
func (a accuracy) before() [][]string {
	var rows [][]string
	for _, v := range a.verdicts {
		if v.Before != "" {
			rows = append(rows, []string{v.Scenario, v.Version, v.Before})
		}
	}
	return rows
}

// when tells the days and the versions.
func (a accuracy) when() string {
	var dates, versions []string
	all := slices.Clone(a.faults)
	for _, v := range a.verdicts {
		all = append(all, v.Result)
	}
	for _, r := range all {
		dates, versions = append(dates, r.Date), append(versions, r.Version)
	}
	if len(all) == 0 {
		return "Nothing was checked."
	}
	slices.Sort(dates)
	slices.Sort(versions)
	days := dates[0]
	if last := dates[len(dates)-1]; last != days {
		days += " to " + last
	}
	return fmt.Sprintf("Checked %s on Flink %s. Written by `go run ./lab/cmd/lab -accuracy docs/accuracy.md`.",
		days, strings.Join(slices.Compact(versions), ", "))
}

func (a accuracy) totals() string {
	var wrongSubject, wrongReason, victims, accused, sound, second int
	for _, v := range a.verdicts {
		grade := v.grade()
		switch {
		case !grade.Subject:
			wrongSubject++
		case !grade.Reason:
			wrongReason++
		}
		if v.Tries > 1 {
			second++
		}
		victims += v.victims()
		if !v.expect.mayName() {
			sound++
			if len(v.Named) > 0 {
				accused++
			}
		}
	}
	count := func(n int) string { return fmt.Sprint(n) }
	return markdownTable([]string{"what", "count"}, [][]string{
		{"verdicts", count(len(a.verdicts))},
		{"right", count(len(a.verdicts) - wrongSubject - wrongReason)},
		{"wrong in the subject", count(wrongSubject)},
		{"wrong in the reason alone", count(wrongReason)},
		{"victims named", count(victims)},
		{fmt.Sprintf("somebody named in a job where nobody may be (%d)", sound), count(accused)},
		{"tried twice", count(second)},
		{"wrong in an earlier run, checked again", count(len(a.before()))},
	})
}

// replays tells how the recordings of all checks were told anew.
func (a accuracy) replays() string {
	var all *Replay
	var rows [][]string
	add := func(r Result) {
		all = all.plus(r.Replay)
		if r.Replay.differs() {
			rows = append(rows, []string{r.Scenario, r.Version, r.Replay.Difference})
		}
	}
	for _, v := range a.verdicts {
		add(v.Result)
	}
	for _, f := range a.faults {
		add(f)
	}
	if all == nil {
		return "None was recorded."
	}
	text := fmt.Sprintf("%d of %d recordings gave the same answer.\n", all.Same, all.Checks)
	if len(rows) > 0 {
		text += "\n" + markdownTable([]string{"scenario", "flink", "first difference"}, rows)
	}
	return text
}

// grade is that of a wrong verdict where there was none.
func (g graded) grade() Grade {
	if g.Grade == nil {
		return Grade{}
	}
	return *g.Grade
}

// mayName tells whether somebody may be named, in one of the right verdicts.
func (e Expect) mayName() bool {
	return slices.ContainsFunc(append([]Expect{e}, e.Or...), func(right Expect) bool { return !right.Nobody() })
}

// victims counts the named vertices that another one holds back.
func (g graded) victims() int {
	count := 0
	for _, name := range g.Named {
		i := slices.IndexFunc(g.Screen, func(b rest.Box) bool { return b.Name == name })
		if i >= 0 && g.expect.Outcome(&g.Screen[i], g.Screen) == Victim {
			count++
		}
	}
	return count
}

// comparison counts the outcomes of each simple rule, and of culprit on the same jobs.
func (a accuracy) comparison() string {
	count := func(outcome func(graded) Outcome) []string {
		counts := map[Outcome]int{}
		for _, v := range a.verdicts {
			if v.Screen != nil {
				counts[outcome(v)]++
			}
		}
		return []string{fmt.Sprint(counts[Right]), fmt.Sprint(counts[Victim]), fmt.Sprint(counts[Other])}
	}
	rows := [][]string{append([]string{"culprit"}, count(graded.outcome)...)}
	for _, rule := range SimpleRules() {
		pick := func(g graded) Outcome { return g.expect.Outcome(rule.Pick(g.Screen), g.Screen) }
		rows = append(rows, append([]string{rule.Name}, count(pick)...))
	}
	return markdownTable([]string{"rule", "right subject", "a victim", "another, or nobody"}, rows)
}

// outcome is that of culprit's own verdict.
func (g graded) outcome() Outcome {
	switch {
	case g.grade().Subject:
		return Right
	case g.victims() > 0:
		return Victim
	default:
		return Other
	}
}

func (a accuracy) table() string {
	rows := make([][]string, len(a.verdicts))
	for i, v := range a.verdicts {
		rows[i] = []string{
			v.Scenario, v.Version, v.Expected, v.Seen, word(v.grade().Subject), word(v.grade().Reason),
			seconds(v.First), seconds(v.Firm), fmt.Sprint(v.Tries),
		}
	}
	header := []string{
		"scenario", "flink", "must be said", "was said", "subject", "reason", "first", "firm", "tries",
	}
	return markdownTable(header, rows)
}

func (a accuracy) picks() string {
	header := []string{"scenario", "flink"}
	for _, rule := range SimpleRules() {
		header = append(header, rule.Name)
	}
	var rows [][]string
	for _, v := range a.verdicts {
		if v.Screen == nil {
			continue
		}
		row := []string{v.Scenario, v.Version}
		for _, rule := range SimpleRules() {
			named, name := rule.Pick(v.Screen), "nobody"
			if named != nil {
				name = named.Name
			}
			row = append(row, fmt.Sprintf("%s (%s)", name, v.expect.Outcome(named, v.Screen)))
		}
		rows = append(rows, row)
	}
	return markdownTable(header, rows)
}

func (a accuracy) faultTable() string {
	rows := make([][]string, len(a.faults))
	for i, f := range a.faults {
		rows[i] = []string{f.Scenario, f.Version, f.Expected, f.Seen, word(f.OK)}
	}
	return markdownTable([]string{"fault", "flink", "must be said", "was said", ""}, rows)
}

func word(ok bool) string {
	if ok {
		return "ok"
	}
	return "wrong"
}
