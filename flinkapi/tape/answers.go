package tape

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"culprit/flinkapi"
)

// answers knows what was answered up to a look.
type answers struct {
	mu     sync.Mutex
	newest map[string]map[string]answer // by path, then by query
	now    map[string]answer            // those of the look, by path and query
}

func newAnswers() *answers { return &answers{newest: map[string]map[string]answer{}} }

// take makes the answers of a look those of now.
func (t *answers) take(l *taken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.first {
		clear(t.newest)
	}
	t.now = make(map[string]answer, len(l.answers))
	for _, a := range l.older {
		t.keep(a)
	}
	for _, a := range l.answers {
		t.now[a.Path+"?"+a.Query] = a
		t.keep(a)
	}
}

func (t *answers) keep(a answer) {
	if a.Error != nil {
		return
	}
	const most = 32
	all := t.newest[a.Path]
	if all == nil {
		all = map[string]answer{}
		t.newest[a.Path] = all
	}
	if _, known := all[a.Query]; !known && len(all) >= most {
		clear(all)
	}
	all[a.Query] = a
}

// answer answers with what was answered to the same question in this look, else with the newest answer to it,
// at the time at which that came. Metrics of a path are put together from all that were asked of it, so
// that a program which asks for others gets those that are there.
func (t *answers) answer(asked *flinkapi.Exchange) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a, ok := t.find(asked)
	switch {
	case !ok:
		return nil, notRecorded()
	case a.Error != nil:
		return nil, a.Error.err()
	}
	asked.At = time.UnixMilli(a.At).UTC()
	return a.Body, nil
}

func notRecorded() *flinkapi.Error {
	return &flinkapi.Error{
		Op: "read the recording", Kind: flinkapi.KindNotRecorded, Detail: "this was not recorded",
	}
}

func (t *answers) find(asked *flinkapi.Exchange) (answer, bool) {
	if a, ok := t.now[asked.Path+"?"+asked.Query]; ok {
		return a, true
	}
	all := t.newest[asked.Path]
	names, some := namesOf(asked.Query)
	if some && len(all) > 0 {
		return joinMetrics(all, names), true
	}
	if a, ok := all[asked.Query]; ok {
		return a, true
	}
	if (answer{Pattern: asked.Pattern}).metrics() && len(all) > 0 {
		return joinMetrics(all, nil), true
	}
	newest, ok := answer{}, false
	for _, a := range all {
		if !ok || a.At > newest.At {
			newest, ok = a, true
		}
	}
	return newest, ok
}

// joinMetrics puts the named metrics together from several answers, the newest of each; without names all of
// them. It came when the oldest of its parts did.
func joinMetrics(all map[string]answer, names []string) answer {
	sorted := make([]answer, 0, len(all))
	for _, a := range all {
		if a.Query != "" || names == nil {
			sorted = append(sorted, a)
		}
	}
	slices.SortFunc(sorted, func(a, b answer) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Query, b.Query))
	})
	out := answer{}
	seen := map[string]bool{}
	joined := []json.RawMessage{}
	for _, a := range sorted {
		var metrics []json.RawMessage
		if json.Unmarshal(a.Body, &metrics) != nil {
			continue
		}
		for _, raw := range metrics {
			var m struct {
				ID string `json:"id"`
			}
			if json.Unmarshal(raw, &m) != nil || seen[m.ID] || names != nil && !slices.Contains(names, m.ID) {
				continue
			}
			seen[m.ID] = true
			joined = append(joined, raw)
			out.At = a.At
		}
	}
	if out.At == 0 && len(sorted) > 0 {
		out.At = sorted[0].At
	}
	out.Body, _ = json.Marshal(joined) // parts of valid JSON
	return out
}
