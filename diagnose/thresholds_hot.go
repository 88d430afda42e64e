package diagnose

import "time"

// hotLimits are the thresholds of rung 3.
type hotLimits struct {
	hotBusy, coldBusy      float64
	recordSkew, pairShare  float64
	skewWindow             time.Duration
	leastRecords           int
	costSkew, hostCost     float64
	hostBusy               float64
	emptyShare             float64
	groupRatio, groupMatch float64
	crowdCores, crowdLead  float64
}

func (t *hotLimits) hotEntries() []entry {
	return []entry{
		portion(&t.hotBusy, "hot-busy", 0.9, "busy share of the hottest subtask of a vertex with one hot instance"),
		portion(&t.coldBusy, "cold-busy", 0.5, "busy share of its median subtask"),
		factor(&t.recordSkew, "record-skew", 2,
			"records of the hottest over those of the median subtask that count as uneven"),
		portion(&t.pairShare, "pair-share", 0.75, "share of the hotter one of two subtasks that counts as uneven"),
		span(&t.skewWindow, "skew-window", 3*time.Minute,
			"how far back records are counted while they are few; a minute where they are not"),
		count(&t.leastRecords, "least-records", 100,
			"records per subtask, on average, below which nothing is said of how they are spread"),
		factor(&t.costSkew, "cost-skew", 2,
			"time that a record takes in the hottest over that in the median subtask that counts as dearer"),
		factor(&t.hostCost, "host-cost", 1.5,
			"time that a record takes on one TaskManager over that on the others that counts as slower"),
		// Less is noise: tasks that are held back nearly all the time were seen at 3 % on one TaskManager and at
		// none on another that is as fast.
		portion(&t.hostBusy, "host-busy", 0.05,
			"busy share of a vertex from which it tells how long a record takes where"),
		portion(&t.emptyShare, "empty-share", 0.25, "share of the subtasks without any record that counts as few "+
			"keys"),
		factor(&t.groupRatio, "group-ratio", 1.5,
			"key groups of the subtasks with more over those with fewer that count as uneven"),
		portion(&t.groupMatch, "group-match", 0.25,
			"how far a subtask's records may lie from what its key groups predict"),
		ratio(&t.crowdCores, "crowd-cores", 0.7, "cores that a crowded TaskManager uses at least"),
		factor(&t.crowdLead, "crowd-lead", 1.25, "CPU of a crowded TaskManager over that of the others"),
	}
}
