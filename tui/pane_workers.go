package tui

import (
	"fmt"
	"slices"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// workersText shows each TaskManager with its machine and the job's tasks on it.
func workersText(sc *scene, p *paper) {
	if sc.report == nil || len(sc.report.TaskManagers) == 0 {
		p.add(line{say(toneDim, "the TaskManagers have not been read yet")})
		return
	}
	p.findings(sc.report, "FD10")
	p.heading(plural(len(sc.report.TaskManagers), "TaskManager"))
	id := 12
	for i := range sc.report.TaskManagers {
		id = max(id, cells(string(sc.report.TaskManagers[i].ID)))
	}
	id = min(id, max(p.w/4, 12))
	cols := workerColumns(p.w-2-id, barCells(p.w))
	p.add(headOf("  "+pad("TaskManager", id, ""), cols))
	for i := range sc.report.TaskManagers {
		p.item(string(sc.report.TaskManagers[i].ID))
		p.worker(sc.report, &sc.report.TaskManagers[i], id, cols)
	}
	p.close()
	p.add(nil)
	p.entry(
		nil,
		2,
		toneDim,
		"CPU is what the process uses of its machine's cores; the least heap of the last 15 minutes is about what "+
			"a collection leaves; only TaskManagers with busy subtasks are read each time, the others in turn",
	)
}

// worker is a TaskManager with what was found of it and the job's tasks on it.
func (p *paper) worker(rep *diagnose.Report, t *diagnose.WorkerState, id int, cols []workerColumn) {
	row := line{say(tonePlain, "  "), say(toneStrong, pad(string(t.ID), id, p.th.ellipsis))}
	for i := range cols {
		row = append(row, cols[i].cell(t, barCells(p.w), p.th)...)
	}
	p.add(row)
	p.workerHints(rep, t.ID)
	p.workerTasks(t)
}

// workerTasks writes the job's tasks on a TaskManager by vertex, with the busiest subtask of each.
func (p *paper) workerTasks(t *diagnose.WorkerState) {
	bar := barCells(p.w)
	name := min(max(p.w-46-bar, 12), 36)
	for i := range t.Tasks {
		tasks := &t.Tasks[i]
		head := append(line{say(toneDim, "    ")}, p.th.meter(tasks.Busy, bar, heatTone(tasks.Busy))...)
		head = append(head, say(heatTone(tasks.Busy), " "+percent(tasks.Busy)),
			say(tonePlain, "  "+pad(chain(tasks.Vertex.Name, name, &p.th.glyphs), name, p.th.ellipsis)))
		whose := "busy, subtask "
		if len(tasks.Subtasks) > 1 {
			whose = "busy, max of subtasks "
		}
		p.entry(head, 0, toneDim, whose+indices(tasks.Subtasks))
	}
}

// workerFolio shows one TaskManager: what it has of everything, in full, and the job's tasks on it.
func workerFolio(_ *scene, key string) *folio {
	return &folio{write: func(sc *scene, p *paper) {
		var t *diagnose.WorkerState
		for i := range sc.report.TaskManagers {
			if string(sc.report.TaskManagers[i].ID) == key {
				t = &sc.report.TaskManagers[i]
			}
		}
		if t == nil {
			p.add(line{say(toneDim, "the cluster no longer lists this TaskManager")})
			return
		}
		p.heading("TaskManager " + key)
		if t.Host != "" {
			p.entry(line{say(toneDim, "  host")}, 19, tonePlain, t.Host)
		}
		bar := min(max(p.w-60, 8), 40)
		for _, c := range workerColumnsAll(bar) {
			label := say(toneDim, "  "+pad(c.name, 15, ""))
			if c.part == nil {
				p.add(line{label, say(tonePlain, "  "+c.text(t))})
				continue
			}
			p.add(append(line{label}, c.cell(t, bar, p.th)...))
		}
		age := unknownMark
		if d, ok := seconds(t.Age); ok {
			age = diagnose.FormatDuration(d)
		}
		p.entry(line{say(toneDim, "  age of these")}, 19, tonePlain, age)
		p.heading("the job's tasks on it, by vertex")
		p.workerTasks(t)
		p.workerHints(sc.report, t.ID)
	}}
}

// workerHints writes what was found of a TaskManager: that a culprit is slow because of its machine, or
// trouble of its own.
func (p *paper) workerHints(rep *diagnose.Report, id flinkapi.TaskManagerID) {
	hint := func(rule, text string) {
		p.entry(line{say(toneWarn, "    "+p.th.warn+" "+rule)}, 6, tonePlain, text)
	}
	for i := range rep.Culprits {
		c := &rep.Culprits[i]
		if c.Reason.Name == "slow-host" && slices.Contains(c.TaskManagers, id) {
			hint(c.Reason.Name, c.Reason.Summary)
		}
	}
	for i := range rep.Also {
		if f := &rep.Also[i]; f.Subject.TaskManager == id {
			hint(f.Rule, first(f.Summary, f.Title))
		}
	}
}

// gcTone warns of collection from a tenth of the time on.
func gcTone(v flinkapi.Value) tone {
	const look, verdict = 0.1, 0.3
	switch x := v.Or(0); {
	case x >= verdict:
		return toneBusy
	case x >= look:
		return toneWarn
	}
	return tonePlain
}

func cores(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	return diagnose.FormatCount(x) + " cores"
}

// size formats bytes: "1.23 GB"; what is not known gives "-".
func size(v flinkapi.Value) string {
	x, ok := v.Float()
	if !ok {
		return unknownMark
	}
	digits, prefix := diagnose.Scale(x)
	return strings.TrimSpace(digits + " " + strings.ToUpper(prefix) + "B")
}

func ofSize(used, most flinkapi.Value) string {
	if !used.IsKnown() {
		return unknownMark
	}
	return size(used) + " of " + size(most)
}

// indices writes subtask numbers as ranges: "0 to 3, 7".
func indices(all []int) string {
	var parts []string
	for i := 0; i < len(all); {
		k := i
		for k+1 < len(all) && all[k+1] == all[k]+1 {
			k++
		}
		switch k {
		case i:
			parts = append(parts, fmt.Sprint(all[i]))
		case i + 1:
			parts = append(parts, fmt.Sprint(all[i]), fmt.Sprint(all[k]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", all[i], all[k]))
		}
		i = k + 1
	}
	return strings.Join(parts, ", ")
}
