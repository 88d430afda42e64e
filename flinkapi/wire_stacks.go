package flinkapi

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxFrames bounds the frames of a stack, the innermost ones; Flink's own bound is 50 in a thread dump
	// (cluster.thread-dump.stacktrace-max-depth) and 100 in a flame graph.
	maxFrames = 64
	// maxStacks bounds the stacks of a sample: the threads of some vertices, or the paths of a flame graph.
	maxStacks = 256
	// maxFlameDepth bounds how deep a flame graph is followed.
	maxFlameDepth = 256
)

// wireThreadDump is /taskmanagers/:taskmanagerid/thread-dump (…rest.messages.ThreadDumpInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #taskmanagers-taskmanagerid-thread-dump
type wireThreadDump struct {
	Threads []wireThread `json:"threadInfos"`
}

func (w wireThreadDump) recognised() bool { return w.Threads != nil }

// wireThread holds a thread as java.lang.management.ThreadInfo prints it.
type wireThread struct {
	Name text `json:"threadName"`
	Text text `json:"stringifiedThreadInfo"`
}

// taskThread is the stack of a thread that runs a task.
type taskThread struct {
	Task        string // the vertex's name, sanitised like it
	Parallelism int
	Attempt     int
	Stack       Stack // with the subtask; Count is 1
}

// tasks lists the threads of the wanted tasks, so many at most. Of the others there may be very many, some
// with names that end like a task's, as "OutputFlusher for <task>" does.
func (w wireThreadDump) tasks(wanted func(task string) bool, most int) []taskThread {
	var all []taskThread
	for _, thread := range w.Threads {
		if len(all) == most {
			break
		}
		if t, is := thread.task(); is && wanted(t.Task) {
			t.Stack.read(string(thread.Name), string(thread.Text))
			all = append(all, t)
		}
	}
	return all
}

// threadPatterns are the forms of a task thread's name (org.apache.flink.api.common.TaskInfo) and of the
// first line of a thread.
type threadPatterns struct{ name, head *regexp.Regexp }

//nolint:gochecknoglobals // constant patterns, in Go's only form for them
var patterns = sync.OnceValue(func() threadPatterns {
	return threadPatterns{
		name: regexp.MustCompile(`(?s)^(.+) \((\d{1,9})/(\d{1,9})\)#(\d{1,9})$`),
		head: regexp.MustCompile(`Id=\d+ ([A-Z_]+)(?: on (\S+))?(?: owned by "(.*)" Id=\d+)?`),
	}
})

// task says which task a thread runs, by its name; its stack is not read.
func (w wireThread) task() (taskThread, bool) {
	parts := patterns().name.FindStringSubmatch(string(w.Name))
	if parts == nil {
		return taskThread{}, false
	}
	subtask, _ := strconv.Atoi(parts[2])
	t := taskThread{Task: text(parts[1]).name(), Stack: Stack{Subtask: subtask - 1, Count: 1}}
	t.Parallelism, _ = strconv.Atoi(parts[3])
	t.Attempt, _ = strconv.Atoi(parts[4])
	return t, 1 <= subtask && subtask <= t.Parallelism
}

// read takes what a thread's text says: its state, its lock and its frames.
func (k *Stack) read(name, text string) {
	head, lines, _ := strings.Cut(strings.TrimPrefix(text, `"`+name+`"`), "\n")
	if said := patterns().head.FindStringSubmatch(head); said != nil {
		lock, _, _ := strings.Cut(said[2], "@")
		k.State, k.Lock, k.LockOwner = said[1], Sanitize(lock), Sanitize(HideSecretsInName(said[3]))
	}
	k.Frames = frames(lines)
}

// frames reads the lines of a stack, innermost first.
func frames(lines string) []Frame {
	all := []Frame{}
	for line := range strings.Lines(lines) {
		class, method, place, is := frameParts(line)
		if !is {
			continue // what is locked or waited for
		}
		_, at, _ := strings.Cut(place, ":")
		all = append(all, frame(class, method, at))
		if len(all) == maxFrames {
			break
		}
	}
	return all
}

// frameParts takes a line apart that says "at loader/module@version/class.method(place)". The loader, the
// module and its version come before the class, each with a slash; the hidden class of a lambda has one in
// its name, after a "$". There may be hundreds of thousands of such lines in a recording.
func frameParts(line string) (class, method, place string, is bool) {
	rest, at := strings.CutPrefix(strings.TrimLeft(line, " \t\n\f\r"), "at ")
	name, rest, opened := strings.Cut(rest, "(")
	place, _, closed := strings.Cut(rest, ")")
	dot := strings.LastIndexByte(name, '.')
	if !at || !opened || !closed || dot < 1 || dot == len(name)-1 {
		return "", "", "", false
	}
	before := name[:dot-1] // the class has a character at least
	if lambda := strings.IndexByte(before, '$'); lambda >= 0 {
		before = before[:lambda]
	}
	return name[strings.LastIndexByte(before, '/')+1 : dot], name[dot+1:], place, true
}

// frame makes a frame; a line that is no number above 0 is not known.
func frame(class, method, line string) Frame {
	n, err := strconv.ParseInt(line, 10, 32)
	if err != nil || n < 0 {
		n = 0
	}
	// A lambda's class has a number that differs between JVMs.
	if i := strings.Index(class, "$$Lambda"); i >= 0 {
		class = class[:i+len("$$Lambda")]
	}
	return Frame{Class: Sanitize(class), Method: Sanitize(method), Line: int(n)}
}

// wireFlameGraph is /jobs/:jobid/vertices/:vertexid/flamegraph (…threadinfo.VertexFlameGraph).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
// #jobs-jobid-vertices-vertexid-flamegraph
type wireFlameGraph struct {
	End  number         `json:"endTimestamp"` // a time, or one of the marks below
	Root *wireFlameNode `json:"data"`
}

// The marks that stand for a flame graph which is not there.
const (
	flameTerminated = -1
	flameDisabled   = -2
)

func (w wireFlameGraph) recognised() bool { return w.End.IsKnown() }

type wireFlameNode struct {
	Name     text            `json:"name"` // Class.method:line, "root" at the top
	Value    number          `json:"value"`
	Children []wireFlameNode `json:"children"`
}

// stacks lists the places where threads were seen, the most frequent first: the ends of the paths, and the
// nodes that their children do not use up.
func (w wireFlameGraph) stacks() []Stack {
	if w.Root == nil {
		return nil
	}
	var all []Stack
	path := []Frame{} // outermost first
	var walk func(node wireFlameNode, depth int)
	walk = func(node wireFlameNode, depth int) {
		if depth > maxFlameDepth {
			return
		}
		if depth > 0 {
			path = append(path, node.frame())
			defer func() { path = path[:len(path)-1] }()
		}
		own := node.Value.count(0)
		for _, child := range node.Children {
			own -= child.Value.count(0)
			walk(child, depth+1)
		}
		if own > 0 && len(path) > 0 {
			inner := slices.Clone(path)
			slices.Reverse(inner)
			all = append(all, Stack{Subtask: -1, Frames: inner[:min(len(inner), maxFrames)], Count: own})
		}
	}
	walk(*w.Root, 0)
	slices.SortStableFunc(all, func(a, b Stack) int { return b.Count - a.Count })
	return all[:min(len(all), maxStacks)]
}

func (n wireFlameNode) frame() Frame {
	place, line := string(n.Name), ""
	if colon := strings.LastIndexByte(place, ':'); colon >= 0 {
		place, line = place[:colon], place[colon+1:]
	}
	class, method := place, ""
	if dot := strings.LastIndexByte(place, '.'); dot >= 0 {
		class, method = place[:dot], place[dot+1:]
	}
	return frame(class, method, line)
}
