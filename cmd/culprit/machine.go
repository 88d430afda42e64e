package main

import (
	"runtime/metrics"

	"culprit/flinkapi"
	"culprit/tui"
)

// machine reads what the program takes of its machine; what this version of the Go runtime does not tell is
// unknown.
func machine() tui.Machine {
	samples := []metrics.Sample{
		{Name: "/sched/goroutines:goroutines"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	goroutines, held, released := count(samples[0]), count(samples[1]), count(samples[2])
	memory := flinkapi.Value{}
	if given, ok := released.Float(); ok {
		memory = held.Plus(-given)
	}
	return tui.Machine{Goroutines: goroutines, Memory: memory}
}

func count(s metrics.Sample) flinkapi.Value {
	if s.Value.Kind() != metrics.KindUint64 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(float64(s.Value.Uint64()))
}
