package lab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"culprit/lab/rest"
)

// band says between which shares a vertex is busy and backpressured: fractions, of the largest subtask.
type band struct {
	vertex              string
	busy, backpressured [2]float64
}

// within proves that the vertices of the bands are as those say, and that no other one is busy half the time.
func within(bands ...band) Proof {
	return func(_ context.Context, e Evidence) (ok bool, seen string, err error) {
		_, seen = shows(e.Expect, e.Before, e.After)
		ok = len(e.Before.Vertices) == len(e.After.Vertices)
		matched := 0
		for i := range min(len(e.Before.Vertices), len(e.After.Vertices)) {
			shares := rest.Between(e.Before.Vertices[i], e.After.Vertices[i])
			known := false
			for _, b := range bands {
				if b.vertex == e.After.Vertices[i].Name {
					known = true
					ok = ok && in(shares.Busy, b.busy) && in(shares.Backpressured, b.backpressured)
				}
			}
			if known {
				matched++
			} else {
				ok = ok && shares.Busy < calm
			}
		}
		return ok && matched == len(bands), seen, nil
	}
}

// in is false for NaN.
func in(share float64, span [2]float64) bool { return span[0] <= share && share <= span[1] }

// series is the shares of one vertex in slots of one metric fetch each.
type series struct{ busy, backpressured []float64 }

// turnsCount slots cover two windows of the bursting job and a turn of each alternating operator.
const turnsCount = 8

// observe follows a job for some slots more.
func observe(ctx context.Context, e Evidence, slots int) (map[string]series, error) {
	found := map[string]series{}
	before := e.After
	for range slots {
		if err := Sleep(ctx, fetchPause); err != nil {
			return nil, err
		}
		after, err := e.Client.Look(ctx, string(e.Job))
		if err != nil {
			return nil, err
		}
		for i := range min(len(before.Vertices), len(after.Vertices)) {
			shares := rest.Between(before.Vertices[i], after.Vertices[i])
			if math.IsNaN(shares.Busy) { // the fetch has not come yet
				continue
			}
			s := found[after.Vertices[i].Name]
			s.busy = append(s.busy, shares.Busy)
			s.backpressured = append(s.backpressured, shares.Backpressured)
			found[after.Vertices[i].Name] = s
		}
		before = after
	}
	return found, nil
}

// inTurns proves that each of the vertices is busy in some slots and at rest or held back in others, and that
// the vertex above them is backpressured in some.
func inTurns(above string, vertices ...string) Proof {
	return func(ctx context.Context, e Evidence) (ok bool, seen string, err error) {
		found, err := observe(ctx, e, turnsCount)
		if err != nil {
			return false, "", err
		}
		ok = comes(found[above].backpressured)
		parts := []string{above + " backpressured " + percents(found[above].backpressured)}
		for _, vertex := range vertices {
			s := found[vertex]
			ok = ok && comes(s.busy) && goes(s.busy)
			parts = append(parts, fmt.Sprintf("%s busy %s", vertex, percents(s.busy)))
		}
		return ok, "% by slot: " + strings.Join(parts, "; "), nil
	}
}

func comes(shares []float64) bool { return anyOf(shares, func(s float64) bool { return s >= 0.3 }) }
func goes(shares []float64) bool  { return anyOf(shares, func(s float64) bool { return s <= 0.15 }) }

func anyOf(shares []float64, is func(float64) bool) bool {
	for _, s := range shares {
		if is(s) {
			return true
		}
	}
	return false
}

func percents(shares []float64) string {
	words := make([]string, len(shares))
	for i, s := range shares {
		words[i] = percent(s)
	}
	return strings.Join(words, " ")
}

// lag proves that the source's pendingRecords falls or grows, besides another proof.
func lag(falls bool, proof Proof) Proof {
	return func(ctx context.Context, e Evidence) (ok bool, seen string, err error) {
		ok, seen, err = proof(ctx, e)
		if err != nil {
			return false, seen, err
		}
		var pending []float64
		const answers = 4 // the first may be older than the request, and a fetch may be late
		for range answers {
			value, err := pendingRecords(ctx, e)
			if err != nil {
				return false, seen, err
			}
			pending = append(pending, value)
			if err = Sleep(ctx, fetchPause); err != nil {
				return false, seen, err
			}
		}
		change := pending[answers-1] - pending[1]
		ok = ok && (falls && change < 0 || !falls && change > 0)
		return ok, fmt.Sprintf("%s; pendingRecords %.0f", seen, pending), nil
	}
}

// pendingRecords is the sum over the subtasks of the source, NaN if it is unknown.
func pendingRecords(ctx context.Context, e Evidence) (float64, error) {
	source := slices.IndexFunc(e.After.Vertices, func(v rest.Vertex) bool { return len(v.Inputs) == 0 })
	if source < 0 {
		return math.NaN(), nil
	}
	var found []struct {
		Sum float64 `json:"sum"`
	}
	path := fmt.Sprintf("/jobs/%s/vertices/%s/subtasks/metrics?get=Source__orders.pendingRecords&agg=sum",
		e.Job, e.After.Vertices[source].ID)
	if err := e.Client.Get(ctx, path, &found); err != nil {
		return 0, fmt.Errorf("read pendingRecords: %w", err)
	}
	if len(found) == 0 {
		return math.NaN(), nil
	}
	return found[0].Sum, nil
}
