package flinkapi

import "time"

// Clock tells the time of a source: the wall clock of a live cluster, the simulated time of a simulated
// one.
type Clock func() time.Time

// WallClock is the clock of a live cluster.
func WallClock() time.Time { return time.Now() }
