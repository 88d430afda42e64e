package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui/strip"
)

// eventKind is what happened.
type eventKind uint8

const (
	eventException eventKind = iota
	eventRestart
	eventJob
	eventCheckpoint
	eventSilence
	eventVerdict
	eventTreatment
)

// eventLook is the glyph, the word and the tone of a kind.
func eventLook(k eventKind, th *Theme) (glyph, word string, t tone) {
	switch k {
	case eventException:
		return th.hit, "exception", toneBusy
	case eventRestart:
		return th.up, "restart", toneWarn
	case eventJob:
		return th.finished, "job", toneKey
	case eventCheckpoint:
		return th.warn, "checkpoint", toneWarn
	case eventSilence:
		return th.unknown, "no answer", toneWarn
	case eventTreatment:
		return th.pointer, "treatment", toneKey
	case eventVerdict:
	}
	return th.culprit, "verdict", toneStrong
}

// event is one line of the time line: something that happened, once or several times alike.
type event struct {
	kind eventKind
	text string
	// step orders what happened at one time: the cause before its effect.
	step int
	// times are when, by the clock of the source, newest first.
	times []time.Time
	// where is the task or the checkpoint that it happened to; empty for the whole job, and for several.
	where string
	// detail is the whole text of the newest, with line breaks; empty where the line says all.
	detail string
}

func (e *event) newest() time.Time { return e.times[0] }

// key tells events apart, however many more of the same follow.
func (e *event) key() string { return fmt.Sprint(e.kind, " ", e.text) }

// eventsText shows what happened to the job and to the verdict on one time line, newest first.
func eventsText(sc *scene, p *paper) {
	if sc.job() == nil {
		p.add(line{say(toneDim, "not known: nothing was read of the job yet")})
		return
	}
	all := sc.events(&p.th.glyphs)
	if len(all) == 0 {
		p.add(line{say(
			toneDim, "nothing has happened: no restart, exception, failed checkpoint or change of the verdict",
		)})
		return
	}
	p.heading("events, newest first")
	for i := range all {
		p.event(sc, &all[i])
	}
}

func (p *paper) event(sc *scene, e *event) {
	p.item(e.key())
	glyph, word, t := eventLook(e.kind, p.th)
	head := line{say(toneDim, "  "+e.newest().In(sc.zone).Format("Jan 02 15:04:05"))}
	if p.w >= 72 {
		head = append(head, say(toneDim, right(age(sc.since(e.newest())), 13)+" ago"))
	}
	head = append(head, say(t, "  "+glyph+" "+pad(word, 10, "")+"  "))
	text := e.text
	if e.where != "" {
		text += " (" + e.where + ")"
	}
	if n := len(e.times); n > 1 {
		text = fmt.Sprintf("%d times in %s: %s", n, diagnose.FormatDuration(e.newest().Sub(e.times[n-1])), text)
	}
	p.entry(head, 0, tonePlain, text)
}

// since is the time from a moment to the picture, or to now for what came after the picture.
func (sc *scene) since(at time.Time) time.Duration {
	if at.After(sc.obs.At) {
		return sc.sourceNow().Sub(at)
	}
	return sc.obs.At.Sub(at)
}

// eventFolio shows an event in full: when it happened, and the stack trace of an exception.
func eventFolio(_ *scene, key string) *folio {
	find := func(sc *scene, g *glyphs) *event {
		all := sc.events(g)
		i := slices.IndexFunc(all, func(e event) bool { return e.key() == key })
		if i < 0 {
			return nil
		}
		return &all[i]
	}
	return &folio{write: func(sc *scene, p *paper) {
		e := find(sc, &p.th.glyphs)
		if e == nil {
			p.add(line{say(toneDim, "this event is no longer known")})
			return
		}
		p.eventDetail(sc, e)
	}}
}

// mostTimes bounds the moments of an event that are written out.
const mostTimes = 10

func (p *paper) eventDetail(sc *scene, e *event) {
	glyph, word, t := eventLook(e.kind, p.th)
	p.heading(glyph + " " + word)
	p.entry(nil, 2, t, e.text)
	if e.where != "" {
		p.entry(line{say(toneDim, "  where")}, 10, tonePlain, e.where)
	}
	p.moments(sc, e.times)
	switch {
	case e.detail != "":
		p.heading("stack trace of the newest")
		p.trace(e.detail)
	case e.kind == eventException:
		p.entry(nil, 2, toneDim, "Flink gives no stack trace")
	}
}

// moments writes out the newest of the times, newest first, each once: a count that was read now and then
// tells of several at one moment.
func (p *paper) moments(sc *scene, times []time.Time) {
	label := "  when"
	for shown := 0; len(times) > 0; shown++ {
		if shown == mostTimes {
			p.entry(nil, 10, toneDim, fmt.Sprintf("and %s before", plural(len(times), "time")))
			return
		}
		at, n := times[0], 1
		for n < len(times) && times[n].Equal(at) {
			n++
		}
		text := at.In(sc.zone).Format("Jan 02 15:04:05 MST") + ", " + age(sc.since(at)) + " ago"
		if n > 1 {
			text += fmt.Sprintf(", %d times", n)
		}
		p.entry(line{say(toneDim, label)}, 10, tonePlain, text)
		label, times = "", times[n:]
	}
}

// trace writes a stack trace: what was thrown and caused by what stands out, the frames do not.
func (p *paper) trace(text string) {
	for row := range strings.Lines(text) {
		row = strings.TrimRight(row, "\n")
		body := strings.TrimLeft(row, " ")
		indent := 2 + min(len(row)-len(body), 8)
		t := toneStrong
		if strings.HasPrefix(body, "at ") || strings.HasPrefix(body, "... ") {
			t, indent = toneDim, 4
		}
		p.entry(nil, indent, t, body)
	}
}

// events are those of the job on the screen, newest first, with those that are alike in one. The JobManager's
// clock may differ from the source's, so its times are moved by the difference.
func (sc *scene) events(g *glyphs) []event {
	job := sc.job()
	if job == nil {
		return nil
	}
	offset := time.Duration(0)
	if !job.Now.IsZero() {
		offset = sc.obs.At.Sub(job.Now)
	}
	var line timeline
	for _, x := range sc.exceptions() {
		where := ""
		if x.Task != "" {
			where = "in " + diagnose.TaskText(x.Task)
		}
		line.add(event{kind: eventException, text: x.Root, where: where, detail: x.Trace}, x.At, offset)
	}
	for state, at := range job.EnteredAt {
		line.add(event{kind: eventJob, text: "the job became " + string(state), step: stepOf(state)}, at, offset)
	}
	if rep := sc.report; rep != nil {
		for _, at := range slices.Backward(rep.Restarts) {
			line.add(event{kind: eventRestart, text: "the job was seen to restart", step: stepRestart}, at, 0)
		}
	}
	for _, c := range sc.checkpointHistory() {
		if c.Status == flinkapi.CheckpointFailed {
			line.add(event{
				kind: eventCheckpoint, step: stepAfter, text: "failed: " + first(c.Failure, "Flink gives no reason"),
				where: fmt.Sprintf("%d, after %s", c.ID, diagnose.FormatSpan(c.Duration)),
			}, c.FailedAt, offset)
		}
	}
	line.treatments(sc)
	line.silent(sc)
	line.verdicts(sc, g)
	for i := range line.all {
		slices.SortStableFunc(line.all[i].times, func(a, b time.Time) int { return b.Compare(a) })
	}
	slices.SortStableFunc(line.all, func(a, b event) int {
		if c := b.newest().Compare(a.newest()); c != 0 {
			return c
		}
		if c := b.step - a.step; c != 0 {
			return c
		}
		return strings.Compare(a.key(), b.key()) // states come from a map, in no order
	})
	return line.all
}

// exceptions are those that were seen, or else those that Flink tells of.
func (sc *scene) exceptions() []flinkapi.Exception {
	if sc.report != nil && len(sc.report.Exceptions) > 0 {
		return sc.report.Exceptions
	}
	return sc.job().Exceptions
}

// The steps of what has one time: an exception, a treatment and a silence, which cause the rest, are at 0.
const (
	stepFailing = iota + 1
	stepRestart
	stepBegin
	stepRun
	stepEnd
	stepAfter
	stepVerdict
)

// stepOf is the step of a job's state, as Flink goes through them.
func stepOf(s flinkapi.JobState) int {
	switch s {
	case flinkapi.JobFailing, flinkapi.JobCancelling:
		return stepFailing
	case flinkapi.JobRestarting, flinkapi.JobInitializing, flinkapi.JobReconciling:
		return stepRestart
	case flinkapi.JobCreated:
		return stepBegin
	case flinkapi.JobRunning:
		return stepRun
	case flinkapi.JobFailed, flinkapi.JobCanceled, flinkapi.JobFinished, flinkapi.JobSuspended:
	}
	return stepEnd
}

// timeline collects events.
type timeline struct{ all []event }

// add adds an event at a moment, or the moment to one that is alike. Those that are alike come newest first.
func (l *timeline) add(e event, at time.Time, offset time.Duration) {
	if at.IsZero() {
		return
	}
	at = at.Add(offset)
	i := slices.IndexFunc(l.all, func(x event) bool { return x.kind == e.kind && x.text == e.text })
	if i < 0 {
		e.times = []time.Time{at}
		l.all = append(l.all, e)
		return
	}
	if l.all[i].where != e.where {
		l.all[i].where = ""
	}
	l.all[i].times = append(l.all[i].times, at)
}

// verdicts adds the moments of the last hour at which others were named than before, or nobody; of the newest
// of them the pressure is known too.
func (l *timeline) verdicts(sc *scene, g *glyphs) {
	if sc.hour == nil {
		return
	}
	names := map[string]string{"": "nobody"}
	for _, v := range sc.vertices() {
		names[string(v.vertex.ID)] = v.vertex.Name
	}
	name := func(id string) string { return chain(first(names[id], id), 60, g) }
	points := map[time.Time]diagnose.TrendPoint{}
	for _, p := range sc.obs.Trend {
		points[p.At] = p
	}
	before := time.Time{}
	for _, turn := range sc.hour.Turns(sc.obs.At) {
		who := name(turn.Who)
		for _, other := range turn.Others {
			who += " and " + name(other)
		}
		text := "now named: " + who + pressureWord(points[turn.At])
		at := sc.named(&turn, before)
		l.all = append(l.all, event{kind: eventVerdict, step: stepVerdict, text: text, times: []time.Time{at}})
		before = turn.At
	}
}

// named is when those of a turn were first named. Where one of them stands since then that is since when he
// does, as the panel says: the moment of a turn is the end of the slot that named him. before is the turn
// before it, zero for the first.
func (sc *scene) named(turn *strip.Mark, before time.Time) time.Time {
	at := time.Time{}
	if sc.report == nil {
		return turn.At
	}
	for i := range sc.report.Culprits {
		x := &sc.report.Culprits[i]
		of := string(x.Vertex.ID) == turn.Who || slices.Contains(turn.Others, string(x.Vertex.ID))
		if of && !x.Since.Before(before) && x.Since.Before(turn.At) && x.Since.After(at) {
			at = x.Since
		}
	}
	if at.IsZero() {
		return turn.At
	}
	return at
}

func pressureWord(p diagnose.TrendPoint) string {
	if !p.Pressure.IsKnown() {
		return ""
	}
	return ", backpressure " + diagnose.FormatRatio(p.Pressure)
}
