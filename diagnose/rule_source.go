package diagnose

import (
	"fmt"

	"culprit/flinkapi"
)

func sourceStarvedRule() Rule {
	return Rule{
		ID:    "FD0904",
		Name:  "source-starved",
		Title: "the source lags and waits",
		Stage: StageWhole,
		Needs: needs(
			shareSignals(),
			rateSignals(),
			[]flinkapi.Signal{flinkapi.PendingRecords},
		),
		Check: checkStarved,
	}
}

func sourceThrottledRule() Rule {
	return Rule{
		ID:    "FD0903",
		Name:  "source-throttled",
		Title: "the source lags at a constant rate",
		Stage: StageWhole,
		Needs: needs(
			shareSignals(),
			rateSignals(),
			[]flinkapi.Signal{flinkapi.PendingRecords},
		),
		Check: checkThrottled,
	}
}

// laggingIdle returns a source that waits although records wait for it and do not grow fewer.
func (c *Case) laggingIdle() (v int, lag float64, found bool) {
	for v := range c.job.Vertices {
		if len(c.g.in[v]) > 0 {
			continue
		}
		records, slope := c.lag(v)
		n, ok := records.Float()
		growth, okSlope := slope.Float()
		if ok && okSlope && n > 0 && growth >= 0 && c.shares(v).idle.Or(0) >= c.limits.idle {
			return v, n, true
		}
	}
	return 0, 0, false
}

func checkStarved(c *Case) Finding   { return c.lagging(false) }
func checkThrottled(c *Case) Finding { return c.lagging(true) }

// lagging tells of a source that is idle although it lags: at a constant rate it is throttled, else starved.
func (c *Case) lagging(throttled bool) Finding {
	v, lag, found := c.laggingIdle()
	if !found {
		return fine()
	}
	steady, known := c.steady(v)
	if !known {
		return cannotTell("the source's rate was not seen for long enough", flinkapi.RecordsWritten.String())
	}
	if steady != throttled {
		return fine()
	}
	f := Finding{
		Verdict: Firing, Severity: Warning,
		Subject: Subject{Kind: SubjectVertex, Vertex: c.job.Vertices[v].ID, Name: c.vertex(v).Name},
		Dont:    []string{"more parallelism below the source changes nothing: those operators wait for it"},
		Evidence: []Evidence{
			{
				Signal:  flinkapi.PendingRecords.String(),
				Label:   "records waiting at the source",
				Subject: c.vertex(v).Name,
				Value:   flinkapi.Known(lag),
				Unit:    flinkapi.Records,
				For:     true,
				Age:     c.age(),
			},
		},
	}
	f.Summary = fmt.Sprintf(
		"nothing is slow: %s is idle while %s records wait for it",
		c.vertex(v).Name,
		FormatCount(lag),
	)
	if throttled {
		f.Summary += ", at a constant rate, as with a rate limit"
		f.Remedies = []Remedy{
			{
				Do:   "raise the rate limit of the source, if one is set",
				Gain: "the lag falls",
				Risk: "the operators below get more to do",
			},
		}
		return f
	}
	f.Summary += ": the system that it reads from is slow to answer"
	f.Remedies = []Remedy{
		{
			Do:   "look at the broker, its quota and the fetch settings of the source",
			Gain: "the lag falls",
			Risk: "none",
		},
	}
	return f
}
