package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/lab/cluster"
)

// fleetName is the check of all jobs of a shared cluster at once, as someone does who does not know yet which
// of them is slow.
const fleetName = "all-jobs"

// fleetWatch bounds that check: the jobs are looked at in turn.
const fleetWatch = 4 * time.Minute

// CheckAll asks culprit about all jobs of a cluster at once.
type CheckAll func(ctx context.Context, url string, watch Watch) (Fleet, error)

// Fleet is what culprit said about all jobs of a cluster.
type Fleet struct {
	// Verdicts are by the ids of the jobs.
	Verdicts map[string]Verdict
	// Text is the answer as it came.
	Text string
	// Replay is that of a Verdict.
	Replay *Replay
}

// fleetScenarios run on the shared cluster. Between them are culprits in the middle and at the end, a hot
// instance, two culprits in one job, jobs that are well and one that does not run.
func fleetScenarios() []string {
	return []string{
		"slow-middle", "slow-sink", "hot-key", "lock", "two-pipelines", "healthy", "no-headroom", "restart-loop",
	}
}

// fleet checks all jobs at once; each must get the verdict that it gets alone.
func (o Options) fleet(ctx context.Context) ([]Result, error) {
	if !o.wants(fleetName) || o.CheckAll == nil {
		return nil, nil
	}
	var scenarios []Scenario
	slots := 0
	for _, name := range fleetScenarios() {
		s, err := Named(name)
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, s)
		slots += s.slots()
	}
	config := cluster.Config{Version: o.Version, TaskManagers: 2, SlotsPerTM: (slots + 1) / 2}
	c, err := cluster.Start(ctx, config, o.Log)
	if err != nil {
		return nil, err
	}
	defer o.stop(c)
	jobs, err := submitted(ctx, c, scenarios)
	if err != nil {
		return nil, err
	}
	if err = Sleep(ctx, unwatched); err != nil {
		return nil, err
	}
	watch := Watch{Most: fleetWatch, Record: o.record(fleetName)}
	told, err := o.CheckAll(ctx, c.URL(), watch)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	result := fleetResult(scenarios, jobs, told.Verdicts)
	result.Replay = told.Replay
	if err != nil { // a check that breaks is a wrong answer, not the end of the lab
		result.OK, result.Seen = false, err.Error()
	}
	o.show(result)
	return []Result{result}, o.keep(fleetName+".json", told.Text)
}

// submitted starts the jobs of scenarios and returns their ids, in the same order.
func submitted(ctx context.Context, c *cluster.Cluster, scenarios []Scenario) ([]string, error) {
	jobs := make([]string, len(scenarios))
	for i, s := range scenarios {
		job, err := c.Submit(ctx, s.Class, s.Args...)
		if err != nil {
			return nil, err
		}
		jobs[i] = string(job)
	}
	return jobs, nil
}

// fleetResult judges the verdict of each job; the jobs are in the order of their scenarios.
func fleetResult(scenarios []Scenario, jobs []string, verdicts map[string]Verdict) Result {
	result := Result{
		Scenario: fleetName, Tries: 1,
		Expected: "of each job what is said of it alone: " + strings.Join(fleetScenarios(), ", "),
	}
	var wrong []string
	var slowest float64
	for i, s := range scenarios {
		verdict, told := verdicts[jobs[i]]
		switch {
		case !told:
			wrong = append(wrong, s.Name+" is not told of")
		case !s.Expect.Judge(verdict).Reason:
			wrong = append(wrong, s.Name+" gets "+verdict.String())
		}
		if verdict.Firm != nil {
			slowest = max(slowest, *verdict.Firm)
		}
	}
	result.OK = len(wrong) == 0
	result.Seen = fmt.Sprintf("%d of %d right, the last one firm after %.3g s",
		len(scenarios)-len(wrong), len(scenarios), slowest)
	result.Seen = strings.Join(slices.Insert(wrong, 0, result.Seen), "; ")
	return result
}
