package tape

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"culprit/flinkapi"
)

// pseudonyms replaces names by others, the same one by the same each time. A name is taken apart into words,
// so that an operator keeps its place in the name of its chain, in a metric and in a thread; words of Flink
// and of its connectors stay, because the diagnosis goes by them.
type pseudonyms struct {
	words   map[string]string
	hosts   map[string]string
	workers map[string]string
}

func newPseudonyms() *pseudonyms {
	return &pseudonyms{words: map[string]string{}, hosts: map[string]string{}, workers: map[string]string{}}
}

type namePatterns struct{ word, class, address, quoted *regexp.Regexp }

//nolint:gochecknoglobals // constant patterns, in Go's only form for them
var namePattern = sync.OnceValue(func() namePatterns {
	return namePatterns{
		word:  regexp.MustCompile(`[\p{L}\p{N}]+`),
		class: regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*(?:[./][\p{L}_$<>][\p{L}\p{N}_$<>]*)+`),
		address: regexp.MustCompile(
			`\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w\-]+(?:\.[\w\-]+)*:\d{2,5}\b|\w+://[^\s'"<>]+`,
		),
		quoted: regexp.MustCompile(`'[^'\n]*'|"[^"\n]*"|` + "`[^`\n]*`"),
	}
})

func (p *pseudonyms) replace(k kind, text string) string {
	switch k {
	case worker:
		return again(p.workers, text, "taskmanager-")
	case host:
		return p.host(text)
	case metric:
		return p.inMetric(text)
	case name, described, thread:
		return p.inWords(text)
	case frame:
		return p.classes(text)
	case option:
		if numeric(text) || patterns().word.MatchString(text) && !strings.ContainsAny(text, "-.") {
			return text
		}
		return flinkapi.Hidden
	default:
		return p.inProse(text)
	}
}

func (p *pseudonyms) inProse(text string) string {
	text = namePattern().address.ReplaceAllString(text, "(address)")
	text = namePattern().quoted.ReplaceAllStringFunc(text, func(q string) string {
		return q[:1] + p.inWords(q[1:len(q)-1]) + q[len(q)-1:]
	})
	return p.known(p.classes(text))
}

// host replaces a host and keeps the port, and what stands around both in an actor's address.
func (p *pseudonyms) host(text string) string {
	before, rest, actor := strings.Cut(text, "@")
	if !actor {
		before, rest = "", text
	}
	authority, path, _ := strings.Cut(rest, "/")
	port := ""
	if colon := strings.LastIndexByte(authority, ':'); colon > 0 {
		authority, port = authority[:colon], authority[colon:]
	}
	if authority != "" {
		authority = again(p.hosts, authority, "host-")
	}
	if !actor {
		return authority + port
	}
	return before + "@" + authority + port + "/" + p.inWords(path)
}

func again(known map[string]string, text, prefix string) string {
	if text == "" {
		return ""
	}
	if _, there := known[text]; !there {
		known[text] = prefix + strconv.Itoa(len(known)+1)
	}
	return known[text]
}

// inWords replaces each word that is neither a number nor one of Flink's.
func (p *pseudonyms) inWords(text string) string {
	return namePattern().word.ReplaceAllStringFunc(text, func(w string) string {
		if _, err := strconv.Atoi(w); err == nil || vocabulary()[strings.ToLower(w)] {
			return w
		}
		return again(p.words, w, "x")
	})
}

// inMetric replaces what stands before a metric's own name: an operator, a state. Flink's name for the number
// stays, since a number without it is lost for the diagnosis.
func (p *pseudonyms) inMetric(text string) string {
	for _, s := range flinkapi.Signals() {
		if before, is := s.Info().Before(text); is {
			return p.inWords(before) + text[len(before):]
		}
	}
	return p.inWords(text)
}

// classes replaces the words of Java classes that are not those of a known library.
func (p *pseudonyms) classes(text string) string {
	return namePattern().class.ReplaceAllStringFunc(text, func(class string) string {
		plain := strings.ReplaceAll(class, "/", ".")
		for _, library := range libraries() {
			if strings.HasPrefix(plain, library) {
				return class
			}
		}
		return p.inWords(class)
	})
}

// known replaces in a sentence the words that were replaced elsewhere.
func (p *pseudonyms) known(text string) string {
	return namePattern().word.ReplaceAllStringFunc(text, func(w string) string {
		if other, there := p.words[w]; there {
			return other
		}
		if other, there := p.hosts[w]; there {
			return other
		}
		return w
	})
}

// libraries are the packages whose classes say nothing about who runs the job.
func libraries() []string {
	return []string{
		"java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.", "kotlin.", "org.apache.", "org.rocksdb.",
		"io.netty.", "akka.", "pekko.", "com.mysql.", "org.postgresql.", "com.mongodb.", "com.fasterxml.",
		"com.google.", "com.esotericsoftware.", "software.amazon.", "com.amazonaws.", "org.elasticsearch.",
		"redis.", "io.lettuce.", "com.datastax.", "org.forstdb.", "okhttp3.", "oracle.", "com.microsoft.",
	}
}

//nolint:gochecknoglobals // a constant table, in Go's only form for it
var vocabulary = sync.OnceValue(func() map[string]bool {
	const words = `source sink writer committer global map flat filter process window tumbling sliding
		session eventtime processingtime event time watermarks watermark timestamps key keyed co async wait
		operator reduce aggregate join interval lookup temporal over rank dedup deduplicate union calc
		exchange group local mini batch assigner assign changelog normalize constraint enforcer not null
		insert update delete values collect print discarding blackhole generator datagen kafka kinesis
		pulsar rabbitmq jdbc upsert mysql postgres postgresql oracle mongodb mongo elasticsearch opensearch
		cassandra hbase redis iceberg hudi paimon delta filesystem file parquet avro orc json csv s3 hdfs
		http cdc debezium stream table sql to from of on and select where as with default br name column
		family catalog database collector topic partition partitions num records record in out bytes per
		second rate late
		dropped current emit fetch lag pending offset offsets committed consumer producer reader
		kafkasourcereader kafkaproducer enumerator coordinator split splits unassigned size count total
		rocksdb forst state backend access latency get put add clear remove contains iterator next value
		list reducing aggregating mean max min p50 p75 p90 p95 p99 p999 stddev histogram timer timers
		checkpoint busy idle ms backpressured soft hard pool usage input output buffers buffer queue length
		exclusive floating netty shuffle task taskmanager jobmanager status jvm memory heap nonheap used cpu
		load threads garbage garbagecollector flink managed network segments available errors retries send
		sent inflight requests accumulated restarts numrestarts uptime downtime unaligned aligned alignment`
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
})
