package diagnose

import (
	"fmt"
	"slices"

	"culprit/flinkapi"
)

func lateDataRule() Rule {
	return Rule{
		ID: "FD0907", Name: "late-data", Title: "records are dropped because they come late", Stage: StageBeside,
		Needs: needs(shareSignals(), rateSignals(), []flinkapi.Signal{flinkapi.LateRecords}), Check: checkLateData,
	}
}

func checkLateData(c *Case) Finding {
	if end, yes := c.blind(); yes {
		return end
	}
	counted, unsure := false, ""
	for v := range c.job.Vertices {
		all := c.series(v, flinkapi.LateRecords)
		if _, known := c.operators(v, flinkapi.LateRecords); !known && len(c.g.in[v]) > 0 && len(all) == 0 {
			unsure = c.vertex(v).Name
		}
		if len(all) == 0 {
			continue
		}
		counted = true
		last := all[len(all)-1]
		total, ok := last.spread.Sum.Float()
		if !ok || total == 0 {
			continue
		}
		i := earliest(all, total)
		if len(all) < 2 {
			unsure = c.vertex(v).Name
			continue
		}
		rate := (total - all[i].spread.Sum.Or(total)) / max(last.at.Sub(all[i].at).Seconds(), 1)
		if in, _ := c.rates(v); in.in.Or(0) > 0 && rate/in.in.Or(0) >= c.limits.lateShare {
			return c.lateData(v, rate, in.in.Or(0), total)
		}
	}
	switch {
	case unsure != "":
		return cannotTell("whether "+unsure+" drops late records was not seen for long enough",
			flinkapi.LateRecords.String())
	case !counted:
		return notApplicable("no operator counts late records: none has event-time windows")
	}
	return fine()
}

// earliest is the first reading since which the count has not begun anew, as it does with each attempt.
func earliest(all []spreadReading, total float64) int {
	i := len(all) - 1
	for after := total; i > 0; i-- {
		before, ok := all[i-1].spread.Sum.Float()
		if !ok || before > after {
			break
		}
		after = before
	}
	return i
}

func (c *Case) lateData(v int, late, in, total float64) Finding {
	name := c.vertex(v).Name
	operator := ""
	if all, _ := c.operators(v, flinkapi.LateRecords); len(all) == 1 {
		operator = all[0].Operator
	}
	share := flinkapi.Known(min(late/in, 1))
	f := Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(v), Operator: operator,
		Summary: fmt.Sprintf("%s drops %s of its records because they come late (%s a second, %s since it started)",
			name, FormatRatio(share), FormatCount(late), FormatWhole(total)),
		Evidence: []Evidence{
			{
				Signal: "late-share", Label: "records dropped as late, of those that come", Subject: name, Value: share,
				Unit: flinkapi.Ratio, For: true, Age: c.age(),
			},
			{
				Signal: flinkapi.LateRecords.String(), Label: "records dropped as late since the start", Subject: name,
				Value: flinkapi.Known(total), Unit: flinkapi.Records, For: true, Age: c.age(),
			},
		},
		Remedies: []Remedy{
			{
				Do:   "keep them: send late records to a side output and look at how late they are",
				Key:  "sideOutputLateData",
				Gain: "nothing is lost, and the delay becomes known", Risk: "one more output to handle",
				Link: windowsLink + "#getting-late-data-as-a-side-output",
				Undo: "take the side output out",
			},
			{
				Do: "allow for records that are so much out of order: a larger bound of the watermark, or lateness " +
					"of the window",
				Key:  "WatermarkStrategy.forBoundedOutOfOrderness",
				Gain: "they are counted in", Risk: "results come later, windows keep their state longer",
				Link: watermarkLink,
				Undo: "give the old bound",
			},
		},
		Dont: []string{"more parallelism does not help: whether a record is late depends on event time alone"},
	}
	if source := c.wronglyIdle(v); source != "" {
		f.Summary += "; " + source + " is held back, and this version of Flink counts that as idleness"
		f.Remedies = slices.Insert(f.Remedies, 0, Remedy{
			Do: "upgrade Flink to 1.19.2, 1.20.1 or 2.0: before, a source with an idle timeout is marked idle while " +
				"backpressure holds it, and what it then reads is late",
			Gain: "the watermark waits for a source that is held back", Risk: "an upgrade",
			Undo: "start the old version of Flink, from a savepoint from before",
			Link: "https://issues.apache.org/jira/browse/FLINK-35886",
		})
	}
	return f
}

// wronglyIdle names a source above v that is held back, on a version that takes that for idleness
// (FLINK-35886); empty for none. Whether it has an idle timeout is not told.
func (c *Case) wronglyIdle(v int) string {
	patch, known := c.patch()
	fixed := map[int]int{119: 2, 120: 1}
	if release := c.version(); !known || release > 120 || release >= 119 && patch >= fixed[release] {
		return ""
	}
	above := c.g.above(v)
	for _, u := range c.sources() {
		if above[u] && c.shares(u).backpressured.Or(0) >= c.limits.high {
			return c.vertex(u).Name
		}
	}
	return ""
}
