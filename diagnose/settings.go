package diagnose

import (
	"fmt"
	"strconv"
	"strings"
)

// renamed is a setting of Flink that had another name before a version (major*100 + minor).
type renamed struct {
	now, before string
	since       int
}

// renames are the settings that remedies name and that Flink has renamed.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/config/
func renames() []renamed {
	return []renamed{
		{"execution.checkpointing.unaligned.enabled", "execution.checkpointing.unaligned", 120},
		{"execution.checkpointing.aligned-checkpoint-timeout", "execution.checkpointing.alignment-timeout", 114},
		{"state.backend.type", "state.backend", 117},
		{"execution.checkpointing.incremental", "state.backend.incremental", 120},
		{"execution.checkpointing.dir", "state.checkpoints.dir", 120},
		{"execution.checkpointing.storage", "state.checkpoint-storage", 120},
		{"execution.checkpointing.num-retained", "state.checkpoints.num-retained", 120},
		{"state.latency-track.keyed-state-enabled", "state.backend.latency-track.keyed-state-enabled", 200},
		{"taskmanager.load-balance.mode", "cluster.evenly-spread-out-slots", 119},
		{"execution.buffer-timeout.interval", "execution.buffer-timeout", 118},
		{"pipeline.operator-chaining.enabled", "pipeline.operator-chaining", 119},
	}
}

// version is the cluster's version as major*100 + minor; 0 when it is not known.
func (c *Case) version() int {
	first, rest, ok := strings.Cut(c.snapshot.Cluster.Version, ".")
	if !ok {
		return 0
	}
	second, _, _ := strings.Cut(rest, ".")
	major, errMajor := strconv.Atoi(first)
	minor, errMinor := strconv.Atoi(second)
	if errMajor != nil || errMinor != nil {
		return 0
	}
	return major*100 + minor
}

// patch is the third number of the cluster's version.
func (c *Case) patch() (n int, known bool) {
	parts := strings.SplitN(c.snapshot.Cluster.Version, ".", 3)
	if len(parts) < 3 || c.version() == 0 {
		return 0, false
	}
	digits, _, _ := strings.Cut(parts[2], "-")
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// tellsFrom says from which version (major*100 + minor) on Flink tells something, after a space and in
// brackets; empty where the cluster has that version, so that it is not why it was not told.
func (c *Case) tellsFrom(since int) string {
	switch v := c.version(); {
	case v == 0:
		return fmt.Sprintf(" (Flink tells it from %d.%d on)", since/100, since%100)
	case v < since:
		return fmt.Sprintf(" (Flink tells it from %d.%d on, and this is %s)", since/100, since%100,
			c.snapshot.Cluster.Version)
	}
	return ""
}

// key returns a setting's name as the cluster's version has it; the newest name where that is not known.
func (c *Case) key(name string) string {
	v := c.version()
	for _, r := range renames() {
		if r.now == name && v > 0 && v < r.since {
			return r.before
		}
	}
	return name
}

// setting returns what the cluster's configuration sets, under either name. It holds only what was set:
// known is false before it was read, set is false for a default. A job may override it in its code.
func (c *Case) setting(name string) (value string, set, known bool) {
	all := c.snapshot.Cluster.Settings
	if value, set = all[name]; !set {
		for _, r := range renames() {
			if r.now == name && !set {
				value, set = all[r.before]
			}
		}
	}
	return value, set, all != nil
}

// undo says how a setting is taken back: to what it is set to now, or by leaving it out again.
func (c *Case) undo(name string) string {
	value, set, known := c.setting(name)
	switch {
	case set:
		return "set it back to " + withUnit(name, value)
	case known:
		return "remove the setting"
	}
	return undoSetter
}

// docRoot is where Flink's documentation of the stable version begins.
const docRoot = "https://nightlies.apache.org/flink/flink-docs-stable/docs/"
