package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"culprit/flinkapi"
)

// sighting is one stack with what it tells.
type sighting struct {
	does  activity
	count int
	// place is where: the innermost frame of the user's code, else of a library; without a class where neither
	// is there.
	place flinkapi.Frame
	// depth is the position in the chain, from 0; -1 where the frames do not tell.
	depth int
	// timer is true while timers fire, snapshot during the synchronous part of a checkpoint, inState while a
	// state of RocksDB or ForSt is read or written, also where its serializer takes the time.
	timer, snapshot, inState bool
	// lists is true where a window is added to or read, or a list in the state.
	lists bool
	// kryo is true where Kryo serializes, copies where a record is copied between two chained operators.
	kryo, copies bool
	// native is true where the innermost frame has no line: a call outside the JVM, or a generated one.
	native bool
	// subtask is -1 where the sample does not tell.
	subtask            int
	state, lock, owner string
}

// sight says what a thread was seen to do.
func (t *frameTables) sight(k *flinkapi.Stack) sighting {
	s := sighting{
		count: k.Count, depth: chainDepth(k.Frames), state: k.State, lock: k.Lock, owner: k.LockOwner,
		place: t.place(k.Frames), subtask: k.Subtask,
	}
	for i, f := range k.Frames {
		s.kryo = s.kryo || strings.HasPrefix(f.Class, "com.esotericsoftware.kryo.")
		s.lists = s.lists || strings.Contains(f.Class, "ListState") || strings.HasSuffix(f.Class, ".WindowOperator")
		s.copies = s.copies || i > 0 && f.Method == "pushToOperator" && k.Frames[i-1].Method == "copy"
		s.timer = s.timer || strings.HasPrefix(f.Class, timerServices) && firesTimers(f.Method)
		s.snapshot = s.snapshot || f.Class == checkpointing && strings.HasPrefix(f.Method, "takeSnapshot")
	}
	s.native = len(k.Frames) > 0 && k.Frames[0].Line == 0
	near := t.ownPart(k.Frames)
	for _, f := range near {
		s.inState = s.inState || match(f, t.code, noInput) == stateAccess
	}
	s.does = t.does(k, near)
	s.inState = s.inState || s.does == stateAccess
	return s
}

func (t *frameTables) sightAll(all []flinkapi.Stack) []sighting {
	out := make([]sighting, len(all))
	for i := range all {
		out[i] = t.sight(&all[i])
	}
	return out
}

const (
	timerServices = "org.apache.flink.streaming.api.operators.InternalTimerService"
	checkpointing = "org.apache.flink.streaming.runtime.tasks.SubtaskCheckpointCoordinatorImpl"
	mailbox       = "org.apache.flink.streaming.runtime.tasks.mailbox."
)

func firesTimers(method string) bool {
	return hasPrefix(method, "onProcessingTime", "advanceWatermark", "tryAdvanceWatermark")
}

// ownPart are the frames that the innermost operator stands for: up to the user's own code, or to where its
// record came from.
func (t *frameTables) ownPart(all []flinkapi.Frame) []flinkapi.Frame {
	for i, f := range all {
		if t.ownerOf(f.Class) == ofUser || handsOn(f) {
			return all[:i+1]
		}
	}
	return all
}

// does weighs the frames of the innermost operator with the thread's state.
func (t *frameTables) does(k *flinkapi.Stack, near []flinkapi.Frame) activity {
	leaf, code := t.leafActivity(near), t.codeActivity(near)
	if leaf.parks() && !parked(k.State, near) {
		leaf = activityCount // it passes through without waiting
	}
	switch {
	case code == noInput || code == outputBlocked:
		return code
	case k.State == "BLOCKED", k.LockOwner != "" && k.State != "RUNNABLE":
		return lockWait
	case code != activityCount && !code.weak() && code != serializing:
		return code
	case leaf != activityCount && leaf != parsing && leaf != compressing:
		return leaf
	case code != activityCount:
		return code
	case leaf != activityCount:
		return leaf
	case k.State == "" || k.State == "RUNNABLE":
		return computing
	}
	return unknownWait
}

// parks tells whether an activity is one only while the thread waits.
func (a activity) parks() bool { return a == otherThread || a == sleeping || a == lockWait }

// parked tells whether a thread waits: by its state, or by its innermost frames where the state is not known.
func parked(state string, near []flinkapi.Frame) bool {
	if state != "" {
		return state != "RUNNABLE"
	}
	return slices.ContainsFunc(near, func(f flinkapi.Frame) bool {
		return inJDK(f.Class) && hasPrefix(f.Method, "park", "wait", "sleep")
	})
}

// leafActivity is what the JDK's frames at the inner end do; activityCount where they do not tell.
func (t *frameTables) leafActivity(near []flinkapi.Frame) activity {
	end := slices.IndexFunc(near, func(f flinkapi.Frame) bool { return !inJDK(f.Class) })
	if end < 0 {
		end = len(near)
	}
	for _, p := range t.leaf {
		for _, f := range near[:end] {
			if p.matches(f.Class, f.Method) {
				return p.does
			}
		}
	}
	return activityCount
}

// codeActivity is what the frames of Flink and of libraries do; activityCount where they do not tell.
func (t *frameTables) codeActivity(near []flinkapi.Frame) activity {
	found := activityCount
	takes, yields := false, false
	for _, f := range near {
		if strings.HasPrefix(f.Class, mailbox) {
			takes = takes || strings.HasSuffix(f.Class, ".TaskMailboxImpl") && hasPrefix(f.Method, "take")
			yields = yields || f.Method == "yield" || f.Method == "tryYield"
			if takes && !yields && strings.HasSuffix(f.Class, ".MailboxProcessor") {
				return noInput
			}
			continue
		}
		does := match(f, t.code, activityCount)
		if yields {
			does = match(f, t.yields, does)
		}
		switch {
		case does == activityCount:
		case !does.weak():
			return does
		case found == activityCount:
			found = does
		}
	}
	return found
}

func match(f flinkapi.Frame, all []framePattern, otherwise activity) activity {
	for i := range all {
		if all[i].matches(f.Class, f.Method) {
			return all[i].does
		}
	}
	return otherwise
}

// place finds the innermost frame of the user's code, else of a library. Lambdas have no lines of their own.
func (t *frameTables) place(all []flinkapi.Frame) flinkapi.Frame {
	var library flinkapi.Frame
	for _, f := range all {
		switch t.ownerOf(f.Class) {
		case ofUser:
			if class, _, lambda := strings.Cut(f.Class, "$$Lambda"); lambda {
				f.Class = class
			}
			return f
		case ofLibrary:
			if library.Class == "" {
				library = f
			}
		case ofFlink, ofJDK:
		}
	}
	return library
}

// looks sums up what the task threads of a vertex's busy subtasks were seen to do in the last minutes.
type looks struct {
	all []sighting // without those that have no input or are held back
	// counted are the looks of all; left are those left out, because there was no input or no room for output.
	counted, left int
	from, to      time.Time
	flame         bool // some of a flame graph, which looks for seconds by itself
	least         int
	span          time.Duration
	shared        bool   // other tasks have the same name on the same TaskManager
	lacks         string // what missing returns, once it was asked for
}

// looks returns what the busy subtasks of a vertex were seen to do. A look of a flame graph, which does not
// tell the subtask, counts too. The result belongs to the case.
func (c *Case) looks(v int) *looks {
	busy, m := c.busySubtasks(v), c.memoOf(v)
	if m.looks != nil {
		return m.looks
	}
	l := &looks{least: c.limits.stackLooks, span: c.limits.stackSpan, shared: c.job.Vertices[v].StacksShared}
	m.looks = l
	for _, r := range c.w.stacks[c.job.Vertices[v].ID] {
		for _, s := range r.seen {
			if s.count > 0 && (s.subtask < 0 || slices.Contains(busy, s.subtask)) {
				l.add(s, &r)
			}
		}
	}
	return l
}

func (l *looks) add(s sighting, r *stackReading) {
	if s.does == noInput || s.does == outputBlocked {
		l.left += s.count
		return
	}
	l.all, l.counted = append(l.all, s), l.counted+s.count
	if l.from.IsZero() {
		l.from = r.at
	}
	l.to, l.flame = r.at, l.flame || r.from == flinkapi.FromFlameGraph
}

// enough tells whether there are looks enough, over a time long enough, for shares of them to mean something.
func (l *looks) enough() bool {
	return l.counted >= l.least && (l.flame || l.to.Sub(l.from) >= l.span)
}

// count adds up the looks at these activities.
func (l *looks) count(of ...activity) int {
	return l.countIf(func(s *sighting) bool { return slices.Contains(of, s.does) })
}

func (l *looks) countIf(is func(*sighting) bool) int {
	n := 0
	for i := range l.all {
		if is(&l.all[i]) {
			n += l.all[i].count
		}
	}
	return n
}

// looksToCome tells whether looks at a vertex's threads are asked for and more are needed, so that waiting a
// little may change its reason.
func (c *Case) looksToCome(v int) bool {
	l, since := c.looks(v), c.sampling[c.job.Vertices[v].ID]
	if since.IsZero() || l.enough() || l.counted == 0 && (l.shared || c.threadsUnread(v)) {
		return false
	}
	if l.counted > 0 {
		since = l.from
	}
	return c.snapshot.At.Sub(since) < c.limits.stackPatience
}

// threadsUnread tells whether the threads of the TaskManagers of a vertex could not be read.
func (c *Case) threadsUnread(v int) bool {
	return slices.ContainsFunc(c.snapshot.Problems, func(p flinkapi.Problem) bool {
		return p.OfThreads() && slices.Contains(c.taskManagers(v), flinkapi.TaskManagerID(p.Subject))
	})
}

// threadsTell says, after what may be more than one thing, what is known of the threads that alone can tell.
func (c *Case) threadsTell(v int) string {
	l := c.looks(v)
	switch {
	case l.counted == 0 && l.shared:
		return "which of them is not known, because its threads cannot be told from those of another task of its " +
			"name on its TaskManager"
	case c.looksToCome(v):
		return fmt.Sprintf("which of them, looks at its threads will tell (%d of %d so far)", l.counted, l.least)
	case c.threadsUnread(v):
		return "which of them is not known, because its threads could not be read"
	}
	return fmt.Sprintf("which of them, only looks at its threads can tell (%d of %d)", l.counted, l.least)
}

// share is the share of these activities of all looks; 0 without looks.
func (l *looks) share(of ...activity) float64 {
	if l.counted == 0 {
		return 0
	}
	return float64(l.count(of...)) / float64(l.counted)
}

// most returns the most frequent activity of these; of equals the one that is listed first.
func (l *looks) most(of ...activity) activity {
	return slices.MaxFunc(of, func(a, b activity) int { return cmp.Compare(l.count(a), l.count(b)) })
}

// tally counts looks by a text of theirs and returns the most frequent; of equals the first in order.
func (l *looks) tally(of []activity, text func(*sighting) string) (most string, n int) {
	counts := map[string]int{}
	for i := range l.all {
		if s := &l.all[i]; slices.Contains(of, s.does) {
			if t := text(s); t != "" {
				counts[t] += s.count
			}
		}
	}
	for t, k := range counts {
		if k > n || k == n && t < most {
			most, n = t, k
		}
	}
	return most, n
}

// where names the class, method and line in which these activities were seen most often, with how many looks
// were in that method: "com.example.Geocoder.call:57"; empty where no code of the user or a library was seen.
func (l *looks) where(of ...activity) (at string, n int) {
	method, n := l.tally(of, func(s *sighting) string { return call(s.place) })
	line, _ := l.tally(of, func(s *sighting) string {
		if call(s.place) != method || s.place.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d", method, s.place.Line)
	})
	return cmp.Or(line, method), n
}

func call(f flinkapi.Frame) string {
	if f.Class == "" {
		return ""
	}
	return f.Class + "." + f.Method
}

// told is the number of looks behind a sentence: "34 of 40 looks".
func (l *looks) told(n int) string {
	return fmt.Sprintf("%d of %s at its threads", n, FormatThings(l.counted, "looks"))
}

// missing says why shares of the looks mean nothing yet: "20 looks at its threads (7 so far)".
func (l *looks) missing() string {
	if l.lacks == "" {
		l.lacks = l.lacking()
	}
	return l.lacks
}

func (l *looks) lacking() string {
	if l.counted == 0 && l.shared {
		return "looks at its threads, which cannot be told from those of another task of its name on its " +
			"TaskManager"
	}
	if l.counted < l.least {
		text := FormatThings(l.least, "looks") + " at its threads"
		if l.counted > 0 {
			text += fmt.Sprintf(" (%d so far)", l.counted)
		}
		return text
	}
	return fmt.Sprintf("looks at its threads over %s", FormatDuration(l.span))
}
