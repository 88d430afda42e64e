package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// ownCheckpoints lists its part in each checkpoint that was read by subtask, newest first.
func (p *paper) ownCheckpoints(sc *scene, r *subtaskRow) {
	p.heading("its part in the checkpoints")
	job := sc.job()
	switch {
	case job.Checkpoints == nil:
		p.entry(nil, 2, toneDim, "the checkpoints have not been read yet")
		return
	case !job.Checkpoints.Enabled:
		p.entry(nil, 2, toneDim, "checkpointing is off")
		return
	}
	var all []ownPart
	longest := time.Duration(0)
	for i := range job.Checkpoints.History {
		c := &job.Checkpoints.History[i]
		if part := partOf(c, r.table.v.vertex.ID, r.Index); part != nil {
			all = append(all, ownPart{c, part})
			longest = max(longest, part.Duration)
		}
	}
	if len(all) == 0 {
		p.entry(nil, 2, toneDim, "none has been read subtask by subtask yet; the newest are, one after the "+
			"other, while this screen is open")
		return
	}
	p.partsTable(all, longest, job.Now)
}

// ownPart is the part of a subtask in a checkpoint.
type ownPart struct {
	of   *flinkapi.Checkpoint
	part *flinkapi.CheckpointPart
}

func partOf(c *flinkapi.Checkpoint, id flinkapi.VertexID, subtask int) *flinkapi.CheckpointPart {
	for i := range c.Vertices {
		if c.Vertices[i].Vertex != id {
			continue
		}
		for k := range c.Vertices[i].Parts {
			if c.Vertices[i].Parts[k].Subtask == subtask {
				return &c.Vertices[i].Parts[k]
			}
		}
	}
	return nil
}

func (p *paper) partsTable(all []ownPart, longest time.Duration, now time.Time) {
	const partWidth = 13
	head := right("id", checkpointIDWidth) + right("began ago", checkpointAgeWidth) +
		right("duration", checkpointSpanWidth)
	looks := p.th.partLooks()
	wide := p.w >= cells(head)+len(looks)*partWidth+checkpointSizeWidth
	if wide {
		for _, look := range looks {
			head += right(look.name, partWidth)
		}
	}
	head += right("state", checkpointSizeWidth)
	bar := min(max(p.w-cells(head)-2, 0), 60)
	p.add(line{say(toneDim, head)})
	for _, one := range all {
		row := line{
			say(tonePlain, right(strconv.FormatInt(one.of.ID, 10), checkpointIDWidth)),
			say(toneDim, right(age(now.Sub(one.of.TriggeredAt)), checkpointAgeWidth)),
		}
		if !one.part.Acked {
			p.add(append(row, say(toneWarn, "  not acknowledged")))
			continue
		}
		parts := partsIn(one.part)
		row = append(row, say(toneStrong, right(diagnose.FormatSpan(one.part.Duration), checkpointSpanWidth)))
		if wide {
			for i, look := range looks {
				row = append(row, say(look.tone, right(diagnose.FormatSpan(parts[i]), partWidth)))
			}
		}
		row = append(row, say(tonePlain, right(size(one.part.StateBytes), checkpointSizeWidth)))
		if bar > 0 && longest > 0 {
			row = append(row, say(tonePlain, "  "))
			row = append(row, p.th.stacked(parts, one.part.Duration, longest, bar)...)
		}
		p.add(row)
	}
	if bar > 0 || wide {
		p.partsLegend(false)
	}
}

// The bounds of what is shown of stack samples.
const (
	shownPlaces = 3
	shownFrames = 14
)

// ownStacks tells what its thread was seen to do: by state, by place, and the newest stack of each place,
// with the user's own code bright.
func (p *paper) ownStacks(sc *scene, r *subtaskRow) {
	p.heading("what its thread does")
	seen := r.table.history.Stacks(r.Index)
	if seen == nil {
		p.entry(nil, 2, toneDim, noStacks(sc, r))
		return
	}
	whose := "its thread"
	if seen.Whole {
		whose = "all threads of the vertex together"
	}
	p.entry(nil, 2, tonePlain, fmt.Sprintf("%s at %s, from %ss, the newest %s old", plural(seen.Looks, "look"),
		whose, seen.Origin, age(r.table.end.Sub(seen.To))))
	share := func(n int) string {
		return diagnose.FormatRatio(flinkapi.Known(float64(n) / float64(seen.Looks)))
	}
	var states []string
	for _, s := range seen.States {
		states = append(states, s.Name+" "+share(s.Looks))
	}
	if len(states) > 0 {
		p.entry(line{say(toneDim, "  state")}, 10, tonePlain, strings.Join(states, ", "))
	}
	for i := range seen.Places[:min(len(seen.Places), shownPlaces)] {
		p.stack(&seen.Places[i], share(seen.Places[i].Looks))
	}
	if rest := len(seen.Places) - shownPlaces; rest > 0 {
		p.entry(nil, 2, toneDim, plural(rest, "further place")+" with fewer looks")
	}
}

// noStacks says why there are no samples.
func noStacks(sc *scene, r *subtaskRow) string {
	if r.table.history == nil {
		return notYetWord(sc)
	}
	if r.table.history.Sampled() {
		return "no sample holds its thread: of a culprit those TaskManagers are looked at that run most of its " +
			"busy subtasks, two at a time, and what one look tells is bounded"
	}
	if r.table.v.vertex.StacksShared {
		return "no sample: its threads cannot be told from those of another task of the same name on its " +
			"TaskManager"
	}
	if sc.report != nil {
		for i := range sc.report.Culprits {
			if sc.report.Culprits[i].Vertex.ID == r.table.v.vertex.ID {
				return "no thread dump has told of it yet: they are taken in bursts, of TaskManagers that " +
					"run the culprit"
			}
		}
	}
	return "not looked at: a thread dump stops a TaskManager for some 100 ms, so only those of a culprit " +
		"are taken"
}

// stack writes the newest stack of a place, innermost first.
func (p *paper) stack(s *diagnose.StackPlace, share string) {
	head := line{say(toneStrong, "  "+right(share, percentWidth)), say(tonePlain, "  "+s.Does)}
	if s.Lock != "" {
		head = append(head, say(toneDim, "  lock "+s.Lock))
	}
	p.add(head)
	shown := min(len(s.Frames), shownFrames)
	for i, f := range s.Frames[:shown] {
		name := f.Class + "." + f.Method
		if f.Line > 0 {
			name += ":" + strconv.Itoa(f.Line)
		}
		mark, t := " ", toneDim
		if i < len(s.Whose) {
			switch s.Whose[i] {
			case diagnose.UserCode:
				mark, t = p.th.bullet, toneStrong
			case diagnose.LibraryCode:
				t = tonePlain
			case diagnose.FlinkCode, diagnose.JDKCode:
			}
		}
		p.add(line{say(tonePlain, "        "), say(t, mark+" "+cut(name, max(p.w-10, 1), p.th.ellipsis))})
	}
	if rest := len(s.Frames) - shown; rest > 0 {
		p.add(line{say(toneDim, "          "+plural(rest, "further frame"))})
	}
}

// ownWorker shows its TaskManager with all tasks of the job on it.
func (p *paper) ownWorker(sc *scene, r *subtaskRow) {
	p.heading("its TaskManager")
	if sc.report != nil {
		for i := range sc.report.TaskManagers {
			if worker := &sc.report.TaskManagers[i]; worker.ID == r.TaskManager && r.TaskManager != "" {
				id := min(max(cells(string(worker.ID)), 12), max(p.w/4, 12))
				columns := workerColumns(p.w-2-id, barCells(p.w))
				p.add(headOf("  "+pad("TaskManager", id, ""), columns))
				p.worker(sc.report, worker, id, columns)
				return
			}
		}
	}
	p.entry(nil, 2, toneDim, first(string(r.TaskManager), unknownMark)+": its numbers have not been read yet")
}
