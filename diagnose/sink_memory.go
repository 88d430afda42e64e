package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

// holdsInMemory adds a warning where the heap of a TaskManager of the sink fills up: a sink that takes
// records and keeps them, instead of pushing back, ends in garbage collection. Only the lowest heap of each
// third of the readings counts, since the heap rises between two collections anyway.
func (c *Case) holdsInMemory(v int, f *Finding) {
	const full, rise = 0.7, 0.05 // of the heap
	for _, id := range c.taskManagers(v) {
		lows, known := c.heapFloors(c.worker(id, flinkapi.HeapUsed, flinkapi.HeapMax))
		if !known || lows[2] < full || lows[2]-lows[1] < rise || lows[1]-lows[0] < rise {
			continue
		}
		f.Summary += fmt.Sprintf("; the heap of %s fills up (%s to %s): it may keep records in memory instead of "+
			"pushing back", id, FormatRatio(flinkapi.Known(lows[0])), FormatRatio(flinkapi.Known(lows[2])))
		f.Evidence = append(f.Evidence, c.number("heap-floor", "least heap in use lately", string(id), lows[2],
			flinkapi.Ratio, "rising"))
		f.Dont = append(f.Dont, "more heap only delays it: bound what the sink holds (records in flight, batch)")
		return
	}
}

// heapFloors returns the smallest share of the heap in use in each third of the readings.
func (c *Case) heapFloors(all []workerReading) (lows [3]float64, known bool) {
	const least = 9
	if len(all) < least {
		return lows, false
	}
	lows = [3]float64{1, 1, 1}
	for i, r := range all {
		used, okUsed := r.readings.Of(flinkapi.HeapUsed).Float()
		most, okMost := r.readings.Of(flinkapi.HeapMax).Float()
		if !okUsed || !okMost || most <= 0 {
			return lows, false
		}
		third := i * len(lows) / len(all)
		lows[third] = min(lows[third], used/most)
	}
	return lows, true
}
