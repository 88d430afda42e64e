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
	cols := workerColumns(p.w - 2 - id)
	p.add(headOf("  "+pad("TaskManager", id, ""), cols))
	for i := range sc.report.TaskManagers {
		p.worker(sc.report, &sc.report.TaskManagers[i], id, cols)
	}
	p.entry(
		nil,
		2,
		toneDim,
		"CPU is cores in use by the process; the least heap of the last 15 minutes is about what "+
			"a collection leaves; only TaskManagers with busy subtasks are read each time, the others in turn",
	)
}

// workerColumn is a column of the table of TaskManagers.
type workerColumn struct {
	name string
	w    int
	show func(*diagnose.WorkerState) span
}

// workerColumns are as many columns as fit in w cells, the most telling first.
func workerColumns(w int) []workerColumn {
	plain := func(text string) span { return say(tonePlain, text) }
	all := []workerColumn{
		{"slots", 8, func(t *diagnose.WorkerState) span {
			return plain(fmt.Sprintf("%d of %d", t.Slots-t.Free, t.Slots))
		}},
		{"CPU", 14, func(t *diagnose.WorkerState) span { return plain(cores(t.Cores)) }},
		{"GC", 8, func(t *diagnose.WorkerState) span { return say(gcTone(t.GC), percent(t.GC)) }},
		{"heartbeat", 15, func(t *diagnose.WorkerState) span {
			d, ok := seconds(t.Silent)
			if !ok {
				return plain(unknownMark)
			}
			return say(toneDim, age(d)+" ago")
		}},
		{"heap", 19, func(t *diagnose.WorkerState) span { return plain(ofSize(t.HeapUsed, t.HeapMax)) }},
		{"least heap", 12, func(t *diagnose.WorkerState) span { return plain(size(t.HeapFloor)) }},
		{
			"network",
			19,
			func(t *diagnose.WorkerState) span { return plain(ofSize(t.NetworkUsed, t.NetworkMax)) },
		},
		{
			"managed",
			19,
			func(t *diagnose.WorkerState) span { return plain(ofSize(t.ManagedUsed, t.ManagedMax)) },
		},
	}
	for i := range all {
		if w -= all[i].w; w < 0 {
			return all[:i]
		}
	}
	return all
}

func headOf(first string, cols []workerColumn) line {
	for _, c := range cols {
		first += right(c.name, c.w)
	}
	return line{say(toneDim, first)}
}

func (p *paper) worker(rep *diagnose.Report, t *diagnose.WorkerState, id int, cols []workerColumn) {
	row := line{say(toneStrong, "  "+pad(string(t.ID), id, p.th.ellipsis))}
	for _, c := range cols {
		shown := c.show(t)
		row = append(row, say(shown.tone, right(shown.text, c.w)))
	}
	p.add(row)
	p.workerHints(rep, t.ID)
	name := min(max(p.w-36, 12), 36)
	for _, tasks := range t.Tasks {
		head := line{
			say(toneDim, "    "), say(heatTone(tasks.Busy), percent(tasks.Busy)),
			say(tonePlain, "  "+pad(chain(tasks.Vertex.Name, name, &p.th.glyphs), name, p.th.ellipsis)),
		}
		p.entry(head, 0, toneDim, "subtask "+indices(tasks.Subtasks))
	}
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
