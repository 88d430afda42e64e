package tui

import (
	"culprit/diagnose"
	"culprit/flinkapi"
)

// look is how the part of a vertex in the diagnosis is shown: never by its colour alone.
type look struct {
	glyph string
	tone  tone
	word  string
}

// span is the sign and the word.
func (l look) span() span { return say(l.tone, l.glyph+" "+l.word) }

func (l look) width() int { return cells(l.glyph) + 1 + cells(l.word) }

// roleLook is the look of a part in the diagnosis; of a culprit it is that of a firm and critical one.
func roleLook(r diagnose.Role, th *Theme) look {
	out := look{th.unknown, toneUnknown, string(r)}
	switch r {
	case diagnose.RoleCulprit:
		out.glyph, out.tone = th.culprit, toneCulprit
	case diagnose.RoleHeldBack:
		out.glyph, out.tone = th.held, toneBack
	case diagnose.RoleStarved:
		out.glyph, out.tone = th.starved, toneIdle
	case diagnose.RoleFine:
		out.glyph, out.tone = th.fine, toneFine
	case diagnose.RoleFinished:
		out.glyph, out.tone = th.finished, toneDim
	case diagnose.RoleUnknown:
	}
	return out
}

// trouble is what else than its shares of time is the matter with a vertex; the zero value is nothing.
type trouble struct {
	word, short, why string
	tone             tone
}

// look is how the vertex is shown: by its trouble where it has one that its role does not tell, else by its
// role.
func (v vertexView) look(th *Theme) look {
	out := roleLook(v.state.Role, th)
	switch v.state.Role {
	case diagnose.RoleCulprit:
		out.tone, out.word = v.grade.edge, v.grade.word
	case diagnose.RoleFine, diagnose.RoleStarved, diagnose.RoleUnknown:
		if v.trouble.word != "" {
			if v.trouble.word == waitsWord {
				return look{th.starved, v.trouble.tone, v.trouble.word}
			}
			return look{th.warn, v.trouble.tone, v.trouble.word}
		}
	case diagnose.RoleHeldBack, diagnose.RoleFinished:
	}
	return out
}

// lookIn is the look in w cells, shorter where it must be.
func (v vertexView) lookIn(w int, th *Theme) look {
	out := v.look(th)
	if out.width() > w && out.word == v.trouble.word {
		out.word = v.trouble.short
	}
	return out
}

// why says why the vertex looks as it does.
func (v vertexView) why(th *Theme) string {
	if v.trouble.why != "" && v.look(th).word == v.trouble.word {
		return v.trouble.why
	}
	return v.state.Why
}

// The rules whose findings are shown on a vertex.
const (
	restartLoopRule   = "restart-loop"
	watermarkHeldRule = "watermark-held"
)

// troubles tells which vertices are in trouble.
func (sc *scene) troubles(job *flinkapi.Job) map[flinkapi.VertexID]trouble {
	if sc.report == nil {
		return nil
	}
	out := map[flinkapi.VertexID]trouble{}
	for i := range sc.report.Vertices {
		if v := &sc.report.Vertices[i]; v.Blamed != "" {
			t, _ := severityTones(v.Severity, v.Blamed)
			out[v.Vertex.ID] = trouble{v.Blamed, v.Severity.String(), v.Trouble, t}
		}
	}
	findings := sc.report.Also
	if sc.report.State != nil {
		findings = append(findings[:len(findings):len(findings)], *sc.report.State)
	}
	for i := range findings {
		switch f := &findings[i]; f.Rule {
		case watermarkHeldRule:
			sc.waiting(job, f.Subject.Vertex, out)
			out[f.Subject.Vertex] = trouble{"watermark held", "wm held", f.Summary, toneWarn}
		case restartLoopRule:
			if v := thrower(job); v != nil {
				out[v.ID] = trouble{"threw", "threw", f.Summary, toneWarn}
			}
		}
	}
	return out
}

// waitsWord is what a vertex is called that is not slow, but gives nothing out or gets nothing while the
// watermark is held.
const waitsWord = "waits"

// waiting marks the vertices behind one whose watermark is held through which no records come, unless they
// have a trouble of their own.
func (sc *scene) waiting(job *flinkapi.Job, held flinkapi.VertexID, out map[flinkapi.VertexID]trouble) {
	if job == nil {
		return
	}
	behind := map[flinkapi.VertexID]bool{held: true}
	for range job.Vertices { // as many steps as the longest path may have
		before := len(behind)
		for _, e := range job.Edges {
			if behind[e.From] {
				behind[e.To] = true
			}
		}
		if len(behind) == before {
			break
		}
	}
	none := func(v flinkapi.Value) bool { return v.IsKnown() && v.Or(0) == 0 }
	for i := range sc.report.Vertices {
		v := &sc.report.Vertices[i]
		if id := v.Vertex.ID; behind[id] && out[id].word == "" && (none(v.RecordsIn) || none(v.RecordsOut)) {
			why := "no records come through it while the watermark is held"
			out[id] = trouble{waitsWord, waitsWord, why, toneIdle}
		}
	}
}

// thrower is the vertex of the newest exception, where it names a task: "parse (3/4) - execution #75".
func thrower(job *flinkapi.Job) *flinkapi.Vertex {
	if len(job.Exceptions) == 0 {
		return nil
	}
	task := job.Exceptions[0].Task
	name, _, ok := diagnose.TaskOf(task)
	if !ok {
		name = task
	}
	for i := range job.Vertices {
		if v := &job.Vertices[i]; v.Name == name {
			return v
		}
	}
	return nil
}
