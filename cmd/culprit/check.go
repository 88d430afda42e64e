package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
)

func checkCommand(c console, conf *settings) *cobra.Command {
	var job, format string
	span, least := 90*time.Second, time.Duration(0)
	var demo string
	again := &replayed{}
	tap := &taping{}
	cmd := &cobra.Command{
		Use:   "check [URL]",
		Short: "Watch for a bounded time, print the verdict, and exit by its severity",
		Long: `check watches the running jobs, or the one that --job names, until the verdict is firm or --for is
over, and prints the verdict. Where none runs it tells what became of them. It exits 0 when all is well, 1 for
a warning, 2 when it is critical, and 3 when it cannot tell.`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if again.file != "" {
				again.job = job
				return again.check(cmd.Context(), c, conf, format)
			}
			write, err := printer(format)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("for") && least > span {
				return fmt.Errorf("--at-least %s is longer than --for %s: give --for as much or more, or leave it out",
					least, span)
			}
			if err = conf.forCheck(c, args, demo != ""); err != nil {
				return write(c.out, &outcome{err: err})
			}
			w, err := newWatch(c, conf, tap, args, demo)
			if err != nil {
				return write(c.out, &outcome{err: err})
			}
			w.job, w.span, w.least = conf.job(job), max(span, least), least
			found := w.run(cmd.Context())
			if err := tap.finish(); err != nil {
				_, _ = fmt.Fprintf(c.err, "culprit: %v\n", err)
			}
			return write(c.out, found)
		},
	}
	cmd.Flags().
		StringVar(&job, "job", "", "id or name of the job; without it all running jobs count")
	spanFlag(cmd.Flags(), &span, "for", "longest time to watch")
	boundFlag(cmd.Flags(), &least, "at-least",
		"shortest time to watch, though the verdict is firm: what comes and goes shows in minutes")
	cmd.Flags().StringVar(&format, "format", "text", "text, json or markdown")
	cmd.Flags().
		StringVar(&demo, "demo", "", "check a simulated cluster with this incident instead of a real one")
	again.bind(cmd)
	tap.bind(cmd)
	cmd.PreRunE = inTurn(
		again.whole,
		apart([2]string{"replay", "demo"}, [2]string{"replay", "record"},
			[2]string{"replay", "for"}, [2]string{"replay", "at-least"}),
		func(cmd *cobra.Command, args []string) error { return effective(cmd, args, demo) },
	)
	return cmd
}

// newWatch returns a watch of a real cluster, or of a simulated one, whose time passes as fast as it can be
// computed.
func newWatch(c console, conf *settings, tap *taping, args []string, demo string) (*watch, error) {
	conf.tune.fillDemo(demo)
	options, err := conf.tune.options()
	if err != nil {
		return nil, err
	}
	if demo != "" {
		source, cluster, failed := openDemo(demo, conf.link.pace(), nil, tap)
		if failed != nil {
			return nil, failed
		}
		pause := func(_ context.Context, d time.Duration) { cluster.Advance(d) }
		return &watch{
			monitor: diagnose.NewMonitor(source, options), clock: cluster.Now, zone: conf.tune.zone(), pause: pause,
		}, nil
	}
	source, _, err := conf.link.openTaped(c, args, tap)
	if err != nil {
		return nil, err
	}
	return &watch{
		monitor: diagnose.NewMonitor(source, options), clock: flinkapi.WallClock, zone: conf.tune.zone(),
		pause: sleep,
	}, nil
}

// sleep waits, or returns early when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// watch steps a monitor for a bounded time.
type watch struct {
	monitor *diagnose.Monitor
	job     string
	span    time.Duration
	// least is how long it goes on though every verdict is firm.
	least time.Duration
	clock flinkapi.Clock
	zone  *time.Location // of the times that are printed
	pause func(context.Context, time.Duration)

	out    outcome
	obs    *diagnose.Observation
	failed error // of the last step; nil when it succeeded
	// failures counts the failed steps before the first answer.
	failures int
	ended    bool // a recording has no more looks
	found    bool // the job that is recorded was looked into
	begun    time.Time
	over     []*diagnose.Report // of the jobs of a cluster on which none runs
}

// patience is how often a server that may be in a pause is asked before the check gives up.
const patience = 3

// outcome is what a check found.
type outcome struct {
	reports []*diagnose.Report
	// err says why there is no verdict; the reports, if any, are then older.
	err error
	// requests and bytes are the cost; first and firm are when each job had its first and its firm verdict.
	cost        flinkapi.Cost
	first, firm map[flinkapi.JobID]time.Duration
}

// run watches until every verdict is firm and the least time has passed, the time is over or there is no
// hope of an answer.
func (w *watch) run(ctx context.Context) *outcome {
	w.begin(w.clock().Truncate(time.Millisecond)) // as a recording keeps the time
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, w.span)
	defer cancel()
	for ctx.Err() == nil && w.clock().Sub(w.begun) < w.span {
		w.step(ctx)
		if w.settled() && w.clock().Sub(w.begun) >= w.least || w.hopeless() {
			break
		}
		w.pause(ctx, w.monitor.Wait())
	}
	w.readOver(whole)
	return w.conclude()
}

func (w *watch) begin(at time.Time) {
	w.begun = at
	w.out.first, w.out.firm = map[flinkapi.JobID]time.Duration{}, map[flinkapi.JobID]time.Duration{}
}

func (w *watch) step(ctx context.Context) {
	obs, err := w.monitor.Step(ctx, diagnose.Ask{Name: w.job})
	if w.ended = errors.Is(err, io.EOF); w.ended {
		return
	}
	if err != nil {
		if ctx.Err() != nil && w.obs != nil {
			return // the time was over: the look counts for nothing, and no recording has it
		}
		if cost, known := w.monitor.Spent(); known {
			w.out.cost = cost
		}
		w.failed = err
		w.failures++
		return
	}
	w.obs, w.failed = obs, nil
	w.out.cost = obs.Snapshot.Cost
	at := obs.At.Sub(w.begun) // which a recording knows, too
	all, _ := w.reports()
	for _, r := range all {
		if _, seen := w.out.first[r.Job.ID]; !seen && r.Undetermined == nil {
			w.out.first[r.Job.ID] = at
		}
		if _, seen := w.out.firm[r.Job.ID]; !seen && r.Firm {
			w.out.firm[r.Job.ID] = at
		}
	}
}

// reports returns the newest report of each job that is checked.
func (w *watch) reports() (all []*diagnose.Report, waiting int) {
	if w.obs == nil {
		return nil, 0
	}
	if w.job != "" {
		if w.obs.Report == nil {
			return nil, 1
		}
		return []*diagnose.Report{w.obs.Report}, 0
	}
	for _, line := range w.obs.Jobs {
		switch {
		case line.Job.State.Over():
		case line.Report == nil:
			waiting++
		default:
			all = append(all, line.Report)
		}
	}
	return all, waiting
}

// settled tells whether every verdict is firm, or there is no job to watch.
func (w *watch) settled() bool {
	if w.obs == nil || w.failed != nil {
		return false
	}
	all, waiting := w.reports()
	for _, r := range all {
		if !r.Firm {
			return false
		}
	}
	return waiting == 0
}

// hopeless tells whether the failure is one that waiting does not mend, and nothing was ever read.
func (w *watch) hopeless() bool {
	var e *flinkapi.Error
	if w.failed == nil || !errors.As(w.failed, &e) {
		return w.failed != nil
	}
	if e.Kind == flinkapi.KindNoJob || e.Kind == flinkapi.KindSeveralJobs {
		return true
	}
	switch e.Kind {
	case flinkapi.KindUnavailable, flinkapi.KindTimeout, flinkapi.KindUnreachable:
		return w.obs == nil && w.failures >= patience
	default:
		return w.obs == nil
	}
}

// readOver reads what became of the jobs of a cluster on which none runs, where no job is asked for.
func (w *watch) readOver(ctx context.Context) {
	if w.obs == nil || w.failed != nil || w.job != "" {
		return
	}
	for _, job := range overJobs(w.obs.Jobs) {
		if w.lookOver(ctx, job); w.failed != nil {
			return
		}
	}
}

// lookOver looks once at a job that is over.
func (w *watch) lookOver(ctx context.Context, job flinkapi.JobID) {
	obs, err := w.monitor.Step(ctx, diagnose.Ask{Job: job})
	if err != nil {
		w.failed = err
		return
	}
	w.out.cost = obs.Snapshot.Cost
	if obs.Report != nil {
		w.over = append(w.over, obs.Report)
	}
}

// overJobs are the newest of each name of the jobs of a cluster on which none runs; none where one does.
func overJobs(lines []diagnose.JobLine) []flinkapi.JobID {
	const most = 10
	newest := map[string]flinkapi.JobSummary{}
	var names []string
	for _, line := range lines {
		if !line.Job.State.Over() {
			return nil
		}
		other, known := newest[line.Job.Name]
		if !known {
			names = append(names, line.Job.Name)
		}
		if !known || line.Job.StartedAt.After(other.StartedAt) {
			newest[line.Job.Name] = line.Job
		}
	}
	var ids []flinkapi.JobID
	for _, name := range names[:min(len(names), most)] {
		ids = append(ids, newest[name].ID)
	}
	return ids
}

func (w *watch) conclude() *outcome {
	if w.out.reports, _ = w.reports(); len(w.out.reports) == 0 {
		w.out.reports = w.over
	}
	switch {
	case w.failed != nil:
		w.out.err = w.failed
	case w.obs == nil:
		w.out.err = &flinkapi.Error{
			Op:     "watch the cluster",
			Kind:   flinkapi.KindTimeout,
			Detail: fmt.Sprintf("nothing was read within %s", w.span),
			Hint:   "give --for more time",
		}
	case len(w.out.reports) == 0:
		w.out.err = &flinkapi.Error{
			Op: "find a job", Kind: flinkapi.KindNoJob, Detail: "no job is on the cluster",
			Hint: "start a job",
		}
	}
	return &w.out
}

// severity is the worst of the reports; a failure to read makes it unknown.
func (o *outcome) severity() diagnose.Severity {
	if o.err != nil {
		return diagnose.UnknownSeverity
	}
	worst := diagnose.OK
	for _, r := range o.reports {
		worst = worst.Worse(r.Severity)
	}
	return worst
}

// exit is the error that ends the program with the severity's code; nil for ok.
func (o *outcome) exit() error {
	if s := o.severity(); s != diagnose.OK {
		return exitCode(int(s))
	}
	return nil
}
