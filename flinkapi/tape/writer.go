package tape

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// A member is closed after so many looks or bytes before compression: a seek has to read one from its
// beginning. The next one begins with the newest older answers, which is what a member costs.
const (
	memberLooks = 240
	memberBytes = 24 << 20
)

// Answers that are carried into the next member: those that are not older than carriedFor, of stacks and
// single checkpoints only the newest, and the lists that are asked for once, whatever their age.
const (
	carriedFor   = 10 * time.Minute
	fleetingFor  = 2 * time.Minute
	carriedCount = 4096
	carriedBytes = 32 << 20
)

// writer turns looks into members.
type writer struct {
	out      Output
	options  Options
	reduce   *reducer
	counted  *counter
	gzip     *gzip.Writer
	number   int // looks so far
	began    int // the number of the member's first look
	raw      int
	bodies   map[uint64]sameBody
	seed     maphash.Seed
	newest   map[string]answer
	nextBody int
}

// sameBody is a body that this member holds.
type sameBody struct {
	number int
	size   int
}

type counter struct {
	out io.Writer
	n   int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.n += int64(n)
	return n, err
}

func newWriter(out Output, o Options) *writer {
	return &writer{
		out: out, options: o, reduce: newReducer(o.Settings, o.HideNames), counted: &counter{out: out},
		seed: maphash.MakeSeed(), newest: map[string]answer{},
	}
}

func (w *writer) written() int64 { return w.counted.n }

func (w *writer) full() bool { return w.options.MaxBytes > 0 && w.counted.n >= w.options.MaxBytes }

// look writes one look, whole, and flushes it.
func (w *writer) look(times []time.Time, f flinkapi.Focus, spent *cost, all []*exchange) error {
	began := times[0]
	if err := w.member(began); err != nil {
		return err
	}
	answers := make([]answer, 0, len(all))
	for _, x := range all {
		answers = append(answers, w.answer(x))
	}
	slices.SortStableFunc(answers, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Query, b.Query))
	})
	for _, a := range answers {
		if err := w.write(a); err != nil {
			return err
		}
		if a.Error == nil {
			w.newest[a.Path+"?"+a.Query] = a
		}
	}
	end := look{Number: w.number, Began: began.UnixMilli(), Focus: w.focus(f), Cost: spent}
	for _, t := range times {
		end.Clock = append(end.Clock, t.Sub(began).Milliseconds())
	}
	if err := w.line(line{Look: &end}); err != nil {
		return err
	}
	w.number++
	return w.gzip.Flush()
}

// answer reduces one exchange.
func (w *writer) answer(x *exchange) answer {
	a := answer{
		Pattern: x.asked.Pattern, Path: w.reduce.path(x.asked.Pattern, x.asked.Path),
		Query: w.reduce.query(x.asked.Query), At: x.asked.At.UnixMilli(),
	}
	if e := x.asked.Err; e != nil {
		a.Error = &failure{
			e.Op, e.Kind, e.Status, w.reduce.text(prose, e.Detail), w.reduce.text(prose, e.Hint), e.Late,
		}
		return a
	}
	body, ok := w.reduce.body(a.Pattern, x.body)
	if !ok {
		a.Error = &failure{
			Op: "read the recording", Kind: flinkapi.KindNotRecorded, Detail: "this answer was not recorded",
		}
		return a
	}
	a.Body = body
	return a
}

// focus is where a look looked, with the names of TaskManagers as they are recorded.
func (w *writer) focus(f flinkapi.Focus) flinkapi.Focus {
	f.TaskManagers = slices.Clone(f.TaskManagers)
	for i, id := range f.TaskManagers {
		f.TaskManagers[i] = flinkapi.TaskManagerID(w.reduce.text(worker, string(id)))
	}
	return f
}

// member begins a new member where one is due.
func (w *writer) member(at time.Time) error {
	if w.gzip != nil && w.number-w.began < memberLooks && w.raw < memberBytes {
		return nil
	}
	if err := w.end(); err != nil {
		return err
	}
	if err := w.out.Roll(at); err != nil {
		return err
	}
	w.gzip = gzip.NewWriter(w.counted)
	w.gzip.Extra = mark{format: Format, first: w.number, began: at}.extra()
	w.began, w.raw, w.nextBody, w.bodies = w.number, 0, 0, map[uint64]sameBody{}
	h := head{Format: Format, Program: w.options.Program, Target: w.options.Target, Redaction: "secrets"}
	if w.options.HideNames {
		h.Target, h.Redaction = "", "names"
	}
	if err := w.line(line{Head: &h}); err != nil {
		return err
	}
	return w.carry(at)
}

// carry writes the older answers that a player needs which begins with this member.
func (w *writer) carry(at time.Time) error {
	all := make([]answer, 0, len(w.newest))
	for key, a := range w.newest {
		if at.Sub(time.UnixMilli(a.At)) > a.lasts() || !w.followed(a, at) {
			delete(w.newest, key)
			continue
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b answer) int { // newest first
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Query, b.Query))
	})
	size := 0
	for i, a := range all {
		if size += len(a.Body); i >= carriedCount || size > carriedBytes {
			delete(w.newest, a.Path+"?"+a.Query)
			continue
		}
		if err := w.write(a); err != nil {
			return err
		}
	}
	return nil
}

// followed tells whether the job that an answer is about, if any, was looked at lately.
func (w *writer) followed(a answer, at time.Time) bool {
	parts := strings.SplitN(a.Path, "/", 4)
	if len(parts) < 4 || parts[1] != "jobs" {
		return true
	}
	return at.Sub(time.UnixMilli(w.newest["/jobs/"+parts[2]+"?"].At)) <= carriedFor
}

// lasts is how long an answer may matter after it came.
func (a answer) lasts() time.Duration {
	const forever = 100 * 24 * time.Hour
	switch {
	case strings.HasSuffix(a.Pattern, "/thread-dump"), strings.HasSuffix(a.Pattern, "/flamegraph"),
		strings.Contains(a.Pattern, "/checkpoints/details/"):
		return fleetingFor
	case strings.HasSuffix(a.Pattern, "/config"), a.names():
		return forever
	}
	return carriedFor
}

// names tells whether an answer lists the names of metrics.
func (a answer) names() bool { return a.metrics() && a.Query == "" }

// metrics tells whether an answer holds metrics.
func (a answer) metrics() bool { return strings.HasSuffix(a.Pattern, "metrics") }

// write writes an answer, a body that this member already has by its number alone.
func (w *writer) write(a answer) error {
	body := a.Body
	if body != nil {
		sum := maphash.Bytes(w.seed, a.Body)
		if same, there := w.bodies[sum]; there && same.size == len(a.Body) {
			body, a.Same = nil, same.number
		} else {
			a.Bytes = len(body)
			w.nextBody++
			w.bodies[sum] = sameBody{w.nextBody, len(a.Body)}
		}
	}
	if err := w.line(line{Answer: &a}); err != nil || body == nil {
		return err
	}
	return w.put(append(body, '\n'))
}

func (w *writer) line(l line) error {
	b, err := encode(l)
	if err != nil {
		return err
	}
	return w.put(b)
}

func (w *writer) put(b []byte) error {
	w.raw += len(b)
	if _, err := w.gzip.Write(b); err != nil {
		return fmt.Errorf("after %d looks: %w", w.number, err)
	}
	return nil
}

// end closes the member.
func (w *writer) end() error {
	if w.gzip == nil {
		return nil
	}
	err := w.gzip.Close()
	w.gzip = nil
	return err
}
