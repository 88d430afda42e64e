package flinkapi

import (
	"slices"
	"time"
)

const (
	// defaultFetchInterval is Flink's default of metrics.fetcher.update-interval.
	defaultFetchInterval = 10 * time.Second
	// firstWait is between looks at a job whose first numbers are on their way: on a job that nobody has
	// watched they come 0.1 to 0.5 s after the first question.
	firstWait = 400 * time.Millisecond
	// movePatience is how long the first answer's numbers are watched for a move: without one they are fresh,
	// as the first look would have started a collection of numbers older than the fetch interval.
	movePatience = 1500 * time.Millisecond
	// firstLooks bounds how often that is tried.
	firstLooks = 6
	// settleWait is left to the rest of the TaskManagers when the first one's numbers have come.
	settleWait  = 300 * time.Millisecond
	longestWait = 30 * time.Second
	// jobAge is how long the JobManager itself answers from its cache of the job (web.refresh-interval).
	jobAge = 3 * time.Second
)

// fetchInterval is how often the JobManager collects metrics, as far as it is known, for our own pace.
func (c *Collector) fetchInterval() time.Duration {
	if d := c.cluster.config.FetchInterval; d > 0 {
		return d
	}
	d, _ := c.guessFetchInterval()
	return d
}

// guessFetchInterval is for a cluster whose configuration does not name the interval: then it is Flink's
// default. Only where the configuration cannot be read is it told from the steps of the counters.
func (c *Collector) guessFetchInterval() (time.Duration, IntervalOrigin) {
	const enough, grain = 3, 500 * time.Millisecond
	if len(c.cluster.gaps) < enough || !c.cluster.settingsRead.IsZero() {
		return defaultFetchInterval, IntervalDefault
	}
	sorted := slices.Sorted(slices.Values(c.cluster.gaps))
	return max(sorted[len(sorted)/2].Round(grain), grain), IntervalObserved
}

// failuresAfter counts the looks in a row that met an overloaded or absent server.
func (c *Collector) failuresAfter(strained bool) int {
	if strained {
		return c.failures + 1
	}
	return 0
}

// backOff returns how long to wait after a look that failed as a whole: twice as long each time, up to 30
// s.
func (c *Collector) backOff(err *Error) time.Duration {
	if err.Kind == KindNoJob {
		c.failures = 0
		return c.interval
	}
	if c.failures++; c.failures == 1 {
		// What comes back may be another JobManager, perhaps a newer one.
		c.cluster.forget()
	}
	return c.doubled()
}

func (c *Collector) doubled() time.Duration {
	wait := c.interval
	for range c.failures {
		if wait *= 2; wait >= longestWait {
			return max(longestWait, c.interval)
		}
	}
	return wait
}

// pace returns how long to wait after a look that succeeded: the interval, but less while the first numbers
// are on their way, and more for a job that is over.
func (c *Collector) pace(s *jobState, at time.Time) time.Duration {
	switch {
	case c.failures > 0:
		return c.doubled()
	case s != nil && s.job.State.Over():
		return max(c.interval, jobAge)
	case s == nil, s.job.State != JobRunning:
		return c.interval
	case s.settling():
		return min(settleWait, c.interval)
	case !s.ready && s.moved.IsZero() && s.looks < firstLooks:
		return min(firstWait, c.interval)
	case s.ready && s.rounds == 0 && at.Sub(s.first) < movePatience:
		return min(firstWait, c.interval)
	}
	return c.thrifty(s, at)
}

// thrifty stretches the interval, up to what the JobManager answers from its cache anyway, so that a minute
// of looks and rounds stays below what this job is worth. What the first questions cost is saved up in the
// rest of the first minute.
func (c *Collector) thrifty(s *jobState, at time.Time) time.Duration {
	vertices := s.runningVertices()
	round := float64(vertices + besideVertices)
	budget := allowance(vertices)
	spent := func(span time.Duration) float64 {
		return float64(c.cost.within(span, at) - c.dumps.within(span, at)/2)
	}
	slow := max(c.interval, jobAge)
	if budget-spent(time.Minute-jobAge)-round < 1 {
		return slow
	}
	ahead := max(time.Minute-at.Sub(s.first), c.fetchInterval())
	coming := float64(ahead) / float64(c.fetchInterval()) * round
	left := budget - spent(time.Minute-ahead) - coming
	if left < 1 {
		return slow
	}
	return min(max(c.interval, time.Duration(float64(ahead)/left)), slow)
}

// runningVertices counts the vertices that are asked about.
func (s *jobState) runningVertices() (n int) {
	for _, v := range s.job.Vertices {
		if running(v) {
			n++
		}
	}
	return n
}

// besideVertices is about what a round asks besides one question for each vertex.
const besideVertices = 9

// allowance is how many requests a minute a job of that size is worth, half of the thread dumps apart: 35 %
// of the web UI's leave room for a look each second from ten vertices on, and a small job may cost somewhat
// more.
func allowance(vertices int) float64 {
	return max(0.35*webUI(vertices), min(150, 0.8*webUI(vertices)))
}

// webUI is how many requests a minute Flink's web UI makes with its job page open: 1 + 2N every 3 s.
func webUI(vertices int) float64 { return 20 * float64(1+2*vertices) }
