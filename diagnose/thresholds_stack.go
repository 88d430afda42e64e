package diagnose

import "time"

// stackThresholds are about what threads are seen to do, and about the machines that they run on.
type stackThresholds struct {
	stackLooks    int
	stackSpan     time.Duration
	stackShare    float64
	stackPatience time.Duration
	lockShare     float64

	gcLook, gcBad      float64
	heapFull, heapRise float64
	heapReadings       int

	sinkHeapFull, sinkHeapRise float64
	heapMarked                 float64
	sinkHeapReadings           int
	sinkHeapSpan, heapLeft     time.Duration

	networkFull        float64
	fullCPU, atLimit   float64
	overLimit, crowded float64
}

func (t *stackThresholds) stackEntries() []entry {
	return []entry{
		count(&t.stackLooks, "stack-looks", 20, "looks at busy threads from which shares of them count"),
		// One dump catches a thread in a park, which takes far longer than asked for, more often than it is right.
		span(&t.stackSpan, "stack-span", 5*time.Second, "span that those looks must cover"),
		span(&t.stackPatience, "stack-patience", 75*time.Second,
			"how long a verdict stays open for more looks once the first is there"),
		portion(&t.lockShare, "lock-share", 0.4,
			"share of the looks in which threads wait for a lock; two that take turns reach one half"),
		portion(&t.stackShare, "stack-share", 0.5, "share of the looks that tells what a culprit does"),
	}
}

func (t *stackThresholds) machineEntries() []entry {
	return []entry{
		portion(&t.gcLook, "gc-look", 0.1, "share of time in garbage collection that is told of"),
		portion(&t.gcBad, "gc-bad", 0.3, "share of time in garbage collection that makes a culprit slow"),
		portion(&t.heapFull, "heap-full", 0.9, "least use of a heap over the window from which it counts as full"),
		portion(
			&t.heapRise,
			"heap-rise",
			0.05,
			"share of the heap by which its least use must have grown to look like a leak",
		),
		count(&t.heapReadings, "heap-readings", 6, "readings of a heap that its least use needs"),
		portion(&t.sinkHeapFull, "sink-heap-full", 0.7,
			"least use of a heap lately from which a sink on it may keep records instead of pushing back"),
		portion(&t.sinkHeapRise, "sink-heap-rise", 0.05,
			"share of the heap by which that must have grown from each third of the readings to the next"),
		count(&t.sinkHeapReadings, "sink-heap-readings", 9, "readings that this needs"),
		span(&t.sinkHeapSpan, "sink-heap-span", 3*time.Minute,
			"time that they must cover where no sink is slow"),
		// G1 looks for garbage among the old objects from 45 % on (InitiatingHeapOccupancyPercent).
		portion(&t.heapMarked, "heap-marked", 0.5,
			"share of a heap that collections leave, from which its growth is told"),
		span(&t.heapLeft, "heap-left", 15*time.Minute,
			"time until a heap that grows is full at its pace, from which that is a warning"),
		portion(&t.networkFull, "network-full", 0.95,
			"share of the network memory from which it counts as used up"),
		portion(&t.fullCPU, "full-cpu", 0.9, "share of a machine's CPU from which it has no core to spare"),
		portion(&t.atLimit, "at-limit", 0.9, "share of its cores that a TaskManager uses when it is at its limit"),
		factor(
			&t.overLimit,
			"over-limit",
			1.1,
			"share of its cores from which what counts as a limit cannot be one",
		),
		factor(&t.crowded, "crowded", 1.5, "busy subtasks for each core from which they take turns"),
	}
}
