package tui

import (
	"fmt"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// drawHeader shows what is watched and how fresh it is; with two rows, the cluster below. A notice takes the second row,
// or the only one.
func drawHeader(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	what, then := sc.notice(r.H == 1)
	second := clusterLine(sc, r.W, th)
	if what != "" {
		second = noticeLine(what, then, r.W, th)
	}
	if r.H == 1 {
		if what == "" {
			second = headline(sc, r.W, th)
		}
		return th.fillRect([]line{second}, r)
	}
	return th.fillRect([]line{headline(sc, r.W, th), second}, r)
}

// noticeLine says what is the matter, and at its right end what comes next; the first is cut when there is no room.
func noticeLine(what, then string, w int, th *Theme) line {
	what = " " + th.warn + " " + what
	if then == "" {
		return line{{toneNotice, pad(what, w, th.ellipsis)}}
	}
	then = "  " + then + " "
	return line{{toneNotice, pad(what, w-cells(then), th.ellipsis) + then}}
}

// headline is the first row: the job and its state on the left, the age of the data and the mode on the right.
func headline(sc *scene, w int, th *Theme) line {
	left, tail := line{say(toneKey, "culprit"), say(tonePlain, "  ")}, line{}
	before := say(toneDim, "data ")
	if w < 60 {
		left, before.text = nil, ""
	}
	if old, ok := sc.dataAge(); ok {
		tail = append(tail, before, say(ageTone(old), age(old)), say(toneDim, " old  "))
	}
	tail = append(tail, say(toneStrong, sc.mode))
	name, state := subjectOf(sc)
	room := w - left.width() - tail.width() - 4 - state.width()
	if room < 8 {
		tail = line{}
		room = w - left.width() - 4 - state.width()
	}
	left = append(left, say(toneStrong, cut(name, room, th.ellipsis)), say(tonePlain, "  "))
	return spread(append(left, state...), tail, w, th.ellipsis)
}

// subjectOf returns the name of what is watched and the words on its state.
func subjectOf(sc *scene) (string, line) {
	switch job := sc.job(); {
	case sc.opening != "":
		return sc.opening, line{say(toneDim, "opening")}
	case job != nil:
		state := line{say(stateTone(job.State), string(job.State))}
		if since := job.EnteredAt[job.State]; !since.IsZero() && !job.Now.IsZero() {
			state = append(state, say(tonePlain, " "+longDuration(job.Now.Sub(since))))
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
		return line{say(toneDim, sc.target)}
	}
	snap := sc.obs.Snapshot
	var facts []string
	if v := snap.Cluster.Version; v != "" {
		facts = append(facts, "flink "+v)
	}
	facts = append(facts, workers(snap))
	right := fmt.Sprintf("%.1f req/s", snap.Cost.PerSecond)
	return spread(line{say(toneDim, strings.Join(facts, dot)+dot+sc.target)}, line{say(toneDim, right)}, w, th.ellipsis)
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

// notice is what stands above all: a frozen picture, a failure, a part that could not be read; empty when all is well.
// then is what comes next; with alone set it tells the age of the data too, because nothing else on the screen does.
func (sc *scene) notice(alone bool) (what, then string) {
	switch {
	case sc.frozen:
		return "FROZEN " + age(sc.now.Sub(sc.received)) + " ago; data is still collected", "space shows the newest"
	case sc.link.err != nil && sc.obs != nil:
		detail, hint := cause(sc.link.err)
		if hint != "" {
			detail += "; " + hint
		}
		then = sc.nextTry()
		if old, ok := sc.dataAge(); ok && alone {
			then = "data " + age(old) + " old, " + then
		}
		return detail, then
	case sc.link.ended:
		return "the recording ends here", ""
	case sc.obs != nil && len(sc.obs.Snapshot.Problems) > 0:
		return problems(sc.obs.Snapshot.Problems), ""
	}
	return "", ""
}

func (sc *scene) nextTry() string {
	if sc.link.running {
		return "trying again, " + age(sc.now.Sub(sc.link.started))
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
