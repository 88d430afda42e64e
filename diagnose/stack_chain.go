package diagnose

import (
	"slices"
	"strconv"
	"strings"

	"culprit/flinkapi"
)

const runtimeTasks = "org.apache.flink.streaming.runtime.tasks."

// handsOn tells whether a frame hands a record to the next operator of a chain, or to its first.
func handsOn(f flinkapi.Frame) bool {
	return f.Method == "pushToOperator" ||
		f.Method == "emitRecord" && strings.HasSuffix(f.Class, "NetworkOutput")
}

// chainDepth is the position of the innermost operator in its chain: the first has 0. One frame hands a
// record from one operator to the next (ChainingOutput, CopyingChainingOutput), and each watermark that
// passes. It is -1 where the stack does not begin at the head of the chain, since a timer or a mail began it
// or Flink cut its outer end, and where nothing of an operator is there.
func chainDepth(all []flinkapi.Frame) int {
	depth, inside := 0, false
	for i, f := range all {
		switch {
		case strings.HasPrefix(f.Class, mailbox) && f.Method == "run" && strings.HasSuffix(f.Class, ".Mail"),
			f.Method == "invokeProcessingTimeCallback":
			return -1
		case f.Method == "pushToOperator" && strings.HasSuffix(f.Class, "ChainingOutput"):
			// The copy of a record is made by who hands it on.
			if inside && (i == 0 || all[i-1].Method != "copy") {
				depth++
			}
		case f.Method == "emitWatermark" && strings.HasSuffix(f.Class, "ChainingOutput"):
			depth++
		case headOfChain(f):
			if !inside {
				return -1
			}
			return depth
		}
		inside = inside || !inJDK(f.Class)
	}
	return -1
}

// headOfChain tells whether a frame is the task's own, which gives the first operator its records.
func headOfChain(f flinkapi.Frame) bool {
	switch {
	case strings.HasSuffix(f.Class, "NetworkOutput"):
		return f.Method == "emitRecord" || f.Method == "emitWatermark"
	case f.Class == "org.apache.flink.streaming.api.operators.SourceOperator":
		return f.Method == "emitNext"
	}
	return strings.HasPrefix(f.Class, runtimeTasks+"SourceStreamTask$")
}

// chainNames lists the operators of a vertex's chain by its name, "a -> b -> c". Where the chain forks,
// "a -> (b, c)", only those before the fork are told, and complete is false.
func chainNames(name string) (names []string, complete bool) {
	for part := range strings.SplitSeq(name, " -> ") {
		if strings.HasPrefix(part, "(") {
			return names, false
		}
		names = append(names, strings.TrimSpace(part))
	}
	return names, true
}

// operator names the operator of the chain in which at least half of the looks at these activities were;
// empty for a chain of one, and where the looks do not tell.
func (c *Case) operatorOf(v int, l *looks, of ...activity) string {
	names, complete := chainNames(c.vertex(v).Name)
	if len(names) < 2 && complete || !l.enough() {
		return ""
	}
	text, n := l.tally(of, func(s *sighting) string {
		if s.depth < 0 {
			return ""
		}
		return strconv.Itoa(s.depth)
	})
	depth, err := strconv.Atoi(text)
	if err != nil || depth >= len(names) || float64(n) < c.limits.stackShare*float64(l.count(of...)) {
		return ""
	}
	return names[depth]
}

// slowOperator names the operator of a vertex's chain that takes its time, whatever it does.
func (c *Case) slowOperator(v int) string {
	var all []activity
	for a := range activityCount {
		if a != noInput && a != outputBlocked {
			all = append(all, a)
		}
	}
	return c.operatorOf(v, c.looks(v), slices.Clip(all)...)
}
