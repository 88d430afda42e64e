package diagnose

import (
	"math"
	"slices"
	"time"
)

// point is a number at a time.
type point struct {
	at time.Time
	y  float64
}

// theilSen returns the median of the slopes between all pairs of points, per second, which single outliers
// do not move. It is unknown for fewer than three points.
func theilSen(all []point) (slope float64, known bool) {
	const least = 3
	if len(all) < least {
		return 0, false
	}
	var slopes []float64
	for i := range all {
		for k := i + 1; k < len(all); k++ {
			if dt := all[k].at.Sub(all[i].at).Seconds(); dt > 0 {
				slopes = append(slopes, (all[k].y-all[i].y)/dt)
			}
		}
	}
	if len(slopes) == 0 {
		return 0, false
	}
	return median(slopes), true
}

// levelAt is where the line of that slope through the points stands at a time: the median of where it would
// stand by each of them.
func levelAt(all []point, slope float64, at time.Time) float64 {
	levels := make([]float64, len(all))
	for i := range all {
		levels[i] = all[i].y + slope*at.Sub(all[i].at).Seconds()
	}
	return median(levels)
}

// kendall is Kendall's tau: how much the order of the numbers agrees with the order of the times, from -1 to
// 1.
func kendall(all []point) float64 {
	agree, pairs := 0, 0
	for i := range all {
		for k := i + 1; k < len(all); k++ {
			pairs++
			switch {
			case all[k].y > all[i].y:
				agree++
			case all[k].y < all[i].y:
				agree--
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return float64(agree) / float64(pairs)
}

// median of at least one number; the mean of the middle two where there are two. It sorts all.
func median(all []float64) float64 {
	slices.Sort(all)
	mid := len(all) / 2
	if len(all)%2 == 0 {
		return (all[mid-1] + all[mid]) / 2
	}
	return all[mid]
}

// nth is the number that would stand at k if all were sorted. It puts them into another order.
func nth(all []float64, k int) float64 {
	low, high := 0, len(all)-1
	for low < high {
		pivot := all[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for all[i] < pivot {
				i++
			}
			for all[j] > pivot {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return all[k]
		}
	}
	return all[k]
}

// withoutStep leaves out what lies before, or after, a single step that makes up most of what a series
// changes, so that the longer part stays: a backlog that came at once is not one that grows.
func withoutStep(all []point) []point {
	const most = 0.8
	total, largest, at := 0.0, 0.0, 0
	for i := 1; i < len(all); i++ {
		d := math.Abs(all[i].y - all[i-1].y)
		if total += d; d > largest {
			largest, at = d, i
		}
	}
	switch {
	case largest <= most*total:
		return all
	case len(all)-at >= at:
		return all[at:]
	}
	return all[:at]
}

// mean is 0 of nothing.
func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(max(len(all), 1))
}
