package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/lab/rest"
)

// hotOnlyOn proves that the subtasks of a vertex that run on one TaskManager are busy and those elsewhere are
// not, while all get as many records.
func hotOnlyOn(worker, vertex string) Proof {
	return func(_ context.Context, e Evidence) (bool, string, error) {
		v, shares, err := e.vertex(vertex)
		if err != nil || len(shares.EachBusy) != len(v.Subtasks) {
			return false, "not every subtask of " + vertex + " is known", err
		}
		hot, ok := 0, true
		var parts []string
		for i, s := range v.Subtasks {
			busy := shares.EachBusy[i]
			parts = append(parts, fmt.Sprintf("%s %s (%d records)", s.TaskManager, percent(busy), shares.Records[i]))
			if s.TaskManager == worker {
				hot++
				ok = ok && busy >= 0.8
			} else {
				ok = ok && busy < 0.6
			}
		}
		even := float64(slices.Min(shares.Records)) > 0.8*float64(slices.Max(shares.Records))
		return ok && even && hot > 0, fmt.Sprintf("busy %% of %s: %s", vertex, strings.Join(parts, ", ")), nil
	}
}

// worker proves that a metric of the first TaskManager is as asked.
func worker(name string, want func(float64) bool) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		value, err := e.largestOf(ctx, "/taskmanagers/tm-1/metrics", []string{name})
		return want(value), fmt.Sprintf("%s %.4g", name, value), err
	}
}

// workerShare proves that one metric of the first TaskManager is such a part of another one.
func workerShare(part, whole string, want func(float64) bool) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		const metrics = "/taskmanagers/tm-1/metrics"
		some, err := e.largestOf(ctx, metrics, []string{part})
		if err != nil {
			return false, "", err
		}
		all, err := e.largestOf(ctx, metrics, []string{whole})
		return want(some / all), fmt.Sprintf("%s %.4g of %.4g", part, some, all), err
	}
}

// coresBetween proves that the first TaskManager's processor time grows by so many cores.
func coresBetween(least, most float64) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		const metrics, cpu = "/taskmanagers/tm-1/metrics", "Status.JVM.CPU.Time"
		var at [3]time.Time
		var used [3]float64   // ns
		for i := range used { // the first answer may be older than the request
			var err error
			if used[i], err = e.largestOf(ctx, metrics, []string{cpu}); err != nil {
				return false, "", err
			}
			at[i] = time.Now()
			if i == len(used)-1 {
				break
			}
			if err = Sleep(ctx, 2*fetchPause); err != nil {
				return false, "", err
			}
		}
		cores := (used[2] - used[1]) / float64(at[2].Sub(at[1]))
		return least <= cores && cores <= most, fmt.Sprintf("TaskManager uses %.3g core", cores), nil
	}
}

// asFastWith proves that a vertex has so many subtasks by now, all of them busy, and that they read about so
// many records a second in all.
func asFastWith(vertex string, subtasks int, perSecond float64) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		var looks [3]rest.Look
		for i := range looks { // the first one starts a fetch
			var err error
			if looks[i], err = e.Client.Look(ctx, string(e.Job)); err != nil {
				return false, "", err
			}
			if err = Sleep(ctx, time.Duration(i+1)*fetchPause); err != nil {
				return false, "", err
			}
		}
		e.Before, e.After = looks[1], looks[2]
		v, shares, err := e.vertex(vertex)
		if err != nil || len(shares.EachBusy) != len(v.Subtasks) {
			return false, "not every subtask of " + vertex + " is known", err
		}
		rate := 0.0
		for i, s := range v.Subtasks {
			before := e.Before.Vertices[slices.IndexFunc(e.Before.Vertices, func(b rest.Vertex) bool {
				return b.ID == v.ID
			})].Subtasks[i].Metrics
			now := s.Metrics
			millis := now.Busy + now.Backpressured + now.Idle - before.Busy - before.Backpressured - before.Idle
			rate += float64(now.Read-before.Read) / float64(millis) * 1000
		}
		ok := len(v.Subtasks) == subtasks && slices.Min(shares.EachBusy) >= saturated &&
			rate > 0.9*perSecond && rate < 1.1*perSecond
		return ok, fmt.Sprintf("%d subtasks of %s, each at least %s %% busy, read %.4g records/s",
			len(v.Subtasks), vertex, percent(slices.Min(shares.EachBusy)), rate), nil
	}
}

// stands proves that in most of many looks the thread of a vertex's first subtask stands in a method whose
// name has this part.
func stands(vertex, method string) Proof {
	return func(ctx context.Context, e Evidence) (bool, string, error) {
		const looks, pause = 20, 300 * time.Millisecond
		in := 0
		for range looks {
			there, err := e.standsIn(ctx, vertex, method)
			if err != nil {
				return false, "", err
			}
			if there {
				in++
			}
			if err := Sleep(ctx, pause); err != nil {
				return false, "", err
			}
		}
		return in > looks/2, fmt.Sprintf("%d of %d stacks of %s in %s", in, looks, vertex, method), nil
	}
}

func (e Evidence) standsIn(ctx context.Context, vertex, method string) (bool, error) {
	v, _, err := e.vertex(vertex)
	if err != nil {
		return false, err
	}
	var dump struct {
		Threads []struct {
			Name  string `json:"threadName"`
			Stack string `json:"stringifiedThreadInfo"`
		} `json:"threadInfos"`
	}
	if err := e.Client.Get(ctx, "/taskmanagers/"+v.Subtasks[0].TaskManager+"/thread-dump", &dump); err != nil {
		return false, err
	}
	for _, t := range dump.Threads {
		if strings.HasPrefix(t.Name, vertex+" (1/") && strings.Contains(t.Stack, method) {
			return true, nil
		}
	}
	return false, nil
}

// lost proves that a TaskManager is gone and the job does not run for want of it.
func lost(ctx context.Context, e Evidence) (bool, string, error) {
	var overview struct {
		TaskManagers int `json:"taskmanagers"`
	}
	if err := e.Client.Get(ctx, "/overview", &overview); err != nil {
		return false, "", err
	}
	waiting := slices.ContainsFunc(e.After.Vertices, func(v rest.Vertex) bool { return !v.Running })
	seen := fmt.Sprintf("%d TaskManager, job %s, %d restarts",
		overview.TaskManagers, e.After.State, e.After.Restarts)
	return overview.TaskManagers == 1 && waiting, seen, nil
}
