package diagnose

import (
	"fmt"

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
	return Finding{
		Verdict: Firing, Severity: Warning, Subject: c.vertexSubject(v), Operator: operator,
		Summary: fmt.Sprintf("%s drops %s of its records because they come late (%s a second, %s since it started)",
			name, FormatRatio(share), FormatCount(late), FormatCount(total)),
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
				Link: docRoot + "dev/datastream/operators/windows/" +
					"#getting-late-data-as-a-side-output",
			},
			{
				Do: "allow for records that are so much out of order: a larger bound of the watermark, or lateness " +
					"of the window",
				Key:  "WatermarkStrategy.forBoundedOutOfOrderness",
				Gain: "they are counted in", Risk: "results come later, windows keep their state longer",
				Link: watermarkLink,
			},
		},
		Dont: []string{"more parallelism does not help: whether a record is late depends on event time alone"},
	}
}
