package lab

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"culprit/lab/cluster"
	"culprit/lab/rest"
)

// The faults, in the order in which they are made on one cluster.
const (
	faultNewborn = "just-started"
	faultLocal   = "local-channels"
	faultFrozen  = "frozen-taskmanager"
	faultNoJM    = "killed-jobmanager"
)

// faultNice keeps the faults, which run all the while, from taking the core of a scenario that computes.
const faultNice = 10

// FaultNames returns the names of the checks that are more than a job and a verdict.
func FaultNames() []string {
	return append(faultsOfCluster(), fleetName)
}

func faultsOfCluster() []string { return []string{faultNewborn, faultLocal, faultFrozen, faultNoJM} }

// faults makes faults on a cluster of two TaskManagers with one job, slow-middle, whose vertices have a
// subtask on each of them.
type faults struct {
	Options
	cluster *cluster.Cluster
	client  rest.Client
	job     cluster.JobID
	began   time.Time // when the job was submitted
	right   Expect
}

// faultCluster runs the wanted faults one after the other.
func (o Options) faultCluster(ctx context.Context) ([]Result, error) {
	var wanted []string
	for _, name := range faultsOfCluster() {
		if o.wants(name) {
			wanted = append(wanted, name)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	config := cluster.Config{Version: o.Version, TaskManagers: 2, SlotsPerTM: 1, Nice: faultNice}
	c, err := cluster.Start(ctx, config, o.Log)
	if err != nil {
		return nil, err
	}
	defer o.stop(c)
	f := o.faultsOn(c)
	if err = f.submit(ctx); err != nil {
		return nil, err
	}
	var results []Result
	for _, name := range wanted {
		var replay *Replay
		f.Check = o.recorded(name, &replay)
		result, err := f.make(ctx, name)
		if err != nil {
			return results, fmt.Errorf("%s: %w", name, err)
		}
		result.Scenario, result.Tries, result.Replay = name, 1, replay
		o.show(result)
		results = append(results, result)
	}
	return results, nil
}

func (o Options) faultsOn(c *cluster.Cluster) *faults {
	return &faults{
		Options: o, cluster: c, client: rest.Client{URL: c.URL()}, right: culprit("enrich", "external-wait"),
	}
}

func (f *faults) submit(ctx context.Context) error {
	scenario, err := Named("slow-middle")
	if err != nil {
		return err
	}
	f.began = time.Now()
	f.job, err = f.cluster.Submit(ctx, scenario.Class, scenario.Args...)
	return err
}

// settle waits until the job has run as long as every job does before its check.
func (f *faults) settle(ctx context.Context) error { return Sleep(ctx, unwatched-time.Since(f.began)) }

func (f *faults) make(ctx context.Context, name string) (Result, error) {
	switch name {
	case faultNewborn:
		return f.newborn(ctx)
	case faultLocal:
		return f.localChannels(ctx)
	case faultFrozen:
		return f.frozen(ctx)
	default:
		return f.noJobManager(ctx)
	}
}

// localChannels reads the culprit's inPoolUsage, which Flink fills from remote channels only, and asks for
// the verdict, which must stand without it. The job runs alone on a cluster with one TaskManager, so the
// reason rests on that TaskManager's CPU, too.
func (f *faults) localChannels(ctx context.Context) (Result, error) {
	result := Result{Expected: "inPoolUsage of enrich is 0, and the verdict stands: " + f.right.String()}
	config := cluster.Config{Version: f.Version, TaskManagers: 1, SlotsPerTM: 2, Nice: faultNice}
	c, err := cluster.Start(ctx, config, f.Log)
	if err != nil {
		return result, err
	}
	defer f.stop(c)
	local := f.faultsOn(c)
	if err = local.submit(ctx); err != nil {
		return result, err
	}
	if err = local.settle(ctx); err != nil {
		return result, err
	}
	verdict, err := local.verdict(ctx, f.Watch)
	if err != nil {
		return result, err
	}
	usage, known, err := local.inPoolUsage(ctx)
	if err != nil {
		return result, err
	}
	result.First, result.Firm = verdict.First, verdict.Firm
	result.OK = known && usage == 0 && (f.Check == nil || f.right.Judge(verdict).Reason)
	result.Seen = fmt.Sprintf("inPoolUsage %.3g (known: %v); %s", usage, known, verdict)
	return result, nil
}

func (f *faults) inPoolUsage(ctx context.Context) (value float64, known bool, err error) {
	look, err := f.client.Look(ctx, string(f.job))
	if err != nil {
		return 0, false, err
	}
	for _, v := range look.Vertices {
		if v.Name == f.right.Culprits[0].Vertex {
			return f.gauge(ctx, v.ID, "Shuffle.Netty.Input.Buffers.inPoolUsage", "max")
		}
	}
	return 0, false, nil
}

// verdict asks culprit; without it, it looks at the job and lets the JobManager fetch what was asked for.
func (f *faults) verdict(ctx context.Context, watch time.Duration) (Verdict, error) {
	if f.Check == nil {
		if _, err := f.client.Look(ctx, string(f.job)); err != nil {
			return Verdict{}, err
		}
		return Verdict{Reasons: []string{"not asked"}}, Sleep(ctx, min(watch, fetchPause))
	}
	return f.Check(ctx, f.cluster.URL(), string(f.job), Watch{Most: watch})
}

// frozen stops a TaskManager for 30 s. Flink answers all the while, with metrics of all TaskManagers that no
// longer move; culprit must say so instead of taking them for news, and name the culprit again afterwards.
func (f *faults) frozen(ctx context.Context) (Result, error) {
	result := Result{Expected: "frozen: exit 3, nobody, names tm-2 and the age; after: " + f.right.String()}
	if err := f.settle(ctx); err != nil {
		return result, err
	}
	if _, err := f.verdict(ctx, 5*time.Second); err != nil { // the metrics are fresh when the fault comes
		return result, err
	}
	if err := f.cluster.StopTM(2); err != nil {
		return result, err
	}
	during, facts, err := f.whileFrozen(ctx)
	if resumed := f.cluster.ContTM(2); err == nil {
		err = resumed
	}
	if err != nil {
		return result, err
	}
	if err = Sleep(ctx, 15*time.Second); err != nil {
		return result, err
	}
	after, err := f.verdict(ctx, f.Watch)
	if err != nil {
		return result, err
	}
	age := regexp.MustCompile(`\b\d+(\.\d+)? ?s\b`)
	honest := during.Exit == 3 && len(during.Named) == 0 &&
		strings.Contains(during.Text, "tm-2") && age.MatchString(during.Text)
	result.OK = f.Check == nil || honest && f.right.Judge(after).Reason
	result.Seen = fmt.Sprintf("%s; frozen: exit %d, %s; after: %s", facts, during.Exit, during, after)
	return result, f.keep(faultFrozen+".json", during.Text)
}

// whileFrozen takes 30 s in all. The heartbeat timeout of 50 s would make Flink drop the TaskManager.
func (f *faults) whileFrozen(ctx context.Context) (Verdict, string, error) {
	if err := Sleep(ctx, 18*time.Second); err != nil {
		return Verdict{}, "", err
	}
	verdict, err := f.verdict(ctx, 10*time.Second)
	if err != nil {
		return verdict, "", err
	}
	silence, err := f.silence(ctx)
	return verdict, fmt.Sprintf("last heartbeats %v ago", silence), err
}

// silence gives the time since the last heartbeat of each TaskManager, by this machine's clock, which is the
// JobManager's too.
func (f *faults) silence(ctx context.Context) (map[string]time.Duration, error) {
	var list struct {
		TaskManagers []struct {
			ID   string `json:"id"`
			Last int64  `json:"timeSinceLastHeartbeat"` // a time in ms since the epoch, despite its name
		} `json:"taskmanagers"`
	}
	if err := f.client.Get(ctx, "/taskmanagers", &list); err != nil {
		return nil, err
	}
	silence := map[string]time.Duration{}
	for _, t := range list.TaskManagers {
		silence[t.ID] = time.Since(time.UnixMilli(t.Last)).Round(time.Second)
	}
	return silence, nil
}

// noJobManager kills the JobManager and starts it again. Without high availability the job is lost: it is
// unknown before and after, and a job that is submitted again gets its verdict.
func (f *faults) noJobManager(ctx context.Context) (Result, error) {
	result := Result{Expected: "dead: exit 3; back: exit 3, the job is unknown; new job: " + f.right.String()}
	f.cluster.KillJM()
	dead, err := f.unknown(ctx)
	if err != nil {
		return result, err
	}
	if err = f.cluster.RestartJM(); err != nil {
		return result, err
	}
	lost, err := f.unknown(ctx)
	if err != nil {
		return result, err
	}
	gone, err := f.client.Raw(ctx, "/jobs/"+string(f.job))
	if err != nil {
		return result, err
	}
	if err = f.submit(ctx); err != nil {
		return result, err
	}
	if err = f.settle(ctx); err != nil {
		return result, err
	}
	again, err := f.verdict(ctx, f.Watch)
	if err != nil {
		return result, err
	}
	honest := dead.Exit == 3 && lost.Exit == 3 && len(dead.Named)+len(lost.Named) == 0
	result.OK = gone.Status == http.StatusNotFound && (f.Check == nil || honest && f.right.Judge(again).Reason)
	result.Seen = fmt.Sprintf("dead: exit %d; back: exit %d, status %d; new job: %s",
		dead.Exit, lost.Exit, gone.Status, again)
	return result, nil
}

// unknown asks for a job that nobody can tell about.
func (f *faults) unknown(ctx context.Context) (Verdict, error) {
	if f.Check == nil {
		return Verdict{}, nil
	}
	return f.Check(ctx, f.cluster.URL(), string(f.job), Watch{Most: 5 * time.Second})
}
