package tape

import (
	"sort"
	"time"
)

// Around returns the last look that ended at a moment or before it, and the first one that ended then or
// after it; beyond the ends both are the look at that end.
func (r *Recording) Around(at time.Time) (before, after int) {
	all := r.members
	m := max(sort.Search(len(all), func(i int) bool { return all[i].began.After(at) })-1, 0)
	reader, i := r.open(&all[m]), all[m].start
	before = max(i-1, 0)
	for {
		l, err := reader.next()
		if err != nil {
			break
		}
		if !l.ended().After(at) {
			before = i
		}
		if !l.ended().Before(at) {
			return before, i
		}
		i++
	}
	if m+1 < len(all) {
		return before, all[m+1].start
	}
	return before, before
}
