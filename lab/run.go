package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"culprit/lab/cluster"
	"culprit/lab/rest"
)

// unwatched is how long a job runs before it is checked, without any request for metrics: longer than the 60
// s over which Flink averages its gauges.
const unwatched = 65 * time.Second

// quietAtOnce is how many scenarios with a cluster of their own and little need of CPU run at a time.
const quietAtOnce = 2

// maxTries is how often a scenario may be checked; each second try is shown.
const maxTries = 2

// Options says what a run of the lab does.
type Options struct {
	Version string
	// Check asks culprit. Nil proves instead from Flink's raw counters that the scenarios show what they
	// should.
	Check Check
	// CheckAll asks culprit about all jobs of a cluster at once; nil leaves that check out.
	CheckAll CheckAll
	// Watch bounds each check.
	Watch time.Duration
	// Together is how many checks run at once; 0 for all, which alone leaves every job unwatched until its
	// check.
	Together int
	// Wanted picks scenarios and faults by name; nil for all.
	Wanted func(name string) bool
	// Answers is a folder that gets every answer of culprit, and its recording; empty for none.
	Answers string
	Log     io.Writer

	records string // the folder of the recordings
}

// Run starts the clusters of one Flink version, runs scenarios and faults, and stops everything. The waiting
// jobs share a cluster, while those with a cluster of their own that need little CPU run two at a time; after
// them those that need TaskManagers to themselves run one at a time; the faults have a cluster all the while.
func Run(ctx context.Context, o Options) ([]Result, error) {
	remove, failed := o.keepRecordings()
	if failed != nil {
		return nil, failed
	}
	defer remove()
	shared, quiet, alone := o.scenarios()
	var jobs, faults []Result
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		var err error
		if jobs, err = o.beside(ctx, shared, quiet); err != nil {
			return err
		}
		for _, s := range alone {
			results, err := o.ownCluster(ctx, s)
			if err != nil {
				return err
			}
			jobs = append(jobs, results...)
		}
		return nil
	})
	group.Go(func() error {
		var err error
		faults, err = o.faultCluster(ctx)
		return err
	})
	err := group.Wait()
	results := slices.Concat(jobs, faults)
	for i := range results {
		results[i].Version = o.Version
		results[i].Date = time.Now().UTC().Format(time.DateOnly)
	}
	return results, err
}

// beside runs the shared clusters, one after the other, and the quiet ones.
func (o Options) beside(ctx context.Context, shared, quiet []Scenario) ([]Result, error) {
	results := make([][]Result, 2+len(quiet))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(1 + quietAtOnce)
	group.Go(func() error {
		for _, batch := range batches(shared) {
			found, err := o.sharedCluster(ctx, batch)
			results[0] = append(results[0], found...)
			if err != nil {
				return err
			}
		}
		return nil
	})
	group.Go(func() error {
		var err error
		results[1], err = o.fleet(ctx)
		return err
	})
	for i, s := range quiet {
		group.Go(func() error {
			var err error
			results[2+i], err = o.ownCluster(ctx, s)
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(results...), err
}

func (o Options) scenarios() (shared, quiet, alone []Scenario) {
	for _, s := range Scenarios() {
		switch {
		case !o.wants(s.Name):
		case s.Alone:
			alone = append(alone, s)
		case s.Own != nil:
			quiet = append(quiet, s)
		default:
			shared = append(shared, s)
		}
	}
	return shared, quiet, alone
}

func (o Options) wants(name string) bool { return o.Wanted == nil || o.Wanted(name) }

// maxSlots bounds what runs at once on a machine of two cores.
const maxSlots = 48

// batches splits scenarios in order into groups that may run at once.
func batches(scenarios []Scenario) [][]Scenario {
	var groups [][]Scenario
	used := maxSlots
	for _, s := range scenarios {
		if used+s.slots() > maxSlots {
			groups = append(groups, nil)
			used = 0
		}
		used += s.slots()
		groups[len(groups)-1] = append(groups[len(groups)-1], s)
	}
	return groups
}

// sharedCluster runs waiting scenarios at once. The slots are so few that both TaskManagers have some of
// them.
func (o Options) sharedCluster(ctx context.Context, scenarios []Scenario) ([]Result, error) {
	slots := 0
	for _, s := range scenarios {
		slots += s.slots()
	}
	config := cluster.Config{Version: o.Version, TaskManagers: 2, SlotsPerTM: (slots + 1) / 2}
	c, err := cluster.Start(ctx, config, o.Log)
	if err != nil {
		return nil, err
	}
	defer o.stop(c)
	return o.scenariosOn(ctx, c, scenarios)
}

// ownCluster runs one scenario, and its fault, on a cluster of its own.
func (o Options) ownCluster(ctx context.Context, s Scenario) ([]Result, error) {
	config := cluster.Config{TaskManagers: 1, SlotsPerTM: s.slots()}
	if s.Own != nil {
		config = *s.Own
	}
	config.Version = o.Version
	c, err := cluster.Start(ctx, config, o.Log)
	if err != nil {
		return nil, err
	}
	defer o.stop(c)
	if s.Fault == nil {
		return o.scenariosOn(ctx, c, []Scenario{s})
	}
	return o.faulty(ctx, c, s)
}

// faulty runs a scenario while its fault is made.
func (o Options) faulty(ctx context.Context, c *cluster.Cluster, s Scenario) ([]Result, error) {
	making, end := context.WithCancel(ctx)
	defer end()
	var group errgroup.Group
	group.Go(func() error { return s.Fault(making, c) })
	results, err := o.scenariosOn(ctx, c, []Scenario{s})
	end()
	if failure := group.Wait(); err == nil && failure != nil && !errors.Is(failure, context.Canceled) {
		err = fmt.Errorf("fault of %s: %w", s.Name, failure)
	}
	return results, err
}

// scenariosOn submits the scenarios, leaves them alone for a while, and checks all, the wrong ones twice.
func (o Options) scenariosOn(
	ctx context.Context, c *cluster.Cluster, scenarios []Scenario,
) ([]Result, error) {
	jobs := map[string]cluster.JobID{}
	for _, s := range scenarios {
		job, err := c.Submit(ctx, s.Class, s.Args...)
		if err != nil {
			return nil, err
		}
		jobs[s.Name] = job
	}
	o.logf("flink %s at %s: %d scenarios run", o.Version, c.URL(), len(scenarios))
	results := make([]Result, len(scenarios))
	for try := 1; try <= maxTries; try++ {
		if err := Sleep(ctx, unwatched); err != nil {
			return nil, err
		}
		if err := o.examineWrong(ctx, c, scenarios, jobs, results, try); err != nil {
			unchecked := func(r Result) bool { return r.Scenario == "" }
			return slices.DeleteFunc(results, unchecked), err
		}
		if !slices.ContainsFunc(results, func(r Result) bool { return !r.OK }) {
			break
		}
	}
	return results, nil
}

// examineWrong checks each scenario whose result is not right (yet).
func (o Options) examineWrong(
	ctx context.Context, c *cluster.Cluster, scenarios []Scenario, jobs map[string]cluster.JobID,
	results []Result, try int,
) error {
	group, ctx := errgroup.WithContext(ctx)
	if o.Together > 0 {
		group.SetLimit(o.Together)
	}
	for i, s := range scenarios {
		if results[i].OK {
			continue
		}
		group.Go(func() error {
			if try == 1 {
				if err := Sleep(ctx, s.Before); err != nil {
					return err
				}
			}
			cores := coresUsed(c, s)
			result, err := o.examine(ctx, c.URL(), s, jobs[s.Name], try)
			if ctx.Err() != nil { // nothing was found out; the last try stands
				return ctx.Err()
			}
			result.Cores, result.Replay = cores(), results[i].Replay.plus(result.Replay)
			o.show(result)
			results[i] = result
			return err
		})
	}
	return group.Wait()
}

// examine checks one scenario once.
func (o Options) examine(
	ctx context.Context, url string, s Scenario, job cluster.JobID, try int,
) (Result, error) {
	if o.Check == nil {
		result, err := construction(ctx, url, s, job, max(o.Watch, s.Watch))
		result.Tries = try
		return result, err
	}
	result := Result{Scenario: s.Name, Expected: s.Expect.String(), Tries: try}
	watch := Watch{
		Most: max(o.Watch, s.Watch, s.Least), Least: s.Least, Record: o.record(fmt.Sprintf("%s-%d", s.Name, try)),
	}
	verdict, err := o.Check(ctx, url, string(job), watch)
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	if err != nil { // a check that breaks is a wrong answer, not the end of the lab
		result.Seen = err.Error()
	} else {
		result.Seen, result.First, result.Firm = verdict.String(), verdict.First, verdict.Firm
		result.Replay = verdict.Replay
		grade := s.Expect.Judge(verdict)
		result.Grade, result.OK = &grade, grade.Reason
		for _, named := range verdict.Named {
			result.Named = append(result.Named, named.Vertex)
		}
	}
	if result.Screen, err = (rest.Client{URL: url}).Screen(ctx, string(job)); err != nil {
		o.logf("no screen of %s: %v", s.Name, err) // the comparison leaves it out
	}
	return result, o.keep(fmt.Sprintf("%s-%d.json", s.Name, try), verdict.Text)
}

// coresUsed measures how much CPU the TaskManager of a scenario that runs alone gets until the returned
// function is called. A verdict that rests on it cannot be right where the machine has no core to spare.
func coresUsed(c *cluster.Cluster, s Scenario) func() *float64 {
	began := time.Now()
	before, err := c.CPUTime(1)
	if !s.Alone || err != nil {
		return func() *float64 { return nil }
	}
	return func() *float64 {
		after, err := c.CPUTime(1)
		if err != nil {
			return nil
		}
		cores := (after - before).Seconds() / time.Since(began).Seconds()
		return &cores
	}
}

// keep saves an answer of culprit.
func (o Options) keep(name, text string) error {
	if o.Answers == "" || text == "" {
		return nil
	}
	dir := filepath.Join(o.Answers, o.Version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("keep the answer: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		return fmt.Errorf("keep the answer: %w", err)
	}
	return nil
}

// show prints a result as it comes.
func (o Options) show(r Result) {
	r.Version = o.Version
	o.logf("%s", r.line())
}

func (o Options) logf(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Log, format+"\n", args...) // a log may fail
}

func (o Options) stop(c *cluster.Cluster) {
	if err := c.Stop(); err != nil {
		o.logf("%v", err)
	}
}
