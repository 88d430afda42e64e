package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// checkpointFolio opens a checkpoint of the history, vertex by vertex.
func checkpointFolio(_ *scene, key string) *folio {
	id, err := strconv.ParseInt(key, 10, 64)
	if err != nil {
		return nil
	}
	return &folio{
		write: func(sc *scene, p *paper) { p.checkpoint(sc, id) },
		enter: func(_ *scene, vertex string) *folio {
			return checkpointVertexFolio(id, flinkapi.VertexID(vertex))
		},
		inspect: flinkapi.CheckpointRef{ID: id},
	}
}

// checkpointVertexFolio opens a vertex's part in a checkpoint, subtask by subtask.
func checkpointVertexFolio(id int64, vertex flinkapi.VertexID) *folio {
	return &folio{
		write:   func(sc *scene, p *paper) { p.checkpointSubtasks(sc, id, vertex) },
		inspect: flinkapi.CheckpointRef{ID: id, Vertex: vertex},
	}
}

// checkpointHead writes what is known of a checkpoint as a whole; nil where nothing is.
func (p *paper) checkpointHead(sc *scene, id int64) *flinkapi.Checkpoint {
	all := sc.checkpointHistory()
	i := slices.IndexFunc(all, func(c flinkapi.Checkpoint) bool { return c.ID == id })
	if i < 0 {
		p.add(line{say(toneDim, fmt.Sprintf("checkpoint %d is no longer known", id))})
		return nil
	}
	c, now := &all[i], sc.job().Now
	glyph, word, t := checkpointWord(c, p.th)
	p.heading(fmt.Sprintf("checkpoint %d", id))
	at := c.TriggeredAt.Add(sc.obs.At.Sub(now)).In(sc.zone)
	text := fmt.Sprintf("began %s, %s ago, ", at.Format("Jan 02 15:04:05"), age(now.Sub(c.TriggeredAt)))
	switch c.Status {
	case flinkapi.CheckpointInProgress:
		text += "and still runs"
	case "":
		text += "its end was not seen"
	default:
		text += "took " + diagnose.FormatSpan(c.Duration)
	}
	text += fmt.Sprintf("; %d of %d subtasks acknowledged; state %s, written %s, in flight %s",
		c.Acked, c.Subtasks, size(stateBytes(c)), size(c.CheckpointedBytes), size(c.PersistedBytes))
	p.entry(line{say(t, "  "+glyph+" "+word)}, 4, tonePlain, text)
	if c.Failure != "" {
		p.entry(line{say(toneWarn, "  "+p.th.warn)}, 4, tonePlain, c.Failure)
	}
	return c
}

// missingParts says why a checkpoint is not known by vertex or subtask.
func missingParts(sc *scene, id int64, what string) string {
	switch {
	case sc.frozen:
		return "not read by " + what + " before the picture was frozen"
	case !listed(sc.job(), id):
		return "Flink no longer tells of it, and it was not read by " + what + " in time"
	case sc.link.err != nil:
		return "not read by " + what + ": the cluster does not answer"
	}
	return "it is being read by " + what
}

// checkpoint writes a checkpoint with one row per vertex, in the order of the job.
func (p *paper) checkpoint(sc *scene, id int64) {
	c := p.checkpointHead(sc, id)
	if c == nil {
		return
	}
	p.heading("by vertex, of each the subtask that acknowledged last")
	if len(c.Vertices) == 0 {
		p.entry(nil, 2, toneDim, missingParts(sc, id, "vertex"))
		return
	}
	longest := time.Duration(0)
	for k := range c.Vertices {
		longest = max(longest, c.Vertices[k].Duration)
	}
	columns := partColumnsFor(p.w, "vertex", longest)
	p.add(columns.head())
	job := sc.job()
	for i := range job.Vertices {
		for k := range c.Vertices {
			if v := &c.Vertices[k]; v.Vertex == job.Vertices[i].ID {
				p.item(string(v.Vertex))
				p.part(columns, vertexPart(job.Vertices[i].Name, v))
			}
		}
	}
	p.close()
	if columns.bar > 0 {
		p.partsLegend(false)
	}
}

// checkpointSubtasks writes a vertex's part in a checkpoint with one row per subtask: those that have not
// acknowledged first, then the slowest.
func (p *paper) checkpointSubtasks(sc *scene, id int64, vertex flinkapi.VertexID) {
	c := p.checkpointHead(sc, id)
	if c == nil {
		return
	}
	name := string(vertex)
	if v := sc.job().Vertex(vertex); v != nil {
		name = v.Name
	}
	i := slices.IndexFunc(c.Vertices, func(v flinkapi.CheckpointVertex) bool { return v.Vertex == vertex })
	if i < 0 {
		p.heading("subtasks of " + name)
		p.entry(nil, 2, toneDim, missingParts(sc, id, "vertex"))
		return
	}
	v := &c.Vertices[i]
	p.heading(fmt.Sprintf("subtasks of %s, %d of %d acknowledged",
		chain(name, max(p.w-40, 12), &p.th.glyphs), v.Acked, v.Subtasks))
	if len(v.Parts) == 0 {
		p.entry(nil, 2, toneDim, missingParts(sc, id, "subtask"))
		return
	}
	parts := slices.Clone(v.Parts)
	slices.SortStableFunc(parts, func(a, b flinkapi.CheckpointPart) int {
		if a.Acked != b.Acked {
			return cmp.Compare(len(ackWord(a.Acked)), len(ackWord(b.Acked)))
		}
		return cmp.Compare(b.Duration, a.Duration)
	})
	longest := time.Duration(0)
	for k := range parts {
		longest = max(longest, parts[k].Duration)
	}
	columns := partColumnsFor(p.w, "subtask", longest)
	p.add(columns.head())
	for k := range parts {
		p.item(strconv.Itoa(parts[k].Subtask))
		p.part(columns, subtaskPart(&parts[k]))
	}
	p.close()
	if columns.bar > 0 {
		p.partsLegend(false)
	}
}
