package tape

import (
	"fmt"
	"time"

	"culprit/flinkapi"
)

// HideNames writes the recording to out anew, with the names of hosts, jobs, operators and topics replaced as
// a recorder with that option does. Settings are the keys of the cluster's configuration that are kept. What
// is damaged or cut off is left out.
func (r *Recording) HideNames(out Output, settings []string) error {
	w := newWriter(out, Options{Program: r.head.Program, Settings: settings, HideNames: true})
	for i := range r.members {
		reader := r.open(&r.members[i])
		for {
			l, err := reader.next()
			if err != nil {
				break // the end of the member, or of what can be read of it
			}
			if err := w.again(l); err != nil {
				return fmt.Errorf("write the recording anew: %w", err)
			}
		}
	}
	if err := w.end(); err != nil {
		return fmt.Errorf("write the recording anew: %w", err)
	}
	return nil
}

// again writes a look that was recorded. A new member begins where the old one did, with the same older
// answers.
func (w *writer) again(l *taken) error {
	if l.first {
		if err := w.end(); err != nil {
			return err
		}
		w.number = l.Number
		clear(w.newest)
		for i := range l.older {
			a := w.answer(exchangeOf(&l.older[i]))
			w.newest[a.Path+"?"+a.Query] = a
		}
	}
	all := make([]*exchange, len(l.answers))
	for i := range l.answers {
		all[i] = exchangeOf(&l.answers[i])
	}
	return w.look(l.clock(), l.Focus, l.Cost, all)
}

// exchangeOf is the question and the answer as they went over the network, but for what was not recorded.
func exchangeOf(a *answer) *exchange {
	x := &exchange{
		asked: &flinkapi.Exchange{Pattern: a.Pattern, Path: a.Path, Query: a.Query, At: time.UnixMilli(a.At)},
		body:  a.Body,
	}
	if a.Error != nil {
		x.asked.Err = a.Error.err()
	}
	return x
}
