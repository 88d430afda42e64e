package diagnose

import (
	"slices"
	"strings"
	"unicode"

	"culprit/flinkapi"
)

// sinkMetric is a metric that only one kind of sink registers, in a group of that name below its operator.
type sinkMetric struct {
	signal flinkapi.Signal
	group  string
}

// sinkKindSignals are the metrics by which kinds of sinks are recognised.
func sinkKindSignals() []flinkapi.Signal {
	var out []flinkapi.Signal
	for _, kind := range sinkKinds() {
		for _, m := range kind.metrics {
			out = append(out, m.signal)
		}
	}
	return out
}

// kindOfSink recognises what a sink writes to by the metrics that it reports, else by the names of its
// operators and its table. said is that in words; empty where neither tells. Names that fit several kinds
// tell none of them.
func (c *Case) kindOfSink(v int) (kind sinkKind, said string) {
	kinds := sinkKinds()
	for _, kind := range kinds {
		if slices.ContainsFunc(kind.metrics, func(m sinkMetric) bool { return c.registers(v, m) }) {
			return kind, kind.name + ", by its metrics"
		}
	}
	named := namedKinds(kinds, c.sinkNames(v))
	if len(named) == 0 {
		named = namedKinds(kinds, c.writerNames(v))
	}
	if len(named) > 1 && named[len(named)-1].name == fileSink().name {
		named = named[:len(named)-1] // what the others store in
	}
	switch len(named) {
	case 0:
		return anySink(), ""
	case 1:
		return named[0], named[0].name + ", by its name"
	}
	var all []string
	for _, kind := range named {
		all = append(all, kind.name)
	}
	return anySink(), strings.Join(all, " or ") + ", by its name"
}

// namedKinds are the kinds that names mention.
func namedKinds(kinds []sinkKind, names []string) []sinkKind {
	words := nameWords(strings.Join(names, "\n"))
	var out []sinkKind
	for _, kind := range kinds {
		if slices.ContainsFunc(kind.marks, func(mark string) bool { return mentions(words, mark) }) {
			out = append(out, kind)
		}
	}
	return out
}

// writerNames are the operators of v's chain before the sink that prepare what it writes, by a word for that:
// "jdbc-upsert" is one, "mysql-lookup" is none.
func (c *Case) writerNames(v int) []string {
	names, _ := chainNames(c.vertex(v).Name)
	return slices.DeleteFunc(names, func(name string) bool {
		words := nameWords(name)
		return !slices.ContainsFunc([]string{"upsert", "insert", "write", "writer", "sink", "bulk", "produce"},
			func(verb string) bool { return slices.Contains(words, verb) })
	})
}

// registers tells whether v, or what finishes its writing, reports a metric in that group.
func (c *Case) registers(v int, m sinkMetric) bool {
	below := c.g.below(v)
	for w := range c.g.ids {
		if w != v && !below[w] {
			continue
		}
		all, _ := c.operators(w, m.signal)
		if slices.ContainsFunc(all, func(o flinkapi.OperatorSpread) bool {
			return slices.Contains(strings.Split(o.Operator, "."), m.group)
		}) {
			return true
		}
	}
	return false
}

// sinkNames are the names of the operators of v that write, and of what they write to.
func (c *Case) sinkNames(v int) []string {
	parts := strings.FieldsFunc(strings.ReplaceAll(c.vertex(v).Name, " -> ", "\n"), func(r rune) bool {
		return r == '\n' || r == ',' || r == '(' || r == ')'
	})
	var out []string
	for _, part := range parts {
		if slices.ContainsFunc([]string{"Sink", ": Writer", "ommitter"}, func(mark string) bool {
			return strings.Contains(part, mark)
		}) {
			out = append(out, part)
		}
	}
	if len(out) == 0 && len(parts) > 0 {
		out = parts[len(parts)-1:]
	}
	for line := range strings.Lines(c.vertex(v).Description) {
		if _, table, ok := strings.Cut(line, "Sink(table=["); ok {
			name, _, _ := strings.Cut(table, "]")
			out = append(out, name)
		}
	}
	return out
}

// nameWords are the words of a name in small letters: parted by what is no letter or digit, by capitals
// inside of it (JDBCSink, bulkWriter), and where digits follow letters.
func nameWords(text string) []string {
	var out []string
	all := []rune(text)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(all[start:end])))
		}
		start = end
	}
	for i, r := range all {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i == start:
		case unicode.IsUpper(r) && (!unicode.IsUpper(all[i-1]) || i+1 < len(all) && unicode.IsLower(all[i+1])),
			unicode.IsDigit(r) != unicode.IsDigit(all[i-1]):
			flush(i)
		}
	}
	flush(len(all))
	return out
}

// mentions tells whether words in a row make up a mark, or one word is a mark with what a sink is called
// after it (kafkasink). A word that only begins like a mark is none.
func mentions(words []string, mark string) bool {
	endings := []string{"sink", "writer", "table", "topic", "out", "output", "db"}
	for i := range words {
		if rest, begins := strings.CutPrefix(words[i], mark); begins && slices.Contains(endings, rest) {
			return true
		}
		joined := ""
		for k := i; k < len(words) && len(joined) < len(mark); k++ {
			joined += words[k]
			if joined == mark {
				return true
			}
		}
	}
	return false
}

// ofItsKind adds what only this kind of sink reports of its sends and commits.
func (c *Case) ofItsKind(v int, f *Finding) {
	tell := func(w int, signal flinkapi.Signal, note string) float64 {
		x, ok := c.spread(w, signal).Max.Float()
		if !ok || x <= 0 {
			return 0
		}
		f.Evidence = append(f.Evidence, c.number(signal.String(), signal.Info().Label, c.vertex(w).Name, x,
			signal.Info().Unit, note))
		return x
	}
	if throttled := tell(v, flinkapi.KafkaThrottleTime, "a quota of the brokers"); throttled > 0 {
		f.Summary += "; the brokers throttle its requests for " + FormatSpan(seconds(throttled)) + " each"
		f.Remedies = slices.Insert(f.Remedies, 0, Remedy{
			Do:  "raise the quota of its client at the brokers: they hold back what exceeds it",
			Key: "producer_byte_rate", Gain: "it sends as fast as the brokers take it",
			Risk: "more load for the brokers", Undo: "set it back",
			Link: "https://kafka.apache.org/documentation/#design_quotas",
		})
	}
	tell(v, flinkapi.KafkaBufferWait, "buffer.memory is full: the brokers take less than comes")
	tell(v, flinkapi.KafkaQueueTime, "beyond linger.ms it waits for the brokers")
	below := c.g.below(v)
	for w := range c.g.ids {
		if w == v || below[w] {
			for _, signal := range []flinkapi.Signal{
				flinkapi.IcebergCommitTime, flinkapi.IcebergFlushTime, flinkapi.PaimonCommitTime,
			} {
				tell(w, signal, "once for each checkpoint")
			}
		}
	}
}
