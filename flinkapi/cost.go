package flinkapi

import "time"

// Cost is what the product has asked of the cluster since it started.
type Cost struct {
	Requests int
	Bytes    int64
	// PerSecond is the mean number of requests a second over the last minute, or since the start, but over ten
	// seconds at least.
	PerSecond float64
	// Decoding is how long it has taken to decode the answers, in seconds, summed over those that were decoded
	// at the same time; unknown where the client has no stopwatch.
	Decoding Value
}

// costs remembers when requests were made, by the source's clock.
type costs struct {
	marks []costMark
}

type costMark struct {
	at       time.Time
	requests int
}

// costSpan is the time over which the rate of requests is told.
const costSpan = time.Minute

// leastCostSpan is the time to which the burst of the first questions is related.
const leastCostSpan = 10 * time.Second

// update counts what was asked up to now.
func (c *costs) update(client *Client, at time.Time) Cost {
	m := client.meter
	total := int(m.requests.Load())
	c.marks = append(c.marks, costMark{at, total})
	for len(c.marks) > 1 && at.Sub(c.marks[1].at) >= costSpan {
		c.marks = c.marks[1:]
	}
	before, span := 0, max(at.Sub(c.marks[0].at), leastCostSpan)
	if span >= costSpan {
		before, span = c.marks[0].requests, costSpan
	}
	return Cost{
		Requests: total, Bytes: m.bytes.Load(), PerSecond: float64(total-before) / span.Seconds(),
		Decoding: client.decoding(),
	}
}

// Spent implements [Spender].
func (c *Collector) Spent() Cost {
	m := c.client.meter
	return Cost{Requests: int(m.requests.Load()), Bytes: m.bytes.Load(), Decoding: c.client.decoding()}
}

// within returns how many requests were made in the last span, as of the newest update.
func (c *costs) within(span time.Duration, at time.Time) int {
	if len(c.marks) == 0 || span <= 0 {
		return 0
	}
	before := 0
	for _, m := range c.marks {
		if at.Sub(m.at) >= span {
			before = m.requests
		}
	}
	return c.marks[len(c.marks)-1].requests - before
}
