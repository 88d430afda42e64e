// Package strip keeps an hour of a course of events and fits it into a row of cells; it knows nothing of
// Flink. Time is given, never asked for.
package strip

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Kind is what a moment, or a cell of the row, was like.
type Kind uint8

// The kinds, the least telling first: a cell shows the most telling one that falls into it.
const (
	// Gap is a span without data.
	Gap Kind = iota
	// Quiet is a moment in which nobody was named and nothing was held back.
	Quiet
	// Unknown is a moment that could not be judged.
	Unknown
	// Held is a moment in which something was held back and nobody was named.
	Held
	// Named is a moment in which somebody was named.
	Named
	// Restart is a moment at which everything began anew.
	Restart
)

// Span is how far back a strip reaches.
const Span = time.Hour

// between is the longest time between two moments without a gap in between.
const between = 45 * time.Second

// Mark is one moment.
type Mark struct {
	At   time.Time
	Kind Kind
	// Who is who was named, by an id; empty unless Kind is Named.
	Who string
	// Others are who was named beside Who.
	Others []string
}

// Cell is one cell of the row.
type Cell struct {
	Kind Kind
	Who  string
}

// Strip is the course of the last hour, oldest first. The zero value is empty.
type Strip struct {
	marks   []Mark
	letters map[string]string
	names   map[string]string
}

// Add takes in moments, of which those that are known already count once. name gives the name that the letter
// of somebody is taken from.
func (s *Strip) Add(marks []Mark, name func(who string) string) {
	for _, m := range marks {
		i, known := slices.BinarySearchFunc(s.marks, m, func(a, b Mark) int {
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Kind, b.Kind))
		})
		if !known {
			s.marks = slices.Insert(s.marks, i, m)
		}
		for _, who := range m.named() {
			if s.Letter(who) == "" {
				s.give(who, name(who))
			}
		}
	}
	if n := len(s.marks); n > 0 {
		oldest := s.marks[n-1].At.Add(-Span)
		i, _ := slices.BinarySearchFunc(s.marks, oldest, func(m Mark, t time.Time) int { return m.At.Compare(t) })
		s.marks = slices.Delete(s.marks, 0, i)
	}
}

// named are all who were named in a moment.
func (m *Mark) named() []string {
	if m.Kind != Named {
		return nil
	}
	return append([]string{m.Who}, m.Others...)
}

// give takes a letter of the name that nobody else has; after 26 of them everybody gets a star.
func (s *Strip) give(who, name string) {
	if s.letters == nil {
		s.letters, s.names = map[string]string{}, map[string]string{}
	}
	taken := ""
	for _, l := range s.letters {
		taken += l
	}
	letter := "*"
	for _, c := range strings.ToLower(name) + "abcdefghijklmnopqrstuvwxyz" {
		if c >= 'a' && c <= 'z' && !strings.ContainsRune(taken, c) {
			letter = string(c)
			break
		}
	}
	s.letters[who], s.names[who] = letter, name
}

// Letter is the letter of somebody who was named; it stays the same. It is empty for anybody else.
func (s *Strip) Letter(who string) string { return s.letters[who] }

// Name is the name of somebody who was named, as it was given first.
func (s *Strip) Name(who string) string { return s.names[who] }

// Named lists who was named in the span that ends at end, the newest first.
func (s *Strip) Named(end time.Time) []string {
	var out []string
	for _, m := range slices.Backward(s.marks) {
		for _, who := range m.named() {
			if end.Sub(m.At) <= Span && !slices.Contains(out, who) {
				out = append(out, who)
			}
		}
	}
	return out
}

// Turns are the moments up to end at which others were named than in the moment before, or nobody, oldest
// first. Nobody is named before the oldest.
func (s *Strip) Turns(end time.Time) []Mark {
	var out []Mark
	var before Mark
	for _, m := range s.marks {
		if m.Kind == Restart || m.At.After(end) {
			continue
		}
		if m.Who != before.Who || !slices.Equal(m.Others, before.Others) {
			out = append(out, m)
		}
		before = m
	}
	return out
}

// Len is how many moments are kept.
func (s *Strip) Len() int { return len(s.marks) }

// At is the cell of n that a time falls into, where the last one ends at end; ok is false outside.
func At(t, end time.Time, n int) (cell int, ok bool) {
	ago := end.Sub(t)
	if n <= 0 || ago < 0 || ago >= Span {
		return 0, false
	}
	return min(int(float64(n)*float64(Span-ago)/float64(Span)), n-1), true
}

// Row spreads the hour up to end over n cells. A cell shows the most telling kind that falls into it, and of
// those who were named the one named most often, or in turn those named alike. Where cells are finer than the
// moments, a moment fills those since the one before it.
func (s *Strip) Row(end time.Time, n int) []Cell {
	row := make([]Cell, max(n, 0))
	counts := make([]map[string]int, len(row))
	last := time.Time{}
	for _, m := range s.marks {
		to, ok := At(m.At, end, n)
		if !ok {
			continue
		}
		from := to
		if at, before := At(last, end, n); before && m.Kind != Restart && m.At.Sub(last) <= between {
			from = min(at+1, to)
		}
		for i := from; i <= to; i++ {
			put(&row[i], m, &counts[i])
		}
		if m.Kind != Restart {
			last = m.At
		}
	}
	for i := range row {
		if row[i].Kind == Named {
			row[i].Who = inTurn(counts[i], i)
		}
	}
	return row
}

// inTurn is who was named most often in a cell; of several, each has its turn from cell to cell.
func inTurn(counts map[string]int, cell int) string {
	var all []string
	most := 0
	for who, n := range counts {
		if n > most {
			all, most = nil, n
		}
		if n == most {
			all = append(all, who)
		}
	}
	slices.Sort(all)
	return all[cell%len(all)]
}

// put adds a moment to a cell.
func put(c *Cell, m Mark, counts *map[string]int) {
	for _, who := range m.named() {
		if *counts == nil {
			*counts = map[string]int{}
		}
		(*counts)[who]++
	}
	if m.Kind > c.Kind {
		c.Kind = m.Kind
	}
}
