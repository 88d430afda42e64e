package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Treatment is something that can be done about an incident: the fix that belongs to it, or one that people
// try and that does not help.
type Treatment struct {
	// Name is short and without spaces, such as "faster-database".
	Name string
	// Says what is done and what comes of it, in one sentence.
	Says string
	// Right says that it is the fix that belongs to the incident.
	Right bool
	// Eases says that it takes away what the incident is called after, but not the culprit.
	Eases bool
	// Redeploy stops the tasks and starts them again from the latest completed checkpoint, as new code, new
	// settings and a new parallelism need it; without it the changes take effect while the job runs.
	Redeploy bool
	// Job is the position of the job in Config.Jobs.
	Job int
	// Changes are what it alters, all at once: At is left out of account.
	Changes []Change
}

// Does is the part of Says that does not tell what comes of it.
func (t Treatment) Does() string {
	does, _, _ := strings.Cut(strings.TrimSuffix(t.Says, "."), ": ")
	return does
}

// Treatments are what can be done about the incident that the cluster was started with.
func (c *Cluster) Treatments() []Treatment { return slices.Clone(c.treatments) }

// Treatment finds one of the scenario's treatments by its name.
func (s Scenario) Treatment(name string) (Treatment, error) {
	names := make([]string, 0, len(s.Treatments))
	for _, t := range s.Treatments {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return Treatment{}, fmt.Errorf("the scenario %s has no treatments", s.Name)
	}
	return Treatment{}, fmt.Errorf("the scenario %s has no treatment %q; there are %s", s.Name, name,
		strings.Join(names, ", "))
}

// due is a treatment that begins at a moment, in seconds since the start of the cluster.
type due struct {
	at float64
	Treatment
}

// ApplyAfter begins a treatment when so much more simulated time has passed; see [Cluster.Apply]. One whose
// job has ended by then does nothing.
func (c *Cluster) ApplyAfter(t Treatment, wait time.Duration) error {
	if wait <= 0 {
		return c.Apply(t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.treatable(t); err != nil {
		return err
	}
	c.waiting = append(c.waiting, due{c.seconds() + wait.Seconds(), t})
	return nil
}

// treatDue begins the treatments whose moment has come.
func (c *Cluster) treatDue(now float64) {
	c.waiting = slices.DeleteFunc(c.waiting, func(d due) bool {
		if d.at > now+c.cfg.Step.Seconds()/2 {
			return false
		}
		if j := c.jobs[d.Job]; !j.terminal() {
			j.treat(c, d.Changes, d.Redeploy, now)
		}
		return true
	})
}

// Apply begins a treatment at the current simulated time. It fails for a job that has ended. A redeployment
// keeps the job and its id, as Flink's adaptive scheduler does when the required resources change: the job
// is RESTARTING for a second, then each task is a new attempt whose counters begin at zero. TaskManagers are
// added where the job needs more slots than are free.
func (c *Cluster) Apply(t Treatment) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	j, err := c.treatable(t)
	if err != nil {
		return err
	}
	j.treat(c, t.Changes, t.Redeploy, c.seconds())
	return nil
}

// treatable is the job that a treatment is for.
func (c *Cluster) treatable(t Treatment) (*job, error) {
	if t.Job < 0 || t.Job >= len(c.jobs) {
		return nil, fmt.Errorf("treatment %s: there is no job %d", t.Name, t.Job)
	}
	j := c.jobs[t.Job]
	if j.terminal() {
		return nil, fmt.Errorf("treatment %s: the job %s has ended", t.Name, j.spec.Name)
	}
	return j, nil
}

// treat makes the changes now, or with a redeployment that begins now.
func (j *job) treat(c *Cluster, changes []Change, redeploy bool, now float64) {
	for _, change := range changes {
		if redeploy || change.Parallelism > 0 {
			j.pending = append(j.pending, change)
			continue
		}
		j.change(c, change, now)
	}
	if (redeploy || len(j.pending) > 0) && j.state != restarting {
		j.stop(now)
	}
}

// stop cancels every task for a redeployment.
func (j *job) stop(now float64) {
	j.cancel(now, -1, -1)
	j.checkpoint.abort(j, now)
	j.enter(restarting, now)
	j.retryAt = now + redeployTime
	j.planned = true
}

// change alters the job as it runs; a new parallelism needs its tasks to be stopped.
func (j *job) change(c *Cluster, change Change, now float64) {
	j.changeVertex(c, change, now)
	v := &j.net.vertices[change.Vertex]
	if change.Source != nil {
		v.supply(*change.Source)
	}
	if change.Rate > 0 {
		source := *v.Source
		source.Rate = change.Rate
		v.supply(source)
	}
	if change.Host != nil {
		c.refit(change.Host, now)
	}
	if change.Checkpoints != nil {
		j.checkpoint.set(*change.Checkpoints)
	}
	if change.Mend {
		j.mend(c)
	}
}

// changeVertex alters what a vertex does, and how its work is split.
func (j *job) changeVertex(c *Cluster, change Change, now float64) {
	v := &j.net.vertices[change.Vertex]
	if change.Service > 0 {
		ratio := change.Service.Seconds() / v.Service.Seconds()
		v.Service = change.Service
		for i := range v.tasks {
			v.tasks[i].service *= ratio
		}
	}
	if change.Factors != nil {
		v.Factors = change.Factors
		j.setServices(c, change.Vertex)
	}
	if change.Parallelism > 0 && change.Parallelism != v.Parallelism {
		j.rescale(c, change.Vertex, change.Parallelism, now)
	}
	if change.Keys != nil {
		j.net.rekey(change.Vertex, *change.Keys)
	}
	for _, e := range v.in {
		j.net.edges[e].Link = orElse(change.Link, j.net.edges[e].Link)
	}
	if change.Late != nil {
		v.Late = change.Late
	}
	if change.Work != nil {
		v.Work = *change.Work
	}
	v.SyncTime, v.TTL = orElse(change.SyncTime, v.SyncTime), orElse(change.TTL, v.TTL)
	v.changeOwed(change)
}

// changeOwed alters what a vertex does beside handling records.
func (v *vertex) changeOwed(change Change) {
	if change.Window != nil {
		v.Window = change.Window
	}
	if change.Timers != nil {
		v.Timers = change.Timers
	}
	if change.Rhythm != nil {
		v.Rhythm = change.Rhythm
	}
	if change.Holding != nil {
		v.Holding = change.Holding
	}
	if change.Hang != nil {
		v.hang(*change.Hang)
	}
}

// supply puts a new supply under the source v; what its log holds unread stays.
func (v *vertex) supply(source Source) {
	backlog := 0.0
	for i := range v.tasks {
		backlog += v.tasks[i].supply.backlog
	}
	v.Source = &source
	for i := range v.tasks {
		s := &v.tasks[i].supply
		old := *s
		*s = newSupply(&source, i, v.Parallelism)
		s.left, s.event, s.begun, s.lost = old.left, old.event, old.begun, old.lost
		if s.log {
			s.backlog = backlog * source.share(i, v.Parallelism)
		}
	}
}

// refit gives a TaskManager another speed or heap.
func (c *Cluster) refit(host *Host, now float64) {
	w := c.workers[host.TaskManager]
	w.burnt += (now - w.since) * w.standing()
	w.since = now
	w.Slowdown, w.GC = orElse(host.Slowdown, 1), host.GC
	w.HeapUsed, w.Upload = orElse(host.HeapUsed, defaultHeapUsed), host.Upload
	w.Cores, w.NetworkBytes = orElse(host.Cores, w.Cores), orElse(host.NetworkBytes, w.NetworkBytes)
	w.shares = w.shares || host.Cores > 0
	for _, j := range c.jobs {
		for v := range j.net.vertices {
			j.setServices(c, v)
		}
	}
}

func (j *job) setServices(c *Cluster, v int) {
	for i := range j.subtasks[v] {
		j.setService(c, v, i)
	}
}

// mend ends the faults of the job.
func (j *job) mend(c *Cluster) {
	for _, f := range j.spec.Faults {
		if f.Kind == TaskManagerStalls {
			c.workers[f.TaskManager].stalled = false
			j.settled = false
		}
	}
	j.spec.Faults = nil
}

// helps is the fix that belongs to an incident.
func helps(name, says string, changes ...Change) Treatment {
	return Treatment{Name: name, Says: says, Right: true, Changes: changes}
}

// eases takes the reason of an incident away and leaves its culprit.
func eases(name, says string, changes ...Change) Treatment {
	return Treatment{Name: name, Says: says, Eases: true, Changes: changes}
}

// inVain is a fix that is often tried and changes nothing.
func inVain(name, says string, changes ...Change) Treatment {
	return Treatment{Name: name, Says: says, Changes: changes}
}

// redeployed needs the job to be deployed anew.
func redeployed(t Treatment) Treatment {
	t.Redeploy = true
	return t
}

// salted splits each hot key into so many with even shares.
func salted(keys Keys, parts int) *Keys {
	out := Keys{Distinct: keys.Distinct}
	for _, k := range keys.Hot {
		for i := range parts {
			out.Hot = append(out.Hot, Key{fmt.Sprintf("%s#%d", k.Name, i), k.Share / float64(parts)})
		}
	}
	return &out
}
