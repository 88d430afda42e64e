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
	settleWait = 300 * time.Millisecond
	// expectedWait is between looks once the next collection is due: a look starts it, another sees its
	// outcome.
	expectedWait = 500 * time.Millisecond
	longestWait  = 30 * time.Second
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

// pace returns how long to wait after a look that succeeded. Between two collections of metrics only states
// can change, and the JobManager answers those from its cache, so looks are rarer then.
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
	case !s.ready:
		return c.interval
	case s.rounds == 0 && at.Sub(s.first) < movePatience:
		return min(expectedWait, c.interval)
	}
	collected := s.moved
	if !s.timed {
		collected = s.lastRead
	}
	due := collected.Add(c.fetchInterval()).Sub(at)
	switch {
	case collected.IsZero():
		return c.interval
	case due <= 0 && due > -jobAge:
		return min(expectedWait, c.interval)
	case due <= 0:
		return c.interval
	}
	return max(c.interval, min(jobAge, due))
}
