package tui

import (
	"fmt"
	"slices"
	"time"

	"culprit/diagnose"
)

// event is one line of the time line.
type event struct {
	at   time.Time // by the clock of the source
	kind string
	tone tone
	text string
}

// eventsText shows what happened to the job and to the verdict on one time line, newest first.
func eventsText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	all := sc.events(&th.glyphs)
	if len(all) == 0 {
		p.add(
			line{
				say(
					toneDim,
					"nothing has happened: no restart, exception, failed checkpoint or change of the verdict",
				),
			},
		)
		return p.rows
	}
	p.heading("events, newest first")
	for _, e := range all {
		ago := sc.obs.At.Sub(e.at)
		head := line{
			say(
				toneDim,
				"  "+e.at.In(sc.zone).Format("Jan 02 15:04:05"),
			),
			say(toneDim, right(age(ago), 13)+" ago  "),
			say(e.tone, pad(e.kind, 12, "")+"  "),
		}
		p.entry(head, 0, tonePlain, e.text)
	}
	return p.rows
}

// events are those of the job on the screen, newest first. The JobManager's clock may differ from the
// source's, so its times are moved by the difference.
func (sc *scene) events(g *glyphs) []event {
	job := sc.job()
	if job == nil {
		return nil
	}
	offset := time.Duration(0)
	if !job.Now.IsZero() {
		offset = sc.obs.At.Sub(job.Now)
	}
	var out []event
	add := func(at time.Time, kind string, t tone, text string) {
		if !at.IsZero() {
			out = append(out, event{at, kind, t, text})
		}
	}
	for _, x := range job.Exceptions {
		text := x.Root
		if x.Task != "" {
			text += " (in " + x.Task + ")"
		}
		add(x.At.Add(offset), "exception", toneBusy, text)
	}
	for state, at := range job.EnteredAt {
		add(at.Add(offset), "job", toneKey, "the job became "+string(state))
	}
	if cp := job.Checkpoints; cp != nil {
		for i := range cp.History {
			if c := &cp.History[i]; c.Status == "FAILED" {
				add(
					c.FailedAt.Add(offset),
					"checkpoint",
					toneWarn,
					fmt.Sprintf("checkpoint %d failed after %s%s",
						c.ID, diagnose.FormatSpan(c.Duration), clause(c.Failure)),
				)
			}
		}
	}
	out = append(out, sc.verdictChanges(g)...)
	slices.SortStableFunc(out, func(a, b event) int { return b.at.Compare(a.at) })
	return out
}

func clause(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// verdictChanges are the moments at which another vertex was named than in the slot before, or nobody.
func (sc *scene) verdictChanges(g *glyphs) []event {
	names := map[string]string{"": "nobody"}
	for _, v := range sc.vertices() {
		names[string(v.vertex.ID)] = v.vertex.Name
	}
	var out []event
	for i, p := range sc.obs.Trend {
		if i > 0 && p.Culprit == sc.obs.Trend[i-1].Culprit {
			continue
		}
		if i == 0 && p.Culprit == "" {
			continue
		}
		t := toneCulprit
		if p.Culprit == "" {
			t = toneFine
		}
		who := chain(first(names[string(p.Culprit)], string(p.Culprit)), 60, g)
		out = append(out, event{p.At, "verdict", t, "the walk names " + who + pressureWord(p)})
	}
	return out
}

func pressureWord(p diagnose.TrendPoint) string {
	if !p.Pressure.IsKnown() {
		return ""
	}
	return ", backpressure " + diagnose.FormatRatio(p.Pressure)
}
