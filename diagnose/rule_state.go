package diagnose

import (
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// stateRules are those of rung 4. What a rule proves, no other of them claims.
func stateRules() []Rule {
	return []Rule{timersRule(), stateBackendRule(), stateDiskRule()}
}

// stateLimits are the thresholds of rung 4.
type stateLimits struct {
	stateWindow                             time.Duration
	stateSamples                            int
	stateFrames, stallShare, cacheMiss      float64
	level0Files, pendingCompaction          float64
	slowRead, stalledRead                   time.Duration
	timersPerRecord, timersLeast, asyncFull float64
	smallState                              float64
	growthPoints                            int
	growthOrder, growthLeast                float64
	growthSpan, growthSure                  time.Duration
	growthBytes, growthDrop                 float64
	jumpFactor                              float64
}

func (t *thresholds) stateEntries() []entry {
	return []entry{
		span(&t.stateWindow, "state-window", 3*time.Minute, "how far back metrics of the state backend count"),
		count(&t.stateSamples, "state-samples", 2, "samples in that time that must show a stall"),
		portion(
			&t.stateFrames,
			"state-frames",
			0.4,
			"share of the looks from which state access, or timers, is the reason",
		),
		portion(&t.stallShare, "stall-share", 0.1, "share of the time in which RocksDB holds writes back"),
		portion(&t.cacheMiss, "cache-miss", 0.3, "share of RocksDB's block reads that miss its cache"),
		ratio(&t.level0Files, "level-0-files", 20, "RocksDB files of level 0 above which compaction is behind"),
		ratio(
			&t.pendingCompaction,
			"pending-compaction",
			64<<30,
			"bytes to compact above which RocksDB slows writes",
		),
		span(&t.slowRead, "slow-read", time.Millisecond, "99th percentile of a state read that a disk explains"),
		span(
			&t.stalledRead,
			"stalled-read",
			50*time.Millisecond,
			"99th percentile of a state read that proves a stall",
		),
		ratio(
			&t.timersPerRecord,
			"timers-per-record",
			10,
			"timers fired for each record read that make timers the work",
		),
		ratio(&t.timersLeast, "timers-least", 100, "timers fired a second below which they are no matter"),
		portion(
			&t.asyncFull,
			"async-full",
			0.95,
			"share of the records that may wait for state which counts as full",
		),
		portion(&t.smallState, "small-state", 0.1, "share of the heap up to which state would fit onto it"),
		count(&t.growthPoints, "growth-points", 5, "least number of checkpoints for a growth of state"),
		portion(&t.growthOrder, "growth-order", 0.8, "Kendall's tau above which state sizes climb"),
		ratio(&t.growthLeast, "growth-least", 0.1, "growth over the time watched that is told of"),
		span(
			&t.growthSpan,
			"growth-span",
			10*time.Minute,
			"shortest time over which a growth of state is told of",
		),
		span(
			&t.growthSure,
			"growth-sure",
			time.Hour,
			"time after which that growth is a warning: few windows are longer",
		),
		ratio(&t.growthBytes, "growth-bytes", 10e6, "bytes of state below which growth is no matter"),
		portion(&t.growthDrop, "growth-drop", 0.1, "share by which state that grows never falls in between"),
		factor(&t.jumpFactor, "watermark-jump", 10,
			"event time by which a watermark moves, over the time that passed, from which it jumps"),
	}
}

// backendKind is where keyed state lives.
type backendKind int

const (
	backendUnknown backendKind = iota
	backendHeap
	backendRocksDB
	backendForSt
)

// backend returns the job's state backend, by what Flink's checkpoint configuration says or else the
// cluster's setting. Nothing set may still be set in the job's code.
func (c *Case) backend() backendKind {
	name := ""
	if c.job != nil && c.job.Checkpoints != nil {
		name = c.job.Checkpoints.Backend
	}
	if name == "" {
		name, _, _ = c.setting("state.backend.type")
	}
	name = strings.ToLower(name)
	for _, k := range []struct {
		part string
		kind backendKind
	}{
		{"rocksdb", backendRocksDB},
		{"forst", backendForSt},
		{"hashmap", backendHeap},
		{"filesystem", backendHeap},
		{"fsstate", backendHeap},
		{"memory", backendHeap},
		{"jobmanager", backendHeap},
	} {
		if strings.Contains(name, k.part) {
			return k.kind
		}
	}
	return backendUnknown
}

// stallSignals are what RocksDB and ForSt report of writes where it is switched on, readSignals of reads.
func stallSignals() []flinkapi.Signal {
	return []flinkapi.Signal{
		flinkapi.WriteStopped, flinkapi.DelayedWriteRate, flinkapi.PendingCompaction, flinkapi.Level0Files,
		flinkapi.WriteStallTime,
	}
}

func readSignals() []flinkapi.Signal {
	return []flinkapi.Signal{flinkapi.BlockCacheHits, flinkapi.BlockCacheMisses, flinkapi.StateGetLatency}
}

// lately returns the readings of a signal within the window of state metrics, oldest first.
func (c *Case) lately(v int, signal flinkapi.Signal) []spreadReading {
	all := c.series(v, signal)
	return slices.DeleteFunc(slices.Clone(all), func(r spreadReading) bool {
		return c.snapshot.At.Sub(r.at) > c.limits.stateWindow
	})
}

// above counts the readings of a signal lately whose largest value is above a limit.
func (c *Case) above(v int, signal flinkapi.Signal, limit float64) (n, of int) {
	for _, r := range c.lately(v, signal) {
		x, ok := r.spread.Max.Float()
		if !ok {
			continue
		}
		of++
		if x > limit {
			n++
		}
	}
	return n, of
}

// advance is by how much a counter moved lately, and in how long; pick chooses one subtask's or the sum. A
// counter that began anew is not known.
func (c *Case) advance(
	v int,
	signal flinkapi.Signal,
	pick func(flinkapi.Spread) flinkapi.Value,
) (by float64, in time.Duration, ok bool) {
	all := c.lately(v, signal)
	if len(all) < 2 {
		return 0, 0, false
	}
	first, last := all[0], all[len(all)-1]
	x, okFirst := pick(first.spread).Float()
	y, okLast := pick(last.spread).Float()
	if !okFirst || !okLast || y < x {
		return 0, 0, false
	}
	return y - x, last.at.Sub(first.at), true
}

func spreadMax(s flinkapi.Spread) flinkapi.Value { return s.Max }
func spreadSum(s flinkapi.Spread) flinkapi.Value { return s.Sum }

// stall is one way in which RocksDB holds writes back, with its number.
type stall struct {
	signal flinkapi.Signal
	value  float64
	unit   flinkapi.Unit
	text   string
}

// stalls are the ways in which RocksDB is seen to hold writes of a vertex back, the surest first; known tells
// whether any of its numbers is reported.
func (c *Case) stalls(v int) (all []stall, known bool) {
	add := func(signal flinkapi.Signal, limit float64, text string) {
		n, of := c.above(v, signal, limit)
		known = known || of > 0
		if n >= c.limits.stateSamples {
			x := c.spread(v, signal).Max.Or(0)
			all = append(all, stall{signal, x, signal.Info().Unit, text + " in " + FormatWhole(float64(n)) + " of " +
				FormatWhole(float64(of)) + " samples"})
		}
	}
	add(flinkapi.WriteStopped, 0.5, "RocksDB had stopped writes")
	add(flinkapi.DelayedWriteRate, 0, "RocksDB slowed writes down")
	add(flinkapi.Level0Files, c.limits.level0Files, "too many files were waiting in level 0")
	add(flinkapi.PendingCompaction, c.limits.pendingCompaction, "too much was waiting for compaction")
	if by, in, ok := c.advance(v, flinkapi.WriteStallTime, spreadMax); ok && in > 0 {
		known = true
		if share := by / in.Seconds(); share > c.limits.stallShare {
			all = append(all, stall{
				flinkapi.WriteStallTime, share, flinkapi.Ratio,
				"RocksDB held writes back for " + FormatRatio(flinkapi.Known(min(share, 1))) + " of the time",
			})
		}
	}
	return all, known
}

// stalled tells whether RocksDB is seen to hold writes of a vertex back.
func (c *Case) stalled(v int) bool {
	all, _ := c.stalls(v)
	return len(all) > 0
}

// stateBound tells whether access to its state is what limits a vertex: writes stall, or its threads stand
// in it.
func (c *Case) stateBound(v int) bool {
	seen := c.looked(v)
	return c.stalled(v) || seen.known && seen.state > c.limits.stateFrames
}

// missRatio is the share of RocksDB's block reads lately that missed its cache.
func (c *Case) missRatio(v int) flinkapi.Value {
	hits, _, okHits := c.advance(v, flinkapi.BlockCacheHits, spreadSum)
	misses, _, okMisses := c.advance(v, flinkapi.BlockCacheMisses, spreadSum)
	if !okHits || !okMisses || hits+misses <= 0 {
		return flinkapi.Value{}
	}
	return flinkapi.Known(misses / (hits + misses))
}

// looked is what the looks at a vertex's threads show of state and timers, as shares of them. known is false
// for too few.
type looked struct {
	*looks
	state, timers float64
	// lists is true where windows are read, or lists in the state.
	lists, known bool
}

func (c *Case) looked(v int) looked {
	l := c.looks(v)
	out := looked{looks: l, known: l.enough()}
	if l.counted == 0 {
		return out
	}
	out.state = l.share(stateAccess)
	firing := l.countIf(func(s *sighting) bool { return s.timer && s.does != stateAccess })
	out.timers = float64(firing) / float64(l.counted)
	stacks, _ := c.sampled(v)
	for i := range stacks {
		out.lists = out.lists || slices.ContainsFunc(stacks[i].Frames, func(f flinkapi.Frame) bool {
			return strings.Contains(f.Class, "ListState") || strings.Contains(f.Class, "WindowOperator")
		})
	}
	return out
}

// keyedState says why the rules about state do not apply to a vertex, or cannot tell.
func (c *Case) keyedState(v int) (end Finding, ok bool) {
	seen := c.looked(v)
	_, reported := c.stalls(v)
	if reported || seen.state > 0 || c.spread(v, flinkapi.StateGetLatency).Max.IsKnown() {
		return Finding{}, true
	}
	if !c.keyed(v) {
		return notApplicable(notKeyed), false
	}
	if bytes, known := c.stateBytes(v); known && bytes <= 0 {
		return notApplicable("its state is empty, by the newest checkpoint"), false
	}
	switch c.backend() {
	case backendHeap:
		return notApplicable("its state lives on the heap: the garbage collector is what it can wait for"), false
	case backendUnknown:
		return cannotTell("which state backend it has is not known",
			"the checkpoint configuration (/jobs/:jobid/checkpoints/config), or "+c.key("state.backend.type")), false
	case backendRocksDB, backendForSt:
	}
	return Finding{}, true
}

// stateBytes is the size of a vertex's state in the newest checkpoint that was read vertex by vertex, without
// the data in flight.
func (c *Case) stateBytes(v int) (bytes float64, known bool) {
	for _, x := range slices.Backward(c.checkpoints()) {
		i := slices.IndexFunc(x.Vertices, func(p flinkapi.CheckpointVertex) bool {
			return p.Vertex == c.job.Vertices[v].ID
		})
		if x.Status != flinkapi.CheckpointCompleted || i < 0 {
			continue
		}
		if n, ok := x.Vertices[i].StateBytes.Float(); ok {
			return max(n-x.Vertices[i].PersistedBytes.Or(0), 0), true
		}
	}
	return 0, false
}

// switchOn are the settings that make RocksDB or ForSt tell why it stalls, by the cluster's version.
func (c *Case) switchOn() []string {
	prefix := "state.backend.rocksdb.metrics."
	if c.backend() == backendForSt {
		prefix = "state.backend.forst.metrics."
	}
	out := []string{
		prefix + "is-write-stopped: true", prefix + "actual-delayed-write-rate: true",
		prefix + "estimate-pending-compaction-bytes: true",
	}
	version := c.version()
	if version == 0 || version >= 116 {
		out = append(
			out,
			prefix+"block-cache-hit: true",
			prefix+"block-cache-miss: true",
			prefix+"stall-micros: true",
		)
	}
	if version == 0 || version >= 120 {
		out = append(out, prefix+"num-files-at-level: true")
	}
	return append(out, c.key("state.latency-track.keyed-state-enabled")+": true")
}

func (c *Case) stateLooks(v int, s looked, share float64, label string) Evidence {
	return Evidence{
		Signal: "stack-share", Label: label, Subject: c.vertex(v).Name, Value: flinkapi.Known(share),
		Unit: flinkapi.Ratio, For: share > c.limits.stateFrames, Age: c.age(),
		Note: "of " + FormatWhole(float64(s.counted)) + " looks at its threads",
	}
}

func (c *Case) signalEvidence(
	v int,
	signal flinkapi.Signal,
	value float64,
	unit flinkapi.Unit,
	supports bool,
	note string,
) Evidence {
	return Evidence{
		Signal:  signal.String(),
		Label:   signal.Info().Label,
		Subject: c.vertex(v).Name,
		Value:   flinkapi.Known(value),
		Unit:    unit,
		For:     supports,
		Age:     c.age(),
		Note:    note,
	}
}
