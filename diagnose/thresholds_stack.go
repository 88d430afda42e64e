package diagnose

import "time"

// stackThresholds are about what threads are seen to do.
type stackThresholds struct {
	stackLooks int
	stackSpan  time.Duration
	stackShare float64
}

func (t *stackThresholds) stackEntries() []entry {
	return []entry{
		count(&t.stackLooks, "stack-looks", 20, "looks at busy threads from which shares of them count"),
		// One dump catches a thread in a park, which takes far longer than asked for, more often than it is right.
		span(&t.stackSpan, "stack-span", 5*time.Second, "span that those looks must cover"),
		ratio(&t.stackShare, "stack-share", 0.5, "share of the looks that tells what a culprit does"),
	}
}
