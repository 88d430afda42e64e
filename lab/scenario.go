// Package lab is the test bed with real Flink clusters: scenario jobs whose slow operator is known by
// construction, and a runner that compares it with what culprit says. Start at Scenarios and Run.
package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/lab/cluster"
)

// Scenario is a job and the verdict that it must get.
type Scenario struct {
	// Name is the lab's name, such as "slow-middle".
	Name string
	// Class and Args start the job; see package jobs.
	Class string
	Args  []string
	// Slots is how many the job needs, the largest parallelism of a vertex; 0 stands for 2.
	Slots int
	// Alone asks for TaskManagers without other jobs, because the verdict rests on the TaskManager's CPU.
	Alone bool
	// Own asks for a cluster of its own, of this kind. Version is filled in. Without Alone two of them run at a
	// time.
	Own *cluster.Config
	// Before is how much longer than the others it runs before it is checked, where what it shows takes time.
	Before time.Duration
	// Watch bounds each check where the usual time is too short to see what it shows; 0 stands for the usual.
	Watch time.Duration
	// Least is how long each check goes on though its verdict is firm, where what it shows comes and goes.
	Least time.Duration
	// Fault is made beside the job, from its submission on, until the scenario ends or it returns by itself.
	Fault func(ctx context.Context, c *cluster.Cluster) error
	// Proof tells from Flink's raw numbers that the job shows what it was built for. Nil asks for the shares of
	// time: each culprit busy, all above it held back, nobody else busy.
	Proof  Proof
	Expect Expect
}

// Expect is the right verdict.
type Expect struct {
	// Culprits must be named, each once, and nobody else. Empty: nobody may be named.
	Culprits []Culprit
	// JobReasons are the acceptable reasons of the whole job where nobody is named. "healthy" also stands for a
	// report without any finding.
	JobReasons []string
	// Findings must stand beside the verdict, each.
	Findings []Finding
	// Never are reasons that no finding may have.
	Never []string
	// Severities are the acceptable ones; nil for any.
	Severities []string
	// Or holds further verdicts that are right as well.
	Or []Expect
}

// Culprit is a vertex that holds its job back, and the acceptable reasons.
type Culprit struct {
	Vertex  string
	Reasons []string
	// Instances is how many subtasks must be named; 0 for any number.
	Instances int
	// Operator is the one of the chain that must be named; empty for any or none.
	Operator string
	// Patterns are the acceptable ones, such as "periodic"; nil for any.
	Patterns []string
	// Probable says that the verdict need not be firm, because the pressure comes and goes.
	Probable bool
	// TaskManager must be named, and no other; empty for any.
	TaskManager string
	// Period are the bounds of the time from one of its turns to the next that must be told; zero for any, or
	// none.
	Period [2]time.Duration
	// Next is the vertex that must be told of as the next limit: by the culprit, or a finding of its own.
	Next string
}

// Finding is something that culprit must tell of without naming a culprit. An empty Vertex is any subject.
type Finding struct {
	Vertex  string
	Reasons []string
	// Period is as that of a Culprit.
	Period [2]time.Duration
}

func (s Scenario) slots() int {
	if s.Slots == 0 {
		return 2
	}
	return s.Slots
}

// Nobody says that no vertex need be named.
func (e Expect) Nobody() bool { return len(e.Culprits) == 0 }

// Named returns the scenario of that name.
func Named(name string) (Scenario, error) {
	all := Scenarios()
	i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		names := make([]string, len(all))
		for i, s := range all {
			names[i] = s.Name
		}
		return Scenario{}, fmt.Errorf("no scenario %q; there are %s", name, strings.Join(names, ", "))
	}
	return all[i], nil
}

// Scenarios returns the table of all scenarios. What makes each verdict right stands in the job's Java
// source.
func Scenarios() []Scenario {
	return slices.Concat(waiting(), shapes(), skewed(), courses(), computing(), nobody(), stateful())
}

// waiting are the jobs with a culprit that costs no CPU; all of them fit on one cluster at once.
func waiting() []Scenario {
	return []Scenario{
		{Name: "slow-middle", Class: "SlowMiddle", Expect: culprit("enrich", "external-wait")},
		{Name: "slow-sink", Class: "SlowSink", Expect: culprit("warehouse: Writer", "slow-sink")},
		{
			Name: "slow-chained-sink", Class: "SlowChainedSink",
			Expect: culprit("jdbc-upsert -> warehouse: Writer", "slow-sink"),
		},
		{Name: "hot-key", Class: "HotKey", Slots: 4, Expect: Expect{Culprits: []Culprit{
			{Vertex: "customer-totals", Reasons: []string{"hot-key"}, Instances: 1},
		}}},
		{Name: "diamond", Class: "Diamond", Expect: culprit("fraud-check", "external-wait")},
		{Name: "two-pipelines", Class: "TwoPipelines", Expect: Expect{Culprits: []Culprit{
			{Vertex: "geocode", Reasons: []string{"external-wait"}},
			{Vertex: "clickstore: Writer", Reasons: []string{"slow-sink"}},
		}}},
		{Name: "two-sinks", Class: "TwoSinks", Expect: culprit("search-index: Writer", "slow-sink")},
		{Name: "source-bound", Class: "SlowSource", Expect: culprit("Source: orders", "source-bound")},
		{Name: "ten-vertices", Class: "TenVertices", Expect: culprit("score", "external-wait")},
	}
}

// computing are the jobs whose culprit burns CPU. They run with one subtask each, as two of them on a small
// machine would take each other's core.
func computing() []Scenario {
	args := []string{"--hash-rounds", "4000", "--parallelism", "1"}
	return []Scenario{
		{
			Name: "slow-middle-cpu", Class: "SlowMiddle", Args: args, Alone: true,
			Expect: culprit("enrich", "cpu-bound"),
		},
		{
			Name: "slow-sink-cpu", Class: "SlowSink", Args: args, Alone: true,
			Expect: culprit("warehouse: Writer", "sink-computing"),
		},
		{
			Name: "serialization", Class: "Serialization", Alone: true,
			Proof: within(
				band{"collect", [2]float64{0, 0.4}, [2]float64{0.5, 1}}, // writing is work, too
				band{"price", [2]float64{saturated, 1}, [2]float64{0, 0.1}},
			),
			Expect: culprit("price", "serialization"),
		},
	}
}

// nobody are the jobs in which no vertex holds the others back.
func nobody() []Scenario {
	// Without a known lag nobody can tell a source with a limit from a calm stream.
	calm := Expect{JobReasons: []string{"healthy"}, Severities: []string{"ok"}}
	return []Scenario{
		{Name: "healthy", Class: "Healthy", Expect: calm},
		{Name: "rate-limited", Class: "RateLimited", Expect: calm},
		{Name: "restart-loop", Class: "RestartLoop", Expect: Expect{JobReasons: []string{"restart-loop"}}},
		{Name: "growing-state", Class: "GrowingState", Expect: Expect{JobReasons: []string{"restart-loop"}}},
		{Name: "batch", Class: "BatchReport", Expect: Expect{JobReasons: []string{"batch"}}},
		{Name: "finished", Class: "BoundedImport", Expect: Expect{JobReasons: []string{"finished"}}},
		{Name: "failed", Class: "FailedJob", Expect: Expect{JobReasons: []string{"failed"}}},
	}
}

func culprit(vertex string, reasons ...string) Expect {
	return Expect{Culprits: []Culprit{{Vertex: vertex, Reasons: reasons}}}
}
