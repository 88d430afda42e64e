package tape

import (
	"fmt"
	"strings"
	"sync"
)

// kind says what a kept field may hold. Whatever does not fit is left out.
type kind uint8

const (
	number    kind = iota // a number, a truth value, or a text that is a number as Flink writes it
	word                  // a constant of Flink's, such as a state
	id                    // an id that Flink made up
	worker                // the id of a TaskManager
	host                  // host, host:port or an actor's address
	name                  // what people named: jobs, vertices, operators
	metric                // a metric's id, with the operator before it
	described             // what an operator does, in words of which most are names
	prose                 // text for people: exceptions
	stack                 // a Java thread, with its frames
	thread                // the name of a thread
	frame                 // class.method:line
	option                // the value of a setting
	object
	list
	dictionary // an object with any words or ids as keys
	settings   // the list of the cluster's settings, by their keys
	threads    // the list of threads, those of tasks alone
)

// shape is the tree of the fields that are kept.
type shape struct {
	kind   kind
	fields map[string]*shape // of an object
	elem   *shape            // of a list or a dictionary
}

// shapesOnce reads the table once.
//
//nolint:gochecknoglobals // a constant table, in Go's only form for it
var shapesOnce = sync.OnceValue(func() map[string]*shape {
	all := map[string]*shape{}
	for pattern, text := range shapeTable() {
		p := shapeReader{rest: strings.Fields(strings.NewReplacer(
			"{", " { ", "}", " } ", "[", " [ ", "]", " ] ",
		).Replace(text))}
		all[pattern] = p.read()
	}
	node := &shape{kind: object, fields: map[string]*shape{"name": {kind: frame}, "value": {kind: number}}}
	node.fields["children"] = &shape{kind: list, elem: node}
	all["/jobs/{hex}/vertices/{hex}/flamegraph"].fields["data"] = node
	return all
})

// shapeTable lists the fields that are kept of each answer: "field kind", an object in braces, a list in
// brackets, "*" for any key. The names are those of Flink's REST API, over all of its versions.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
func shapeTable() map[string]string {
	const (
		counters = `{read-bytes number read-bytes-complete number write-bytes number write-bytes-complete number
			read-records number read-records-complete number write-records number write-records-complete number
			accumulated-busy-time number accumulated-idle-time number accumulated-backpressured-time number}`
		plan = `{type word nodes [{id id parallelism number description described operator name
			operator_strategy word inputs [{num number id id ship_strategy word exchange word}]}]}`
		part = `latest_ack_timestamp number end_to_end_duration number state_size number checkpointed_size number
			processed_data number persisted_data number num_subtasks number num_acknowledged_subtasks number`
		checkpoint = `id number status word is_savepoint number checkpoint_type word trigger_timestamp number
			failure_timestamp number failure_message prose ` + part
		spread  = `min number max number avg number sum number p5 number p95 number`
		metrics = `[{id metric value number min number max number avg number sum number skew number}]`
		stats   = `{` + spread + `}`
	)
	return map[string]string{
		"/config":            `{flink-version word refresh-interval number timezone-offset number}`,
		"/overview":          `{taskmanagers number slots-total number slots-available number jobs-running number}`,
		"/jobmanager/config": `settings`,
		"/jobs/overview":     `{jobs [{jid id name name state word start-time number end-time number}]}`,
		"/jobs/{hex}": `{jid id name name state word job-type word jobType word start-time number end-time number
			now number maxParallelism number timestamps {* number} plan ` + plan + `
			vertices [{id id name name parallelism number maxParallelism number status word start-time number
				end-time number tasks {* number} metrics ` + counters + `}]}`,
		"/jobs/{hex}/config": `{jid id execution-config {job-parallelism number object-reuse-mode number
			execution-mode word}}`,
		"/jobs/{hex}/metrics": metrics,
		"/jobs/{hex}/exceptions": `{exceptionHistory {truncated number entries [{exceptionName frame
			stacktrace prose timestamp number taskName name location host endpoint host taskManagerId worker}]}}`,
		"/jobs/{hex}/checkpoints": `{counts {restored number total number in_progress number completed number
			failed number} history [{` + checkpoint + `}]}`,
		"/jobs/{hex}/checkpoints/config": `{mode word interval number timeout number min_pause number
			max_concurrent number unaligned_checkpoints number aligned_checkpoint_timeout number
			tolerable_failed_checkpoints number state_backend word checkpoint_storage word
			state_changelog_enabled number checkpoints_after_tasks_finish number}`,
		"/jobs/{hex}/checkpoints/details/{number}": `{` + checkpoint + `
			tasks {* {id id status word ` + part + `}}}`,
		"/jobs/{hex}/checkpoints/details/{number}/subtasks/{hex}": `{id number status word ` + part + `
			summary {end_to_end_duration ` + stats + ` state_size ` + stats + `}
			subtasks [{index number status word ack_timestamp number end_to_end_duration number state_size number
				checkpointed_size number start_delay number unaligned_checkpoint number aborted number
				checkpoint {sync number async number}
				alignment {buffered number duration number processed number persisted number}}]}`,
		"/jobs/{hex}/vertices/{hex}": `{id id name name parallelism number maxParallelism number now number
			subtasks [{subtask number status word attempt number host host endpoint host start-time number
				start_time number end-time number taskmanager-id worker status-duration {* number}
				metrics ` + counters + ` other-concurrent-attempts [{attempt number status word}]}]}`,
		"/jobs/{hex}/vertices/{hex}/backpressure": `{status word backpressure-level word backpressureLevel word
			end-timestamp number subtasks [{subtask number backpressure-level word ratio number busyRatio number
			idleRatio number}]}`,
		"/jobs/{hex}/vertices/{hex}/subtasks/metrics":    metrics,
		"/jobs/{hex}/vertices/{hex}/metrics":             metrics,
		"/jobs/{hex}/vertices/{hex}/watermarks":          metrics,
		"/jobs/{hex}/vertices/{hex}/jm-operator-metrics": metrics,
		"/jobs/{hex}/vertices/{hex}/flamegraph":          `{endTimestamp number}`,
		"/taskmanagers": `{taskmanagers [{id worker path host slotsNumber number freeSlots number
			timeSinceLastHeartbeat number hardware {cpuCores number physicalMemory number freeMemory number
			managedMemory number}}]}`,
		"/taskmanagers/{id}/metrics":     metrics,
		"/taskmanagers/{id}/thread-dump": `{threadInfos threads}`,
	}
}

// shapeReader reads the notation of shapeTable; a mistake in it is a defect.
type shapeReader struct{ rest []string }

func (p *shapeReader) next() string {
	if len(p.rest) == 0 {
		panic("tape: the table of shapes ends early")
	}
	token := p.rest[0]
	p.rest = p.rest[1:]
	return token
}

func (p *shapeReader) read() *shape {
	switch token := p.next(); token {
	case "[":
		s := &shape{kind: list, elem: p.read()}
		p.next()
		return s
	case "{":
		s := &shape{kind: object, fields: map[string]*shape{}}
		for {
			field := p.next()
			if field == "}" {
				return s
			}
			value := p.read()
			if field == "*" {
				s.kind, s.elem = dictionary, value
				continue
			}
			s.fields[field] = value
		}
	default:
		k, known := kinds()[token]
		if !known {
			panic(fmt.Sprintf("tape: the table of shapes has no kind %q", token))
		}
		return &shape{kind: k}
	}
}

func kinds() map[string]kind {
	return map[string]kind{
		"number": number, "word": word, "id": id, "worker": worker, "host": host, "name": name, "metric": metric,
		"described": described, "prose": prose, "frame": frame, "settings": settings, "threads": threads,
	}
}
