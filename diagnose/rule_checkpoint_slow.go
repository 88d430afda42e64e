package diagnose

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

func checkpointSyncRule() Rule {
	return Rule{
		ID: "FD0502", Name: "checkpoint-sync", Title: "an operator blocks while it takes its snapshot",
		Stage: StageCheckpoints, Needs: shareSignals(), Check: checkCheckpointSync,
	}
}

func checkCheckpointSync(c *Case) Finding {
	cp, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	a, known := c.newestAnatomy()
	if !known {
		return c.partUnread()
	}
	if c.dominant(&a) != phaseSync || a.sync.span < c.limits.syncLong {
		return fine()
	}
	v, d := a.sync.vertex, a.sync.span
	every := max(cp.Interval, a.total)
	blocked := float64(d) / float64(max(every, time.Millisecond))
	f := Finding{
		Verdict:  Firing,
		Severity: OK,
		Subject:  c.partSubject(v, a.sync.subtasks),
		Summary: fmt.Sprintf(
			"%s handles no records for %s of each checkpoint: the synchronous part of its snapshot blocks it%s",
			c.vertex(v).Name,
			FormatSpan(d),
			everyText(cp.Interval, every, blocked),
		),
		Evidence: []Evidence{
			c.durationEvidence(a.one, "checkpoint-sync", "synchronous part", c.vertex(v).Name, d),
			c.durationEvidence(a.one, "checkpoint-duration", "checkpoint, end to end", "job", a.total),
		},
		Remedies: append(c.syncRemedies(v), c.tolerate()...),
		Dont: []string{
			"unaligned checkpoints and more upload threads do not help: neither runs while the snapshot blocks",
		},
	}
	if blocked >= c.limits.blockedShare || c.atRiskOfTimeout(a.total) {
		f.Severity = c.slowness(a.total)
	}
	return f
}

func everyText(interval, every time.Duration, blocked float64) string {
	if interval <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%s of all time, at one checkpoint every %s)",
		FormatRatio(flinkapi.Known(min(blocked, 1))), FormatSpan(every))
}

func (c *Case) syncRemedies(v int) []Remedy {
	if c.isSink(v) {
		return []Remedy{
			{
				Do:   "let the sink flush more often in between, in smaller batches: little is left at the checkpoint",
				Gain: "the snapshot blocks only for what one smaller batch takes",
				Risk: "more, smaller writes for the system behind the sink",
				Link: checkpointDoc("large_state_tuning/"),
				Undo: "give the old size of a batch",
			},
		}
	}
	out := []Remedy{
		{
			Do: "take work out of snapshotState of " + c.vertex(
				v,
			).Name + ": flush earlier, or write in the background",
			Gain: "the snapshot blocks for milliseconds",
			Risk: "none for the state itself",
			Link: checkpointDoc("large_state_tuning/"),
			Undo: undoCode,
		},
	}
	from, to := c.scaled("state.backend.rocksdb.writebuffer.size", "64 mb", 0.5)
	return append(out, Remedy{
		Do: "let RocksDB flush smaller memory tables", Key: "state.backend.rocksdb.writebuffer.size",
		From: from, To: to,
		Gain: "less is left to flush when the snapshot is taken",
		Risk: "more compaction", Undo: c.undo("state.backend.rocksdb.writebuffer.size"), Link: rocksDBDoc,
		fits: fit{backends: backendsOf(backendRocksDB)},
	})
}

// partUnread answers where no checkpoint was read vertex by vertex.
func (c *Case) partUnread() Finding {
	if d, settled := usual(c.attempt()); !settled || !c.tooSlow(d) {
		return fine()
	}
	return cannotTell(
		"checkpoints are slow, and which part of them was not read yet",
		"the newest checkpoint by subtask",
	)
}

func checkpointAsyncRule() Rule {
	return Rule{
		ID: "FD0503", Name: "checkpoint-async", Title: "storing the state takes most of a checkpoint",
		Stage: StageCheckpoints, Needs: shareSignals(), Check: checkCheckpointAsync,
	}
}

func checkCheckpointAsync(c *Case) Finding {
	_, end, ok := c.checkpointing()
	if !ok {
		return end
	}
	a, known := c.newestAnatomy()
	if !known {
		return c.partUnread()
	}
	d := a.async.span
	if c.dominant(&a) != phaseAsync || !c.tooSlow(a.total) && !c.atRiskOfTimeout(a.total) {
		return fine()
	}
	v := a.async.vertex
	f := Finding{
		Verdict: Firing, Severity: c.slowness(a.total), Subject: c.partSubject(v, a.async.subtasks),
		Evidence: []Evidence{
			c.durationEvidence(a.one, "checkpoint-async", "asynchronous part", c.vertex(v).Name, d),
			c.durationEvidence(a.one, "checkpoint-duration", "checkpoint, end to end", "job", a.total),
		},
		Remedies: append(c.asyncRemedies(&a), c.tolerate()...),
		Dont: []string{
			"unaligned checkpoints do not help: no barrier waits, and they would store more",
		},
	}
	wrote := a.one.CheckpointedBytes
	if !wrote.IsKnown() {
		wrote = a.one.StateBytes
	}
	size := ""
	if n, ok := wrote.Float(); ok {
		size = ", " + FormatBytes(n) + " in all"
		f.Evidence = append(f.Evidence, Evidence{
			Signal: "checkpoint-size", Label: "written by the checkpoint", Subject: "job",
			Value: wrote, Unit: flinkapi.Bytes, For: true, Age: f.Evidence[0].Age,
		})
	}
	f.Summary = fmt.Sprintf("checkpoints take %s, %s of it to store the state of %s%s%s",
		FormatSpan(a.total), FormatSpan(d), c.vertex(v).Name, size, c.restorePoint(a.total))
	return f
}

// asyncRemedies are what shortens the upload: less to write, or a faster storage, which goes first where so
// few bytes take so long that it is not their number.
func (c *Case) asyncRemedies(a *anatomy) []Remedy {
	storage := c.storageFrom(nil)
	storage.Do = "look at the checkpoint storage: its latency, its throttling, and the number of files"
	storage.Gain = "storing takes what the storage allows"
	less := c.lessToStore()
	wrote, known := a.one.CheckpointedBytes.Float()
	if !known {
		wrote, known = a.one.StateBytes.Float()
	}
	rate := wrote / max(a.async.span.Seconds(), time.Millisecond.Seconds())
	if known && rate < c.limits.storeRate {
		storage.Gain += fmt.Sprintf("; now it is %s in %s, %s", FormatBytes(wrote), FormatSpan(a.async.span),
			FormatQuantity(rate, flinkapi.BytesPerSecond))
		return append([]Remedy{storage}, less...)
	}
	return append(less, storage)
}

// lessToStore are what makes a checkpoint write less, or with more threads.
func (c *Case) lessToStore() []Remedy {
	const (
		incremental = "execution.checkpointing.incremental"
		threads     = "state.backend.rocksdb.checkpoint.transfer.thread.num"
	)
	only := ""
	if c.backend() == backendUnknown {
		only = ", if the state is in RocksDB or ForSt"
	}
	from, to := c.scaled(threads, "4", 2)
	return []Remedy{
		{
			Do:  "keep this state in RocksDB and write only what changed (" + c.key(incremental) + ": true)",
			Key: c.key("state.backend.type"), From: "hashmap", To: "rocksdb",
			Gain: "a checkpoint writes only what changed",
			Risk: "each access of the state is slower; it needs a fast local disk",
			Undo: "change it back through a savepoint in canonical format",
			Link: checkpointDoc("state_backends/"), fits: fit{backends: backendsOf(backendHeap)},
		},
		{
			Do:  "write only what changed since the last checkpoint" + only,
			Key: c.key(incremental), From: c.from(incremental, "false"), To: "true",
			Gain: "a checkpoint takes as long as its changes are large, not the whole state",
			Risk: "a restore reads more files", Undo: c.undo(incremental),
			Link: checkpointDoc("large_state_tuning/#incremental-checkpoints"),
			fits: fit{backends: backendsOf(backendUnknown, backendRocksDB, backendForSt)},
		},
		{
			Do: "upload with more threads", Key: threads, From: from, To: to,
			Gain: "shorter where the storage takes more at a time", Risk: "more load on the network and the storage",
			Undo: c.undo(threads), Link: rocksDBDoc, fits: fit{backends: backendsOf(backendRocksDB)},
		},
	}
}
