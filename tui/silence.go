package tui

import (
	"errors"
	"slices"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// silence is a time without an answer, by the source's clock.
type silence struct {
	from, to time.Time
	why      error
}

// mostSilences is how many are kept.
const mostSilences = 50

// heard notes that an answer came after failures in a row, of which the link before it tells.
func (m *app) heard(before link) {
	if !unheard(before.err) {
		return
	}
	at := m.live.obs.At
	m.silences = append(m.silences, silence{at.Add(before.since.Sub(m.now)), at, before.err})
	m.silences = slices.Delete(m.silences, 0, max(len(m.silences)-mostSilences, 0))
}

// unheard tells whether a failure means that no answer came; a cluster that knows no such job did answer.
func unheard(err error) bool {
	var known *flinkapi.Error
	return err != nil && (!errors.As(err, &known) ||
		known.Kind != flinkapi.KindNoJob && known.Kind != flinkapi.KindSeveralJobs)
}

// silent adds the times without an answer up to the picture, and the one that lasts.
func (l *timeline) silent(sc *scene) {
	for _, s := range sc.silences {
		if !s.to.After(sc.obs.At) {
			l.silence(s.why, "no data for "+diagnose.FormatDuration(s.to.Sub(s.from)), s.from)
		}
	}
	if unheard(sc.link.err) && !sc.frozen {
		l.silence(sc.link.err, "since then no data", sc.obs.At.Add(sc.link.since.Sub(sc.received)))
	}
}

func (l *timeline) silence(why error, where string, at time.Time) {
	detail, _ := cause(why)
	l.add(event{kind: eventSilence, text: "no answer: " + detail, where: where}, at, 0)
}
