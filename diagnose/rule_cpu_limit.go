package diagnose

import (
	"fmt"
	"math"
	"strings"

	"culprit/flinkapi"
)

func cpuLimitRule() Rule {
	return Rule{
		ID: "FD1002", Name: "cpu-limit", Title: "its TaskManager gets too little CPU", Stage: StageMachine,
		Needs: needs(shareSignals(), []flinkapi.Signal{flinkapi.CPUTime, flinkapi.CPULoad}), Check: checkCPULimit,
	}
}

// crowd is a TaskManager whose busy subtasks take turns on its cores.
type crowd struct {
	id                flinkapi.TaskManagerID
	used, limit, busy float64
	tasks             int // how many subtasks of the job run on it
}

// String says how crowded it is: "tm-1 uses 1.95 of its 2 cores while 4 of the 6 subtasks on it are busy".
func (at *crowd) String() string {
	busy := min(int(math.Round(at.busy)), at.tasks)
	who := fmt.Sprintf("%d of the %s on it are busy", busy, FormatThings(at.tasks, "subtasks"))
	switch {
	case at.tasks == 1:
		who = "the only subtask on it is busy"
	case busy == at.tasks:
		who = fmt.Sprintf("all %d subtasks on it are busy", at.tasks)
	}
	return fmt.Sprintf("%s uses %s of its %s while %s",
		at.id, FormatCount(at.used), withNoun(at.limit, "cores"), who)
}

func checkCPULimit(c *Case) Finding {
	l := c.looks(c.subject())
	work := float64(l.count(workActivities()...)) // those of the culprit that want CPU
	if l.enough() && l.share(workActivities()...) < c.limits.stackShare {
		return fine()
	}
	if f, starved := c.starvedOfCPU(l); starved {
		return f
	}
	_, shared := c.coresPerBusySubtask()
	known := false
	var crowds []crowd
	for _, id := range c.taskManagers(c.subject()) {
		limit, okLimit := c.cpuLimit(id)
		used, okUsed := c.w.cores(id).Float()
		if !okLimit || !okUsed {
			continue
		}
		if used > c.limits.overLimit*limit { // so that is no limit
			continue
		}
		known = true
		at := crowd{id, used, limit, c.busyOn(id), c.tasksOn(id)}
		if used < c.limits.atLimit*limit || at.busy < c.limits.crowded*limit {
			continue
		}
		// Of the used cores this many at least are the culprit's: the others' busy subtasks use one each at most.
		own := used - (at.busy - float64(c.busyOf(c.subject(), id)))
		if len(crowds) == 0 && work == 0 && (shared || own < c.limits.some*used) {
			return cannotTell(
				fmt.Sprintf(
					"the CPU of %s is used up, but whether the culprit is among those that use it is not known",
					id,
				),
				l.missing(),
			)
		}
		crowds = append(crowds, at)
	}
	if len(crowds) > 0 {
		return c.crowdedOut(crowds)
	}
	if !known {
		return cannotTell("the CPU of its TaskManagers, or how many cores they may use, is not known",
			flinkapi.CPUTime.String())
	}
	return fine()
}

// tasksOn is how many subtasks of the job run on a TaskManager.
func (c *Case) tasksOn(id flinkapi.TaskManagerID) int {
	i, known := c.placed.index[id]
	if !known {
		return 0
	}
	n := 0
	for _, t := range c.placed.tasks[i] {
		n += len(t.Subtasks)
	}
	return n
}

// crowdedOut tells of TaskManagers at their limit.
func (c *Case) crowdedOut(all []crowd) Finding {
	const most = 3
	f := Finding{
		Verdict: Firing, Remedies: c.moreCPU(),
		Dont: []string{
			"more parallelism on the same TaskManagers does not help: there is no core left for it",
		},
	}
	var told []string
	for i := range all[:min(len(all), most)] {
		at := &all[i]
		told = append(told, at.String())
		f.Evidence = append(f.Evidence, Evidence{
			Signal: flinkapi.CPUTime.String(), Label: "cores used", Subject: string(at.id),
			Value: flinkapi.Known(at.used), Unit: Cores, For: true, Age: c.age(),
			Note: "of " + FormatCount(at.limit),
		}, Evidence{
			Signal: "busy-subtasks", Label: "subtasks busy on it", Subject: string(at.id),
			Value: flinkapi.Known(at.busy), Unit: flinkapi.Count, For: true, Age: c.age(),
			Note: fmt.Sprintf("of %d", at.tasks),
		})
	}
	if more := len(all) - most; more > 0 {
		told = append(told, fmt.Sprintf("and so do %d more", more))
	}
	f.Summary = "its TaskManager " + strings.Join(told, "; ") + ": they take turns"
	return f
}

// starvedOfCPU tells of a culprit whose threads want to compute and get little CPU.
func (c *Case) starvedOfCPU(l *looks) (Finding, bool) {
	ready := l.countIf(func(s *sighting) bool { return s.ready() })
	cores, _ := c.coresPerBusySubtask()
	n, known := cores.Float()
	if !l.enough() || float64(ready) < c.limits.stackShare*float64(l.counted) || !known || n > c.limits.waiting {
		return Finding{}, false
	}
	where := "other processes on its machine, or the limit of its container, take it"
	if full := c.fullMachine(); full != "" {
		where = full
	}
	return Finding{
		Verdict: Firing,
		Summary: fmt.Sprintf(
			"it is starved of CPU: ready to compute in %s, but %s: %s",
			l.told(ready),
			coresText(n),
			where,
		),
		Evidence: append(c.looksEvidence(l, workActivities()...), c.cpuEvidence(cores, true)...),
		Operator: c.operatorOf(c.subject(), l, workActivities()...),
		Remedies: c.moreCPU(),
		Dont:     []string{"more parallelism on the same machines does not help: there is no core left for it"},
	}, true
}

// ready tells whether a thread could use a core: it runs code that is no call outside the JVM, which may wait
// though it is RUNNABLE.
func (s *sighting) ready() bool {
	switch s.does {
	case computing, parsing, compressing, serializing:
		return s.state == "RUNNABLE" && !s.native
	default:
		return false
	}
}

// moreCPU are what helps a TaskManager without a free core.
func (c *Case) moreCPU() []Remedy {
	const factor = "kubernetes.taskmanager.cpu.limit-factor"
	amount := "kubernetes.taskmanager.cpu.amount"
	now, more := c.scaled(factor, "1.0", 2)
	limit := Remedy{
		Do: "raise the CPU limit of the TaskManagers' pods above what they ask for", Key: factor,
		From: now, To: more,
		Gain: "they may use cores that are free on their machine, instead of being throttled",
		Risk: "pods of one machine compete when all are busy", Undo: c.undo(factor),
		Link: settingLink(factor),
	}
	cores := Remedy{
		Do: "give the TaskManagers more cores", Key: amount, From: first(c.setting(amount)),
		Gain: "as many busy subtasks run at a time as there are cores", Risk: "cost",
		Undo: c.undo(amount), Link: settingLink(amount),
	}
	slots, half := c.fewerSlots()
	spread := Remedy{
		Do:  "run fewer slots in each TaskManager, on more machines",
		Key: c.key("taskmanager.numberOfTaskSlots"), From: slots, To: half,
		Gain: "fewer subtasks share the cores of one", Risk: "more TaskManagers are needed for the same slots",
		Undo: c.undo(c.key("taskmanager.numberOfTaskSlots")), Link: settingLink("taskmanager.numberOfTaskSlots"),
	}
	if _, on, _ := c.setting("kubernetes.cluster-id"); !on {
		cores.Do = "give the TaskManagers' machines or containers more cores"
		cores.Key, cores.From = "", ""
		cores.Undo, cores.Link = "give them as many as before", settingLink("taskmanager.cpu.cores")
		return []Remedy{spread, cores}
	}
	return []Remedy{limit, cores, spread}
}
