package tui

import (
	"culprit/diagnose"
	"culprit/flinkapi"
)

// jobsPane is the list of jobs, each with its newest verdict. Its cursor follows the job, not the row.
type jobsPane struct{ at flinkapi.JobID }

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
func (p *jobsPane) current(sc *scene) (flinkapi.JobSummary, bool) {
	shown := p.shown(sc)
	if len(shown) == 0 {
		return flinkapi.JobSummary{}, false
	}
	return shown[p.index(shown)].Job, true
}

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
	return out
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
		text := "this cluster runs no jobs"
		if sc.filter != "" {
			text = "no job is named like this"
		}
		return th.fillRect([]line{{say(toneDim, text)}}, r)
	}
	name := min(max(r.W/3, 12), 40)
	rows := []line{{say(toneDim, "  "+pad("job", name, "")+"  "+pad("state", 11, "")+" "+pad("verdict", 11, ""))}}
	at := p.index(shown)
	from := scrollTo(at, len(shown), r.H-1)
	for i := from; i < min(from+r.H-1, len(shown)); i++ {
		rows = append(rows, jobRow(shown[i], i == at, name, th))
	}
	return th.fillRect(rows, r)
}

func jobRow(j diagnose.JobLine, at bool, name int, th *Theme) line {
	mark, t := "  ", tonePlain
	if at {
		mark, t = th.pointer+" ", toneSelected
	}
	out := line{
		say(toneSelected, mark), say(t, pad(j.Job.Name, name, th.ellipsis)), say(tonePlain, "  "),
		say(stateTone(j.Job.State), pad(string(j.Job.State), 11, "")), say(tonePlain, " "),
	}
	switch {
	case j.Report == nil && j.Job.State.Over():
		return append(out, say(toneDim, unknownMark))
	case j.Report == nil:
		return append(out, say(toneDim, unknownMark+" not looked at yet"))
	}
	out = append(out, fit(severityWord(j.Report.Severity, th), 11, th.ellipsis)...)
	if len(j.Report.Culprits) > 0 && !j.Report.Culprits[0].Since.IsZero() {
		out = append(out, say(toneDim, "for "+pad(longDuration(j.Report.At.Sub(j.Report.Culprits[0].Since)), 12, "")))
	} else {
		out = append(out, say(toneDim, pad("", 16, "")))
	}
	return append(out, say(tonePlain, j.Report.Headline))
}
