package diagnose

import (
	"fmt"
	"strings"
	"time"

	"culprit/flinkapi"
)

func checkpointBarriersRule() Rule {
	return Rule{
		ID:    "FD0501",
		Name:  "checkpoint-barriers",
		Title: "checkpoints wait for barriers that wait among the records",
		Stage: StageCheckpoints,
		Needs: needs(shareSignals(), []flinkapi.Signal{
			flinkapi.StartDelay, flinkapi.DebloatedBufferSize, flinkapi.HardBackpressuredShare,
			flinkapi.GCShare, flinkapi.InPoolUsage, flinkapi.OutPoolUsage,
		}, rateSignals(), stallSignals()),
		Check: checkCheckpointBarriers,
	}
}

func checkCheckpointBarriers(c *Case) Finding {
	cp, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	a, known := c.newestAnatomy()
	if !known {
		return c.barriersUnread()
	}
	if c.dominant(&a) != phaseBarrier || !c.longWait(a.barrier.span) {
		return fine()
	}
	if len(a.missing) == 1 && c.few(&a.missing[0]) && c.standsStill(&a.missing[0]) {
		return notApplicable("the barrier waits for one call that does not return: checkpoint-stuck tells of it")
	}
	v, how := c.blamed(&a)
	if how == blameGone {
		return cannotTell(
			fmt.Sprintf("the last checkpoint waited %s for its barrier at %s, but nothing is held back now",
				FormatSpan(a.barrier.span), c.vertex(v).Name),
		)
	}
	verb := "take"
	if a.one.Status != flinkapi.CheckpointCompleted {
		verb = "take over"
	}
	f := Finding{
		Verdict:  Firing,
		Severity: c.slowness(a.total),
		Subject:  c.vertexSubject(v),
		Summary: fmt.Sprintf(
			"checkpoints %s %s, %s of it until the barriers come through: they wait among the records before %s%s",
			verb,
			FormatSpan(a.total),
			FormatSpan(a.barrier.span),
			c.vertex(v).Name,
			c.restorePoint(a.total),
		),
		Evidence: c.barrierEvidence(&a),
	}
	if how == blameLongCall {
		f.Summary = fmt.Sprintf(
			"checkpoints %s %s, since the barrier waits until %s is done with one record, timer or flush",
			verb,
			FormatSpan(a.total),
			c.vertex(v).Name,
		)
	}
	if x := c.collectingOf(v); how == blameCollector {
		f.Summary = fmt.Sprintf("checkpoints %s %s, since the barrier waits at %s, which stands still while %s "+
			"collects garbage, %s of the time", verb, FormatSpan(a.total), c.vertex(v).Name, x.worst,
			FormatRatio(flinkapi.Known(x.share)))
	}
	c.followed(&f, v, how)
	f.Remedies = append([]Remedy{c.cureFirst(v, how)}, c.unalignedRemedies(cp, &a, v, how)...)
	// Smaller buffers free no thread, and a link wants larger ones.
	if how != blameCollector && how != blameNetwork {
		f.Remedies = append(f.Remedies, c.debloatRemedy(v)...)
	}
	f.Remedies = append(f.Remedies, c.tolerate()...)
	f.Dont = c.barrierDonts(cp, &a, v, how)
	return f
}

// followed says what the wait of the barriers is a consequence of.
func (c *Case) followed(f *Finding, v int, how blame) {
	switch how {
	case blameCulprit:
		f.causedBy = c.job.Vertices[v].ID
	case blameCollector:
		f.follows = heapFullRule().Name
	case blameNetwork:
		f.follows = networkRule().Name
	case blameQueue, blameLongCall, blameGone:
	}
}

// barriersUnread answers from what is known without the parts of a checkpoint.
func (c *Case) barriersUnread() Finding {
	typical, settled := usual(c.attempt())
	running := runningCheckpoint(c.attempt())
	slow := settled && c.longWait(typical) || running != nil && c.longWait(c.checkpointAge(running))
	if !slow {
		return fine()
	}
	for v := range c.job.Vertices {
		delay, ok := c.spread(v, flinkapi.StartDelay).Max.Float()
		if d := time.Duration(delay * float64(time.Second)); ok && c.longWait(d) && c.behindPressure(v) {
			return Finding{
				Verdict:  Firing,
				Severity: c.slowness(d),
				Subject:  c.vertexSubject(v),
				Summary: fmt.Sprintf(
					"the barrier of the last checkpoint came to %s after %s: it waits among the records",
					c.vertex(v).Name,
					FormatSpan(d),
				),
				Evidence: []Evidence{{
					Signal: flinkapi.StartDelay.String(), Label: "start delay", Subject: c.vertex(v).Name,
					Value: flinkapi.Known(delay), Unit: flinkapi.Seconds, For: true, Age: c.age(),
				}},
				Remedies: []Remedy{c.cureFirst(v, blameQueue)},
				Dont:     []string{throughputDont},
			}
		}
	}
	return cannotTell(
		"checkpoints are slow, and which part of them was not read yet",
		"the newest checkpoint by subtask",
	)
}

func (c *Case) longWait(d time.Duration) bool { return d >= c.limits.checkpointLong || c.tooSlow(d) }

// blame says why a barrier waits before a vertex.
type blame int

const (
	blameCulprit   blame = iota // records wait before the culprit
	blameQueue                  // records wait, and nobody is named
	blameLongCall               // no records wait, but the vertex is busy
	blameCollector              // the vertex is busy because its TaskManager collects garbage
	blameNetwork                // records wait between two vertices, and nobody is slow
	blameGone                   // none of them, by now
)

// blamed returns the vertex that the barrier waits for: the culprit where one has to do with it.
func (c *Case) blamed(a *anatomy) (vertex int, how blame) {
	v := a.barrier.vertex
	if u := c.holder(v); u >= 0 {
		return u, blameCulprit
	}
	switch {
	case c.behindPressure(v) && checkNetwork(c).Verdict == Firing:
		return v, blameNetwork
	case c.behindPressure(v):
		return v, blameQueue
	case c.heapBusy(v):
		return v, blameCollector
	case c.shares(v).busy.Or(0) >= c.limits.some:
		return v, blameLongCall
	}
	return v, blameGone
}

func (c *Case) barrierEvidence(a *anatomy) []Evidence {
	name := c.vertex(a.barrier.vertex).Name
	label := "wait for barriers"
	if a.alignment*2 > a.barrier.span {
		label = "wait for barriers, most of it alignment"
	}
	out := []Evidence{
		c.durationEvidence(a.one, "checkpoint-duration", "checkpoint, end to end", "job", a.total),
		c.durationEvidence(a.one, "checkpoint-barrier", label, name, a.barrier.span),
	}
	if done := withStatus(
		c.attempt(),
		flinkapi.CheckpointCompleted,
	); len(done) > 1 &&
		done[0].Duration < a.total/2 {
		out = append(
			out,
			c.durationEvidence(&done[0], "checkpoint-duration", "checkpoint, end to end, before", "job",
				done[0].Duration),
		)
	}
	return out
}

func (c *Case) cureFirst(v int, how blame) Remedy {
	if how == blameLongCall {
		return Remedy{
			Do: "shorten what " + c.vertex(
				v,
			).Name + " does for one record or timer, or make the call asynchronous",
			Gain: "the barrier waits for one such call at most",
			Risk: "more calls at a time for the system that is called",
			Link: asyncLink,
			Undo: undoCode,
		}
	}
	if how == blameCollector {
		return Remedy{
			Do: "find first what fills the heap of " + string(c.collectingOf(v).worst) +
				": no barrier passes while all threads are stopped",
			Gain: "checkpoints take as long as before the heap was full",
			Risk: "none for checkpoints",
			Link: heapLink,
			Undo: undoMend,
		}
	}
	if how == blameNetwork {
		return Remedy{
			Do:   "mend first the way between the hosts: barriers go there with the records",
			Gain: "checkpoints take as long as before",
			Risk: "none for checkpoints",
			Link: networkLink,
			Undo: undoMend,
		}
	}
	do := "cure " + c.vertex(v).Name + " first"
	if how == blameQueue { // that vertex may only wait for its records
		do = "find and cure first what holds back the records before " + c.vertex(v).Name
	}
	return Remedy{
		Do:   do + ": barriers move at the speed of the records",
		Gain: "checkpoints take as long as before the backlog",
		Risk: "none for checkpoints",
		Link: pressedLink,
		Undo: undoMend,
	}
}

const keyDebloat = "taskmanager.network.memory.buffer-debloat.enabled"

// debloatRemedy offers smaller buffers, or larger ones where they were made too small for a record.
func (c *Case) debloatRemedy(v int) []Remedy {
	link := networkLink + "#the-buffer-debloating-mechanism"
	on, set, known := c.setting(keyDebloat)
	if size, tiny := c.tinyBuffers(v); tiny {
		return []Remedy{
			{
				Do: "raise the least size of a network buffer: debloating went down to " + FormatBytes(size) +
					", and one record blocks several times",
				Key:  "taskmanager.memory.min-segment-size",
				Gain: "a record fits into a buffer, so the task is not blocked in the middle of it",
				Risk: "more data in flight",
				Undo: c.undo("taskmanager.memory.min-segment-size"),
				fits: fit{since: 114},
				Link: link,
			},
		}
	}
	if known && !(set && strings.EqualFold(on, "true")) {
		return []Remedy{
			{
				Do:   "let Flink keep less data in flight (buffer debloating)",
				Key:  keyDebloat,
				From: c.from(keyDebloat, "false"),
				To:   "true",
				Gain: "about one second of data waits at each vertex (taskmanager.network.memory.buffer-debloat.target)",
				Risk: "throughput drops while load varies fast, or above some 200 subtasks",
				Undo: c.undo(keyDebloat),
				fits: fit{since: 114},
				Link: link,
			},
		}
	}
	return nil
}

// tinyBuffers tells whether debloating has made the buffers before v, or before what v holds back, so small
// that tasks are blocked in the middle of a record.
func (c *Case) tinyBuffers(v int) (bytes float64, tiny bool) {
	above := c.g.above(v)
	for u := range c.job.Vertices {
		if u != v && !above[u] {
			continue
		}
		size, ok := c.spread(u, flinkapi.DebloatedBufferSize).Min.Float()
		if ok && size > 0 && size < c.limits.debloatedLeast && (!tiny || size < bytes) {
			bytes, tiny = size, true
		}
	}
	hard := false
	for u := range c.job.Vertices {
		hard = hard || above[u] && c.spread(u, flinkapi.HardBackpressuredShare).Max.Or(0) > c.limits.low
	}
	return bytes, tiny && hard
}

func (c *Case) barrierDonts(cp *flinkapi.Checkpoints, a *anatomy, v int, how blame) []string {
	out := []string{
		"a longer timeout or interval alone does not help: the recovery point stands still for longer",
	}
	why := c.unalignedWontHelp(cp, a, v)
	if how == blameLongCall {
		why = "unaligned checkpoints do not help here: a barrier is handled only between two records or timers"
	}
	if how == blameCollector {
		why = "unaligned checkpoints do not help here: no barrier is handled while the collector stops all threads"
	}
	switch {
	case why != "":
		out = append(out, why)
	case cp.Configured && !cp.Unaligned:
		out = append(out, "unaligned checkpoints bring no more than checkpoints that complete: the "+
			"records wait as long as before, and savepoints stay aligned")
	}
	if len(c.tolerate()) > 0 {
		out = append(out, "waiting does not help: "+c.crashRisk())
	}
	return out
}
