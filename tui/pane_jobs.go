package tui

import (
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// jobsPane is the list of jobs, each with its newest verdict. Its cursor follows the job, not the row.
type jobsPane struct {
	at     flinkapi.JobID
	scroll scroll
}

// Key moves the cursor.
func (p *jobsPane) Key(a ActionID, sc *scene, r Rect, _ *Theme) bool {
	shown := p.shown(sc)
	if len(shown) == 0 {
		return false
	}
	i, ok := moved(a, p.index(shown), len(shown), r.H-1)
	p.at = shown[i].Job.ID
	return ok
}

// moved returns where a cursor among n rows goes by an action, with pages of h rows.
func moved(a ActionID, i, n, h int) (int, bool) {
	switch a {
	case ActionUp:
		i--
	case ActionDown:
		i++
	case ActionPageUp:
		i -= max(h, 1)
	case ActionPageDown:
		i += max(h, 1)
	case ActionTop:
		i = 0
	case ActionBottom:
		i = n - 1
	default:
		return min(max(i, 0), n-1), false
	}
	return min(max(i, 0), n-1), true
}

// current returns the job under the cursor.
func (p *jobsPane) current(sc *scene) (diagnose.JobLine, bool) {
	shown := p.shown(sc)
	if len(shown) == 0 {
		return diagnose.JobLine{}, false
	}
	return shown[p.index(shown)], true
}

// detail draws the verdict on the job under the cursor.
func (p *jobsPane) detail(sc *scene, r Rect, th *Theme) []string {
	j, ok := p.current(sc)
	if !ok {
		return th.fillRect(nil, r)
	}
	return drawJob(j, r, th)
}

// shown are the jobs that pass the filter, the worst first.
func (p *jobsPane) shown(sc *scene) []diagnose.JobLine {
	if sc.obs == nil {
		return nil
	}
	var out []diagnose.JobLine
	for _, j := range sc.obs.Jobs {
		if sc.matches(j.Job.Name) {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(a, b diagnose.JobLine) int { return urgency(b) - urgency(a) })
	return out
}

// urgency puts the jobs that need somebody first, and those that have failed before those that are well; the
// ones without a verdict come last.
func urgency(j diagnose.JobLine) int {
	switch {
	case j.Report == nil && j.Job.State == flinkapi.JobFailed:
		return 2
	case j.Report == nil:
		return 0
	}
	n := 1
	for _, s := range []diagnose.Severity{diagnose.UnknownSeverity, diagnose.Warning, diagnose.Critical} {
		if j.Report.Severity.Worse(s) == j.Report.Severity {
			n++
		}
	}
	return n
}

func (p *jobsPane) index(shown []diagnose.JobLine) int {
	for i, j := range shown {
		if j.Job.ID == p.at {
			return i
		}
	}
	return 0
}

// Draw returns the list.
func (p *jobsPane) Draw(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	shown := p.shown(sc)
	if len(shown) == 0 {
		text := "this cluster runs no jobs; the first one that starts opens by itself"
		if sc.filter != "" {
			text = "no job is named like this"
		}
		return th.fillRect([]line{{say(toneDim, text)}}, r)
	}
	c := jobColumnsFor(r.W, sc.obs.Jobs)
	at := p.index(shown)
	table := p.scroll.around(len(shown), at, r.W, r.H-1, func(i int) string {
		return th.paint(c.line(shown[i], i == at, th), r.W)
	})
	return append([]string{th.paint(c.head(p.scroll.part()), r.W)}, table...)
}

// jobColumns says which columns a list of w cells has room for; the narrowest has the name and the verdict.
type jobColumns struct {
	name         int
	state, since bool
}

const (
	stateWidth    = 12
	severityWidth = 11
	sinceWidth    = 16
)

func jobColumnsFor(w int, jobs []diagnose.JobLine) jobColumns {
	c := jobColumns{state: w >= 60, since: w >= 76}
	if !c.state {
		c.name = w - 2 - 2 - severityWidth
		return c
	}
	longest := cells("job 100 to 199 of 999")
	for _, j := range jobs {
		longest = max(longest, cells(j.Job.Name))
	}
	c.name = min(longest, max(w/3, 12), 40)
	return c
}

func (c jobColumns) head(part string) line {
	text := "  " + pad(strings.TrimSpace("job "+part), c.name, "") + "  "
	if c.state {
		text += pad("state", stateWidth, "")
	}
	return line{say(toneDim, text+"verdict")}
}

func (c jobColumns) line(j diagnose.JobLine, at bool, th *Theme) line {
	mark, t := "  ", tonePlain
	if at {
		mark, t = th.pointer+" ", toneSelected
	}
	out := line{say(toneSelected, mark), say(t, pad(j.Job.Name, c.name, th.ellipsis)), say(tonePlain, "  ")}
	if c.state {
		out = append(out, say(stateTone(j.Job.State), pad(string(j.Job.State), stateWidth, "")))
	}
	switch {
	case j.Report == nil && j.Job.State.Over():
		return append(out, say(toneDim, unknownMark))
	case j.Report == nil:
		return append(out, say(toneDim, "no look yet"))
	}
	out = append(out, fit(severityWord(j.Report.Severity, th), severityWidth, th.ellipsis)...)
	if !c.state {
		return out
	}
	if c.since {
		since := ""
		if cs := j.Report.Culprits; len(cs) > 0 && !cs[0].Since.IsZero() {
			since = cs[0].Lasted(j.Report.At)
		}
		out = append(out, say(toneDim, pad(since, sinceWidth, th.ellipsis)))
	}
	return append(out, say(tonePlain, j.Report.Headline))
}
