package lab

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"culprit/lab/rest"
)

// and is proved when all proofs are. What each saw is joined.
func and(proofs ...Proof) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		all := true
		var seen []string
		for _, prove := range proofs {
			ok, saw, err := prove(ctx, e)
			if err != nil {
				return false, saw, err
			}
			all = all && ok
			seen = append(seen, saw)
		}
		return all, strings.Join(seen, "; "), nil
	}
}

// atMost and atLeast are the bounds of a number that a proof reads; both fail on NaN.
func atMost(bound float64) func(float64) bool  { return func(v float64) bool { return v <= bound } }
func atLeast(bound float64) func(float64) bool { return func(v float64) bool { return v >= bound } }

// metric proves that the largest value over the subtasks of a vertex of the metric whose name ends so is as
// asked.
func metric(vertex, suffix string, want func(float64) bool) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		largest, err := e.largest(ctx, vertex, suffix)
		return want(largest), fmt.Sprintf("%s of %s %.4g", suffix, vertex, largest), err
	}
}

// grows proves that the metric rises while the proof looks, over more than one fetch.
func grows(vertex, suffix string) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		before, err := e.largest(ctx, vertex, suffix)
		if err != nil {
			return false, "", err
		}
		for range 2 { // the first look starts a fetch, the second one sees it
			if err = Sleep(ctx, fetchPause); err != nil {
				return false, "", err
			}
			if _, err = e.largest(ctx, vertex, suffix); err != nil {
				return false, "", err
			}
		}
		after, err := e.largest(ctx, vertex, suffix)
		return after > before, fmt.Sprintf("%s of %s %.14g, later %.14g", suffix, vertex, before, after), err
	}
}

// not turns a proof round.
func not(prove Proof) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		ok, seen, err := prove(ctx, e)
		return !ok, seen, err
	}
}

// largest reads the metrics of a vertex whose names end so. NaN where there is none.
func (e Evidence) largest(ctx context.Context, vertex, suffix string) (float64, error) {
	base, err := e.path(vertex)
	if err != nil {
		return math.NaN(), err
	}
	base += "/metrics"
	var names []struct {
		ID string `json:"id"`
	}
	if err := e.Client.Get(ctx, base, &names); err != nil {
		return math.NaN(), err
	}
	var wanted []string
	for _, n := range names {
		if strings.HasSuffix(n.ID, suffix) {
			wanted = append(wanted, n.ID)
		}
	}
	if len(wanted) == 0 {
		return math.NaN(), nil
	}
	return e.largestOf(ctx, base, wanted)
}

func (e Evidence) largestOf(ctx context.Context, base string, names []string) (float64, error) {
	var values []struct {
		Value string `json:"value"`
	}
	if err := e.Client.Get(ctx, base+"?get="+url.QueryEscape(strings.Join(names, ",")), &values); err != nil {
		return math.NaN(), err
	}
	largest := math.NaN()
	for _, v := range values {
		number, err := strconv.ParseFloat(v.Value, 64)
		if err == nil && !(number <= largest) {
			largest = number
		}
	}
	return largest, nil
}

// path is the place of a vertex in the REST API.
func (e Evidence) path(vertex string) (string, error) {
	v, _, err := e.vertex(vertex)
	return fmt.Sprintf("/jobs/%s/vertices/%s", e.Job, v.ID), err
}

// vertex finds a vertex and its shares between the two looks.
func (e Evidence) vertex(name string) (rest.Vertex, rest.Shares, error) {
	i := slices.IndexFunc(e.After.Vertices, func(v rest.Vertex) bool { return v.Name == name })
	if i < 0 || i >= len(e.Before.Vertices) {
		return rest.Vertex{}, rest.Shares{}, fmt.Errorf("the job has no vertex %q", name)
	}
	return e.After.Vertices[i], rest.Between(e.Before.Vertices[i], e.After.Vertices[i]), nil
}

// free proves that no vertex is held back and none is busy all the time.
func free(_ context.Context, e Evidence) (bool, string, error) {
	return len(e.After.Vertices) > 0 && e.After.State == "RUNNING" && !e.pressed(), "nobody is held back", nil
}

func (e Evidence) pressed() bool {
	return slices.ContainsFunc(e.After.Vertices, func(v rest.Vertex) bool {
		_, shares, err := e.vertex(v.Name)
		return err != nil || !(shares.Busy < saturated && shares.Backpressured < calm)
	})
}

// still proves that a vertex reads and writes nothing.
func still(vertex string) Proof {
	return func(_ context.Context, e Evidence) (bool, string, error) {
		_, shares, err := e.vertex(vertex)
		sum := int64(0)
		for _, n := range shares.Records {
			sum += n
		}
		return sum == 0 && len(shares.Records) > 0, fmt.Sprintf("%d records at %s", sum, vertex), err
	}
}

// writesNothing proves that a vertex takes records in and gives none out.
func writesNothing(vertex string) Proof {
	return func(_ context.Context, e Evidence) (bool, string, error) {
		v, _, err := e.vertex(vertex)
		if err != nil {
			return false, "", err
		}
		var read, written int64
		i := slices.IndexFunc(e.Before.Vertices, func(b rest.Vertex) bool { return b.ID == v.ID })
		for n, s := range v.Subtasks {
			read += s.Metrics.Read - e.Before.Vertices[i].Subtasks[n].Metrics.Read
			written += s.Metrics.Written - e.Before.Vertices[i].Subtasks[n].Metrics.Written
		}
		return read > 0 && written == 0, fmt.Sprintf("%s read %d and wrote %d", vertex, read, written), nil
	}
}
