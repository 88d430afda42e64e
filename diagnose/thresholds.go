package diagnose

import "time"

// thresholds are all the numbers that the selection procedure and the rules compare with, in one place. The
// levels of backpressure are Flink's own (JobVertexBackPressureHandler); the others are reasoned in
// docs/diagnosis.md.
type thresholds struct {
	// slot is the shortest span over which shares are formed.
	slot time.Duration
	// settle is how long a task must have been RUNNING before its shares count: until then every gauge says
	// busy 100 %.
	settle time.Duration
	// gaugeWindow is how long a job must have run before the cluster's own 60 s gauges may name somebody.
	gaugeWindow time.Duration
	// low and high are Flink's levels of backpressure.
	low, high float64
	// busy confirms a candidate; saturated is busy practically all the time; some is the least that gives low
	// support.
	busy, saturated, some float64
	// tie is the lead below which two candidates count as level; lead is what a rival needs to replace a
	// standing one.
	tie, lead float64
	// queueGrowth is the share by which more records must be sent to a vertex than it reads for its queue to
	// grow.
	queueGrowth float64
	// firmWindow is the span in which a subject must be named in firmShare of the slots, firmSlots at least.
	firmWindow time.Duration
	firmShare  float64
	firmSlots  int
	// idle is the share from which a vertex below the culprit counts as starved.
	idle float64
	// knownShare of the subtasks must be readable for any verdict, wellKnown for a firm or a good one.
	knownShare, wellKnown float64
	// momentary and chronic bound the patterns.
	momentary, chronic time.Duration
	// restarts in restartWindow make a restart loop.
	restarts      int
	restartWindow time.Duration
	// waiting and computing bound the TaskManager CPU (cores) per busy subtask.
	waiting, computing float64
	// hotBusy and coldBusy are the busy shares of the hottest and of the median subtask in a vertex with one
	// hot instance.
	hotBusy, coldBusy float64
	// recordSkew is the records of the hottest over those of the median subtask that count as uneven input;
	// pairShare is the same for two subtasks, as the share of the hotter one.
	recordSkew, pairShare float64
	// staleIntervals fetch intervals, and staleSlack on top, without any movement make metrics stale. It must be
	// less than two, so that a stalled TaskManager is told of within two.
	staleIntervals float64
	staleSlack     time.Duration
	// staleLeast is what a short interval may be overdue by: answers are up to 3 s old when they are read.
	staleLeast time.Duration
	// steadyRate is the relative spread of a source's rate below which it looks like a configured limit.
	steadyRate float64
}

func defaultThresholds() thresholds {
	return thresholds{
		slot:           10 * time.Second,
		settle:         30 * time.Second,
		gaugeWindow:    60 * time.Second,
		low:            0.1,
		high:           0.5,
		busy:           0.8,
		saturated:      0.95,
		some:           0.5,
		tie:            0.05,
		lead:           0.15,
		queueGrowth:    0.05,
		firmWindow:     60 * time.Second,
		firmShare:      0.7,
		firmSlots:      3,
		idle:           0.5,
		knownShare:     0.5,
		wellKnown:      0.9,
		momentary:      time.Minute,
		chronic:        10 * time.Minute,
		restarts:       2,
		restartWindow:  5 * time.Minute,
		waiting:        0.3,
		computing:      0.7,
		hotBusy:        0.9,
		coldBusy:       0.5,
		recordSkew:     2,
		pairShare:      0.75,
		staleIntervals: 1.5,
		staleSlack:     time.Second,
		staleLeast:     5 * time.Second,
		steadyRate:     0.05,
	}
}
