package diagnose

import (
	"cmp"
	"slices"
	"time"

	"culprit/flinkapi"
)

// SubtaskStacks sums up what the thread of a subtask was seen to do in the last minutes.
type SubtaskStacks struct {
	// Looks counts how often the thread was looked at, from From to To by the source's clock.
	Looks    int
	From, To time.Time
	Origin   flinkapi.StackOrigin
	// Whole is true where the samples are of the vertex's threads together: a flame graph does not tell the
	// subtask.
	Whole bool
	// States counts the looks by the thread's Java state, most first; empty where the samples do not tell.
	States []LookCount
	// Places groups the looks by what the thread did and where, most first.
	Places []StackPlace
}

// LookCount is how many looks found something.
type LookCount struct {
	Name  string
	Looks int
}

// StackPlace is what a thread was seen to do at one place.
type StackPlace struct {
	Looks int
	// Does is a verb phrase, such as "waits in a network call".
	Does string
	// Frames are those of the newest such look, innermost first; Whose says whose code each one is.
	Frames []flinkapi.Frame
	Whose  []CodeOwner
	// Lock is the class of the object that the thread waited for then; empty for none.
	Lock string
}

// CodeOwner says whose code a frame is.
type CodeOwner string

// The owners of code.
const (
	UserCode    CodeOwner = "user"
	LibraryCode CodeOwner = "library"
	FlinkCode   CodeOwner = "Flink"
	JDKCode     CodeOwner = "JDK"
)

// exported returns the owner as people read it.
func (o owner) exported() CodeOwner {
	switch o {
	case ofUser:
	case ofLibrary:
		return LibraryCode
	case ofFlink:
		return FlinkCode
	case ofJDK:
		return JDKCode
	}
	return UserCode
}

// Stacks sums up the samples of a subtask, or where only those are there, of the vertex as a whole; nil when
// there are none.
func (h *SubtaskHistory) Stacks(subtask int) *SubtaskStacks {
	if h == nil || subtask < 0 {
		return nil
	}
	if own := h.sum(subtask); own != nil {
		return own
	}
	return h.sum(-1)
}

// Sampled tells whether the threads of any subtask of the vertex were looked at in the last minutes.
func (h *SubtaskHistory) Sampled() bool { return h != nil && len(h.stacks) > 0 }

// place tells groups of looks apart.
type place struct {
	does  activity
	frame flinkapi.Frame
}

func (h *SubtaskHistory) sum(subtask int) *SubtaskStacks {
	out := &SubtaskStacks{Whole: subtask < 0}
	states, places := map[string]int{}, map[place]*StackPlace{}
	for _, r := range slices.Backward(h.stacks) { // so that the first of a group is the newest
		for i := range min(len(r.stacks), len(r.seen)) {
			stack, seen := &r.stacks[i], &r.seen[i]
			if stack.Subtask != subtask || stack.Count <= 0 {
				continue
			}
			if out.Looks == 0 {
				out.To, out.Origin = r.at, r.from
			}
			out.Looks, out.From = out.Looks+stack.Count, r.at
			states[stack.State] += stack.Count
			where := place{seen.does, seen.place}
			if places[where] == nil {
				places[where] = &StackPlace{
					Does: seen.does.said(), Frames: stack.Frames, Lock: stack.Lock, Whose: h.whose(stack.Frames),
				}
			}
			places[where].Looks += stack.Count
		}
	}
	if out.Looks == 0 {
		return nil
	}
	for name, n := range states {
		if name != "" {
			out.States = append(out.States, LookCount{name, n})
		}
	}
	slices.SortFunc(out.States, func(a, b LookCount) int {
		return cmp.Or(b.Looks-a.Looks, cmp.Compare(a.Name, b.Name))
	})
	out.Places = sortPlaces(places)
	return out
}

func (h *SubtaskHistory) whose(frames []flinkapi.Frame) []CodeOwner {
	out := make([]CodeOwner, len(frames))
	for i, f := range frames {
		out[i] = h.frames.ownerOf(f.Class).exported()
	}
	return out
}

// sortPlaces lists the places, those with the most looks first.
func sortPlaces(places map[place]*StackPlace) []StackPlace {
	keys := make([]place, 0, len(places))
	for k := range places {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b place) int {
		return cmp.Or(
			places[b].Looks-places[a].Looks, int(a.does-b.does), cmp.Compare(a.frame.Class, b.frame.Class),
			cmp.Compare(a.frame.Method, b.frame.Method), a.frame.Line-b.frame.Line,
		)
	})
	out := make([]StackPlace, len(keys))
	for i, k := range keys {
		out[i] = *places[k]
	}
	return out
}
