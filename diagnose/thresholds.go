package diagnose

import (
	"slices"
	"strconv"
	"time"
)

// thresholds are all the numbers that the selection procedure and the rules compare with. Meaning and default
// of each stand in entries.
type thresholds struct {
	slot, settle, gaugeWindow  time.Duration
	low, high                  float64
	busy, saturated, some      float64
	tie, lead, queueGrowth     float64
	firmWindow                 time.Duration
	firmShare                  float64
	firmSlots                  int
	idle                       float64
	knownShare, wellKnown      float64
	momentary, chronic         time.Duration
	restarts                   int
	restartWindow, restartOver time.Duration
	restartQuiet               float64
	restartTold                time.Duration
	waiting, computing         float64
	staleIntervals             float64
	staleSlack, staleLeast     time.Duration
	steadyRate, movingRate     float64
	stackThresholds
	courseThresholds
	roomLimits
	hotLimits
	stateLimits
	checkpointLimits
	eventTimeLimits
}

// entry is one threshold: where it is kept, what users call it, its default and its meaning.
type entry struct {
	name, means string
	// Exactly one of these is set.
	span  *time.Duration
	ratio *float64
	count *int
	// least and most bound what users may set; of a span in nanoseconds.
	least, most float64
}

// Beyond these factors of its default a threshold switches its rule off, or makes it fire at anything.
const (
	farBelow = 0.1
	farAbove = 100
)

// neat is a bound in three digits, as people read it.
func neat(x float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return short
}

// within narrows what users may set.
func (e entry) within(least, most float64) entry {
	e.least, e.most = least, most
	return e
}

func span(at *time.Duration, name string, normally time.Duration, means string) entry {
	*at = normally
	return entry{
		name: name, means: means, span: at, least: neat(farBelow * float64(normally)),
		most: farAbove * float64(normally),
	}
}

// ratio is any number above 0; portion one that is a share of a whole, factor one that says
// how many times as much something is.
func ratio(at *float64, name string, normally float64, means string) entry {
	*at = normally
	return entry{
		name: name, means: means, ratio: at, least: neat(farBelow * normally), most: neat(farAbove * normally),
	}
}

func portion(at *float64, name string, normally float64, means string) entry {
	e := ratio(at, name, normally, means)
	e.most = 1
	return e
}

func factor(at *float64, name string, normally float64, means string) entry {
	e := ratio(at, name, normally, means)
	e.least = 1
	return e
}

func count(at *int, name string, normally int, means string) entry {
	*at = normally
	return entry{name: name, means: means, count: at, least: 1, most: farAbove * float64(normally)}
}

// ascending are the thresholds that make sense only in this order, from the smallest to the largest.
func ascending() [][]string {
	return [][]string{
		{"low", "high"},
		{"some", "busy", "saturated"},
		{"known-share", "well-known"},
		{"slot", "firm-window"},
		{"momentary", "chronic"},
		{"waiting", "computing"},
		{"cold-busy", "hot-busy"},
		{"empty-pool", "full-pool"},
		{"cheap", "least-load", "room-tight", "room-little", "room-none"},
		{"retention-least", "retention-share"},
		{"retention-critical", "retention-warning"},
		{"gc-look", "gc-bad"},
		{"slow-read", "stalled-read"},
		{"growth-span", "growth-sure"},
		{"failures-least", "failures-of"},
		{"trend-points", "trend-most"},
		{"trend-urgent", "trend-horizon"},
		{"checkpoint-least", "checkpoint-long"},
		{"watermark-still", "watermark-all-still"},
	}
}

// entries sets every threshold to its default and returns the table of them. The levels of backpressure are
// Flink's own (JobVertexBackPressureHandler); the others are reasoned in docs/diagnosis.md.
func (t *thresholds) entries() []entry {
	return slices.Concat(
		t.walkEntries(), t.timeEntries(), t.reasonEntries(),
		t.stackEntries(), t.machineEntries(),
		t.roomEntries(), t.eventTimeEntries(),
		t.hotEntries(),
		t.courseEntries(),
		t.stateEntries(), t.checkpointEntries(),
	)
}

func (t *thresholds) walkEntries() []entry {
	return []entry{
		portion(&t.low, "low", 0.1, "backpressured share above which a vertex counts as slightly held back"),
		portion(&t.high, "high", 0.5, "backpressured share from which a vertex counts as held back"),
		portion(&t.busy, "busy", 0.8, "busy share that confirms a candidate"),
		portion(&t.saturated, "saturated", 0.95, "busy share of a vertex that is busy practically all the time"),
		portion(&t.some, "some", 0.5, "least busy share that gives low support"),
		portion(&t.tie, "tie", 0.05, "lead below which two candidates count as level"),
		portion(&t.lead, "lead", 0.15, "lead that a rival needs to replace a standing culprit"),
		portion(&t.queueGrowth, "queue-growth", 0.05,
			"share by which more records must be sent to a vertex than it reads for its queue to grow"),
		portion(&t.idle, "idle", 0.5, "idle share from which a vertex counts as starved"),
		portion(&t.knownShare, "known-share", 0.5, "share of the subtasks that must be readable for any verdict"),
		portion(&t.wellKnown, "well-known", 0.9,
			"share of the subtasks that must be readable for a firm or a good verdict"),
	}
}

func (t *thresholds) timeEntries() []entry {
	return []entry{
		span(&t.slot, "slot", 10*time.Second, "shortest span over which shares are formed").
			within(float64(time.Second), float64(5*time.Minute)),
		// Until then every gauge says busy 100 %.
		span(&t.settle, "settle", 30*time.Second, "how long a task must run before its shares count"),
		span(&t.gaugeWindow, "gauge-window", 60*time.Second,
			"how long a job must run before Flink's own averages may name somebody"),
		span(&t.firmWindow, "firm-window", 60*time.Second, "span in which a culprit must be named to become firm"),
		portion(&t.firmShare, "firm-share", 0.7, "share of the slots of that span that must name it").
			within(0.3, 1),
		count(&t.firmSlots, "firm-slots", 3, "least number of those slots"),
		span(&t.momentary, "momentary", time.Minute, "below this a culprit is momentary"),
		span(&t.chronic, "chronic", 10*time.Minute, "from this on a culprit is chronic"),
		count(&t.restarts, "restarts", 2, "restarts within restart-window that make a restart loop"),
		span(&t.restartWindow, "restart-window", 5*time.Minute, "span in which restarts are counted"),
		span(&t.restartOver, "restart-over", time.Minute,
			"least time without a restart that ends a restart loop"),
		span(&t.restartTold, "restart-told", 15*time.Minute,
			"how long a restart is told of once the job runs again"),
		factor(&t.restartQuiet, "restart-quiet", 2,
			"how many times longer than between the restarts that must be"),
		// Less than two, so that a stalled TaskManager is told of within two intervals.
		factor(&t.staleIntervals, "stale-intervals", 1.5,
			"fetch intervals without movement that make metrics stale"),
		span(&t.staleSlack, "stale-slack", time.Second, "what is added to them"),
		// Answers are up to 3 s old when they are read.
		span(&t.staleLeast, "stale-least", 5*time.Second, "what a short fetch interval may be overdue by"),
	}
}

func (t *thresholds) reasonEntries() []entry {
	return []entry{
		ratio(&t.waiting, "waiting", 0.3,
			"TaskManager CPU in cores per busy subtask up to which busy means waiting"),
		ratio(&t.computing, "computing", 0.7,
			"TaskManager CPU in cores per busy subtask from which busy means computing"),
		portion(&t.steadyRate, "steady-rate", 0.01,
			"relative spread of a source's rate below which it looks like a configured limit"),
		// A collection of metrics that comes half a second late moves a rate over ten seconds by so much.
		portion(&t.movingRate, "moving-rate", 0.05,
			"relative spread of a source's rate from which no limit explains it"),
	}
}

func defaultThresholds() thresholds {
	var t thresholds
	t.entries()
	return t
}
