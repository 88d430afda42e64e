package sim

import "math/bits"

// group is a set of senders that share a set of receivers on one edge: all of both for HASH, REBALANCE
// and BROADCAST, one of each for FORWARD. The receiver at from+k gets weights[k] of each record of a
// sender.
type group struct {
	senders, receivers span
	weights            []float64
}

// span is a half-open range of subtasks.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// groupsOf lays out an edge between vertices of parallelism p and q.
func groupsOf(e Edge, p, q, keyGroups int) []group {
	all := group{senders: span{0, p}, receivers: span{0, q}}
	switch e.Ship {
	case Forward, Rescale: // FORWARD is one to one until one end is rescaled; both are pointwise
		return rescale(p, q)
	case Hash:
		all.weights = keyShares(e.Keys, q, keyGroups)
	case Broadcast:
		all.weights = make([]float64, q)
		for j := range all.weights {
			all.weights[j] = 1
		}
	default:
		all.weights = even(q)
	}
	return []group{all}
}

// rescale splits the wider side into runs, one for each subtask of the narrower side.
func rescale(p, q int) []group {
	n := min(p, q)
	groups := make([]group, n)
	for k := range groups {
		senders := span{k * p / n, (k + 1) * p / n}
		receivers := span{k * q / n, (k + 1) * q / n}
		groups[k] = group{senders, receivers, even(receivers.len())}
	}
	return groups
}

func even(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}

// keyShares gives each of q subtasks the share of the records whose keys it owns.
func keyShares(keys Keys, q, keyGroups int) []float64 {
	w := make([]float64, q)
	rest := 1.0
	for _, k := range keys.Hot {
		w[ownerOf(javaHash(k.Name), q, keyGroups)] += k.Share
		rest -= k.Share
	}
	rest = max(rest, 0)
	if keys.Distinct > 0 {
		for k := range keys.Distinct {
			w[ownerOf(int32(k), q, keyGroups)] += rest / float64(keys.Distinct)
		}
		return w
	}
	for g := range keyGroups {
		w[g*q/keyGroups] += rest / float64(keyGroups)
	}
	return w
}

// ownerOf is Flink's KeyGroupRangeAssignment: key hash to key group to subtask.
func ownerOf(hash int32, q, keyGroups int) int {
	return int(murmur(hash)) % keyGroups * q / keyGroups
}

// javaHash is String.hashCode of an ASCII string.
func javaHash(s string) int32 {
	var h int32
	for i := range len(s) {
		h = 31*h + int32(s[i])
	}
	return h
}

// murmur is MathUtils.murmurHash of Flink: never negative.
func murmur(code int32) int32 {
	c := uint32(code)
	c *= 0xcc9e2d51
	c = bits.RotateLeft32(c, 15)
	c *= 0x1b873593
	c = bits.RotateLeft32(c, 13)
	c = c*5 + 0xe6546b64
	c ^= 4
	c ^= c >> 16
	c *= 0x85ebca6b
	c ^= c >> 13
	c *= 0xc2b2ae35
	c ^= c >> 16
	code = int32(c)
	switch {
	case code >= 0:
		return code
	case code != -1<<31:
		return -code
	default:
		return 0
	}
}

// defaultKeyGroups is KeyGroupRangeAssignment.computeDefaultMaxParallelism.
func defaultKeyGroups(parallelism int) int {
	wanted := uint(parallelism + parallelism/2)
	power := 1 << bits.Len(wanted-1)
	return min(max(power, 128), 1<<15)
}
