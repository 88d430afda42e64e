package sim

import "time"

// Scenario is a built-in incident.
type Scenario struct {
	Name string
	// Summary says in one sentence what goes on.
	Summary string
	// Culprits are the names of the vertices that hold the job back; none where nothing is to blame.
	Culprits []string
	// Reason is the name of the cause or of the state of the job, such as "slow-sink".
	Reason string
	// Config is the cluster, without Start.
	Config Config
	// Warm is how long the incident has been going on at the first look.
	Warm time.Duration
}

// Cluster starts the scenario such that the simulated time is now, with the incident under way.
func (s Scenario) Cluster(now time.Time) *Cluster {
	cfg := s.Config
	cfg.Start = now.Add(-s.Warm)
	c := New(cfg)
	c.Advance(s.Warm)
	return c
}

// Lookup finds a scenario by name.
func Lookup(name string) (Scenario, bool) {
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

// Scenarios lists the built-in incidents.
func Scenarios() []Scenario {
	return []Scenario{slowMiddle()}
}

func slowMiddle() Scenario {
	return Scenario{
		Name: "slow-middle", Summary: "An enrichment step waits for a service and holds back everything above it.",
		Culprits: []string{"geocode"}, Reason: "external-wait", Warm: 10 * time.Minute,
		Config: Config{Jobs: []Job{{
			Name: "lab-orders", Jitter: 0.05, Checkpoints: Checkpoints{Interval: 30 * time.Second, Tolerable: 1000},
			Graph: Graph{
				Vertices: []Vertex{
					{
						Name: "Source: orders", Parallelism: 2, Service: 100 * time.Microsecond, CPU: 1,
						Source: &Source{Rate: 2000, Log: true},
					},
					{Name: "normalize", Parallelism: 2, Service: 200 * time.Microsecond, CPU: 1},
					{Name: "geocode", Parallelism: 2, Service: 2 * time.Millisecond, CPU: 0.02},
					{Name: "archive: Writer", Parallelism: 2, Service: 100 * time.Microsecond, CPU: 0.6},
				},
				Edges: []Edge{
					{From: 0, To: 1, Ship: Rebalance}, {From: 1, To: 2, Ship: Rebalance}, {From: 2, To: 3, Ship: Rebalance},
				},
			},
		}}},
	}
}
