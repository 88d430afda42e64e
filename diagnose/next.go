package diagnose

// next is the vertex that holds the job back once a culprit no longer does: of those on its paths the one
// with the largest busy share, since at today's rate it could take one over that share. A victim's busy share
// is its true work: what it waits counts as backpressured. It is not known where a busy share is missing or a
// number would only tell of rounding.
func (c *Case) next(culprit int) *NextLimit {
	const leastShare = 0.05
	best := load{vertex: -1}
	related := c.related(culprit)
	for v := range c.job.Vertices {
		if v == culprit || !related[v] || c.over(v) {
			continue
		}
		l, ok := c.load(v)
		if !ok || l.slots < c.limits.roomSlots {
			return nil
		}
		if l.mean > best.mean {
			best = l
		}
	}
	if best.vertex < 0 || best.mean < leastShare || best.mean >= 1 {
		return nil
	}
	return &NextLimit{Vertex: c.ref(best.vertex), Factor: 1 / best.mean}
}
