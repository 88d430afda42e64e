package tui

import (
	"fmt"
	"strings"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// workersText shows each TaskManager with its machine and the job's tasks on it.
func workersText(sc *scene, w int, th *Theme) []string {
	p := &paper{w: w, th: th}
	if sc.report == nil || len(sc.report.TaskManagers) == 0 {
		p.add(line{say(toneDim, "the TaskManagers have not been read yet")})
		return p.rows
	}
	p.findings(sc.report, "FD10")
	p.heading(plural(len(sc.report.TaskManagers), "TaskManager"))
	id := 12
	for i := range sc.report.TaskManagers {
		id = max(id, cells(string(sc.report.TaskManagers[i].ID)))
	}
	id = min(id, max(w/4, 12))
	wide := w >= 110
	head := "  " + pad("TaskManager", id, "") + right("slots", 8) + right("CPU", 12) + right("GC", 7) +
		right("heap", 17)
	if wide {
		head += right("least heap", 12) + right("network", 17) + right("managed", 17)
	}
	p.add(line{say(toneDim, head+right("heartbeat", 11))})
	for i := range sc.report.TaskManagers {
		p.worker(&sc.report.TaskManagers[i], id, wide)
	}
	p.entry(nil, 2, toneDim, "CPU is cores in use by the process; the least heap of the last 15 minutes is about what "+
		"a collection leaves; only TaskManagers with busy subtasks are read each time, the others in turn")
	return p.rows
}

func (p *paper) worker(t *diagnose.WorkerState, id int, wide bool) {
	silent := unknownMark
	if d, ok := seconds(t.Silent); ok {
		silent = age(d) + " ago"
	}
	row := line{
		say(toneStrong, "  "+pad(string(t.ID), id, p.th.ellipsis)),
		say(tonePlain, right(fmt.Sprintf("%d of %d", t.Slots-t.Free, t.Slots), 8)),
		say(tonePlain, right(cores(t.Cores), 12)),
		say(gcTone(t.GC), right(percent(t.GC), 7)),
		say(tonePlain, right(ofSize(t.HeapUsed, t.HeapMax), 17)),
	}
	if wide {
		row = append(row, say(tonePlain, right(size(t.HeapFloor), 12)),
			say(tonePlain, right(ofSize(t.NetworkUsed, t.NetworkMax), 17)),
			say(tonePlain, right(ofSize(t.ManagedUsed, t.ManagedMax), 17)))
	}
	p.add(append(row, say(toneDim, right(silent, 11))))
	for _, tasks := range t.Tasks {
		head := line{
			say(toneDim, "    "), say(heatTone(tasks.Busy), percent(tasks.Busy)),
			say(tonePlain, "  "+pad(chain(tasks.Vertex.Name, 36, &p.th.glyphs), 36, p.th.ellipsis)),
		}
		p.entry(head, 0, toneDim, "subtask "+indices(tasks.Subtasks))
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
		switch {
		case k == i:
			parts = append(parts, fmt.Sprint(all[i]))
		case k == i+1:
			parts = append(parts, fmt.Sprint(all[i]), fmt.Sprint(all[k]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", all[i], all[k]))
		}
		i = k + 1
	}
	return strings.Join(parts, ", ")
}
