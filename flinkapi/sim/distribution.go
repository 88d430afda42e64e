package sim

import (
	"math"
	"slices"
)

// distribution collects numbers for Flink's statistics of them.
type distribution []float64

func (d *distribution) add(x float64) { *d = append(*d, x) }

func (d distribution) sum() float64 {
	total := 0.0
	for _, x := range d {
		total += x
	}
	return total
}

func (d distribution) mean() float64 {
	if len(d) == 0 {
		return 0
	}
	return d.sum() / float64(len(d))
}

func (d distribution) lowest() float64 {
	if len(d) == 0 {
		return 0
	}
	return slices.Min(d)
}

func (d distribution) highest() float64 {
	if len(d) == 0 {
		return 0
	}
	return slices.Max(d)
}

// quantile is the value below which the share p lies, or NaN for none; d must be sorted.
func (d distribution) quantile(p float64) float64 {
	if len(d) == 0 {
		return math.NaN()
	}
	at := p * float64(len(d)-1)
	low := int(at)
	if low+1 >= len(d) {
		return d[len(d)-1]
	}
	return d[low] + (at-float64(low))*(d[low+1]-d[low])
}

func (d distribution) sorted() distribution {
	s := slices.Clone(d)
	slices.Sort(s)
	return s
}

// skew is Flink's: the mean absolute deviation in percent of the mean, at most 100.
func (d distribution) skew() float64 {
	mean := d.mean()
	if mean == 0 {
		return 0
	}
	deviation := 0.0
	for _, x := range d {
		deviation += math.Abs(x - mean)
	}
	return min(100, 100*deviation/float64(len(d))/mean)
}
