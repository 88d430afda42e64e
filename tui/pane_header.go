package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// drawHeader shows what is watched and how fresh it is; with two rows, the cluster below. A notice takes the
// second row, or the only one.
func drawHeader(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	n := sc.notice(r.H == 1)
	rows := []line{headline(sc, r.W, th), clusterLine(sc, r.W, th)}
	switch {
	case n.what == "":
	case r.H == 1:
		rows[0] = n.line(r.W, th)
	default:
		rows[1] = n.line(r.W, th)
	}
	return th.fillRect(rows, r)
}

// notice is what stands above all: what is the matter, the same in a word, what comes next, and that in a
// word.
type notice struct{ what, short, then, brief string }

// line sets what comes next at the right end; both are shortened, then cut, when there is no room.
func (n notice) line(w int, th *Theme) line {
	const frame = 3
	what, then := n.what, n.then
	tail := func() string {
		if then == "" {
			return ""
		}
		return "  " + then + " "
	}
	if n.brief != "" && cells(what)+cells(tail())+frame > w {
		then = n.brief
	}
	room := w - cells(tail()) - frame
	if cells(what) > room && n.short != "" && cells(n.short) > room {
		then, room = "", w-frame
	}
	if cells(what) > room && n.short != "" && room < 30 {
		what = n.short
	}
	return line{{toneNotice, pad(" "+th.warn+" "+what, w-cells(tail()), th.ellipsis) + tail()}}
}

// headline is the first row: the job and its state on the left, the age of the data and the mode on the
// right.
func headline(sc *scene, w int, th *Theme) line {
	left := line{say(toneKey, "culprit"), say(tonePlain, "  ")}
	if w < 60 {
		left = nil
	}
	name, state := subjectOf(sc)
	for _, tail := range tails(sc, w) {
		room := w - left.width() - state.width() - tail.width() - 4
		if room < 8 && tail != nil {
			continue
		}
		left = append(left, say(toneStrong, chain(name, room, &th.glyphs)), say(tonePlain, "  "))
		return spread(append(left, state...), tail, w, th.ellipsis)
	}
	return nil
}

// tails are the right ends of the first row, the longest first, nothing last.
func tails(sc *scene, w int) []line {
	if sc.mode == ModeReplay { // of when it is matters more than the age
		return replayTails(sc)
	}
	mode := line{say(toneStrong, sc.mode)}
	switch {
	case sc.frozen, sc.link.err != nil, sc.overdue():
		mode = line{say(toneWarn, "not live")}
	case sc.obs == nil && sc.mode == liveMode: // nothing has been heard yet
		mode = nil
	}
	old, ok := sc.dataAge()
	if !ok {
		return []line{mode, nil}
	}
	words, short := line{say(ageTone(old), age(old)), say(toneDim, " old")}, line{say(ageTone(old), age(old))}
	if w >= 60 {
		words = append(line{say(toneDim, "data ")}, words...)
	}
	gap := line{say(tonePlain, "  ")}
	whole, least := slices.Concat(words, gap, mode), slices.Concat(short, gap, mode)
	if sc.mode == ModeDemo { // which must not pass for a cluster
		return []line{whole, least, mode, nil}
	}
	return []line{whole, words, short, nil}
}

// overdueAfter is from when on an answer that has not come makes the picture one of the past.
const overdueAfter = 10 * time.Second

// overdue tells whether the step in flight has taken so long that what is shown is not live.
func (sc *scene) overdue() bool {
	return sc.obs != nil && sc.replay == nil && sc.link.running && sc.now.Sub(sc.link.started) >= overdueAfter
}

// subjectOf returns the name of what is watched and the words on its state.
func subjectOf(sc *scene) (string, line) {
	switch job := sc.job(); {
	case sc.opening != "":
		return sc.opening, line{say(toneDim, "opening")}
	case job != nil:
		state := line{say(stateTone(job.State), string(job.State))}
		if sc.link.err != nil { // that was its state
			state = line{say(toneWarn, "no answer"), say(toneDim, ", was "+string(job.State))}
		}
		if since := job.EnteredAt[job.State]; !since.IsZero() && !job.Now.IsZero() {
			state = append(state, say(tonePlain, " "+diagnose.FormatDuration(job.Now.Sub(since))))
		}
		return job.Name, state
	case sc.base == screenJobs:
		return plural(len(sc.obs.Jobs), "job"), line{}
	}
	if sc.link.err != nil {
		return sc.target, line{say(toneWarn, "no answer")}
	}
	return sc.target, line{say(toneDim, "connecting")}
}

// clusterLine is the second row: version, workers, own cost.
func clusterLine(sc *scene, w int, th *Theme) line {
	dot := " " + th.bullet + " "
	if sc.obs == nil {
		return nil
	}
	if sc.replay != nil {
		return recordingLine(sc, w, th)
	}
	snap := sc.obs.Snapshot
	var facts []string
	if v := snap.Cluster.Version; v != "" {
		facts = append(facts, "flink "+v)
	}
	facts = append(facts, workers(snap))
	right := fmt.Sprintf("%.1f req/s", snap.Cost.PerSecond)
	facts = append(facts, sc.target)
	left := line{say(toneDim, strings.Join(facts, dot))}
	if text := sc.lastTreatment(); text != "" {
		left = line{say(toneKey, text), say(toneDim, dot+strings.Join(facts, dot))}
	}
	return spread(left, line{say(toneDim, right)}, w, th.ellipsis)
}

// workers tells how many TaskManagers and slots there are.
func workers(snap *flinkapi.Snapshot) string {
	text := whole(snap.Cluster.TaskManagers) + " TM"
	total, ok := snap.Cluster.SlotsTotal.Float()
	free, okFree := snap.Cluster.SlotsFree.Float()
	if ok && okFree {
		return text + fmt.Sprintf(", %.0f/%.0f slots", total-free, total)
	}
	return text + ", - slots"
}

func whole(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	return fmt.Sprintf("%.0f", x)
}

// ageTone warns of data that is older than Flink's own habit explains.
func ageTone(d time.Duration) tone {
	if d > time.Minute {
		return toneWarn
	}
	return toneDim
}

func stateTone(s flinkapi.JobState) tone {
	switch s {
	case flinkapi.JobRunning:
		return toneFine
	case flinkapi.JobFailed, flinkapi.JobFailing, flinkapi.JobRestarting:
		return toneCulprit
	case flinkapi.JobFinished, flinkapi.JobCanceled:
		return toneDim
	case flinkapi.JobInitializing, flinkapi.JobCreated, flinkapi.JobCancelling, flinkapi.JobSuspended,
		flinkapi.JobReconciling:
	}
	return toneWarn
}

// notice says what stands above all: a frozen picture, a failure, a part that could not be read; nothing when
// all is well. Where it stands alone it tells the age of the data too, and keeps quiet about lesser things.
func (sc *scene) notice(alone bool) notice {
	switch {
	case sc.frozen:
		return sc.backThen()
	case sc.link.err != nil && sc.obs != nil:
		detail, hint := cause(sc.link.err)
		n := notice{what: detail, short: strings.ToLower(failureWord(sc.link.err)), then: sc.nextTry()}
		if hint != "" {
			n.what += "; " + hint
		}
		if old, ok := sc.dataAge(); ok && alone {
			n.then = age(old) + " old, " + strings.Replace(n.then, "try in", "in", 1)
		}
		return n
	case sc.traveling && sc.heading.IsZero():
		return notice{what: sc.search(), then: sc.hint(ActionBack, " gives it up")}
	case sc.link.ended:
		return notice{what: "the recording ends here" + sc.damage(), then: sc.hint(ActionPlay, ": play it again")}
	case sc.obs != nil && len(sc.obs.Snapshot.Problems) > 0 && !alone:
		return notice{what: problems(sc.obs.Snapshot.Problems)}
	}
	return notice{}
}

// damage is what could not be read of the recording, after what else is said; empty for nothing.
func (sc *scene) damage() string {
	if sc.obs == nil {
		return ""
	}
	text := ""
	for _, p := range sc.obs.Snapshot.Problems {
		if p.Subject == "the recording" {
			text += "; " + p.Err.Detail
		}
	}
	return text
}

// search says that a change of the verdict is looked for, and how far.
func (sc *scene) search() string {
	const what = "looking for the change of the verdict"
	if read, reads := reading(sc); reads {
		return fmt.Sprintf("%s, %.0f %% read", what, read)
	}
	return what
}

// backThen says of which moment an earlier picture is, in the time zone of the screen.
func (sc *scene) backThen() notice {
	if sc.replay != nil {
		return sc.backInRecording()
	}
	at := sc.received.In(sc.zone).Format("15:04:05")
	ago := coarseAge(sc.now.Sub(sc.received)) + " ago"
	live := sc.hint(ActionBottom, ": live")
	n := notice{
		what: at + ", " + ago + ", not live", short: at + ", not live", brief: live,
		then: hints(sc.hint(ActionEarlier, " earlier"), sc.hint(ActionLater, " later"), live),
	}
	if sc.moment > 0 {
		n.what += fmt.Sprintf("; moment %d of %d", sc.moment, sc.moments)
	} else {
		n.what, n.then = "FROZEN at "+n.what+"; data is still collected", sc.hint(ActionFreeze, ": live")
	}
	return n
}

// backInRecording is backThen where nothing is live: the picture is before the one that was played to.
func (sc *scene) backInRecording() notice {
	at, back := sc.obs.At.In(sc.zone).Format("15:04:05"), sc.hint(ActionBottom, ": back")
	n := notice{
		what: at, short: at, brief: back,
		then: hints(sc.hint(ActionEarlier, " earlier"), sc.hint(ActionLater, " later"), back),
	}
	if sc.moment > 0 {
		n.what += fmt.Sprintf("; moment %d of %d", sc.moment, sc.moments)
	} else {
		n.what, n.then = "FROZEN at "+n.what, sc.hint(ActionFreeze, ": back")
	}
	n.what += "; " + sc.target
	return n
}

func (sc *scene) nextTry() string {
	if sc.link.running {
		return "trying, " + age(sc.now.Sub(sc.link.started))
	}
	return "next try in " + age(max(sc.link.next.Sub(sc.now), 0))
}

func problems(all []flinkapi.Problem) string {
	first := all[0]
	text := "not read: "
	if first.Subject != "" {
		text += first.Subject + ", "
	}
	if first.Err != nil {
		text += first.Err.Detail
	}
	if len(all) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(all)-1)
	}
	return text
}

// severityWord is a severity with its glyph.
func severityWord(s diagnose.Severity, th *Theme) line {
	switch s {
	case diagnose.OK:
		return line{say(toneFine, th.fine+" ok")}
	case diagnose.Warning:
		return line{say(toneWarn, th.warn+" warning")}
	case diagnose.Critical:
		return line{say(toneCulprit, th.culprit+" critical")}
	case diagnose.UnknownSeverity:
	}
	return line{say(toneUnknown, th.unknown+" unknown")}
}
