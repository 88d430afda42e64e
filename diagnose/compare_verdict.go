package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// judgeTrouble is the verdict where the whole job is or was in a bad state.
func (c *Comparison) judgeTrouble() (Outcome, string) {
	was, is := c.Before.Told, c.After.Told
	switch {
	case was.Trouble == is.Trouble:
		return Unchanged, "nothing changed: " + is.Headline
	case is.Trouble != "" && was.Trouble == "":
		return WorseThanBefore, "it got worse: " + is.Headline
	case is.Trouble != "":
		return Unclear, fmt.Sprintf("cannot tell: it was %s, and now %s", was.Headline, is.Headline)
	case len(is.Culprits) > 0:
		return HelpedInPart, fmt.Sprintf("the fix helped in part: %s is over, but %s", was.Trouble, is.Headline)
	}
	return Helped, "the fix helped: " + was.Trouble + " is over"
}

// judgeCulprits is the verdict where somebody is named both times: what comes through is then what the job
// can take, whatever the input is.
func (c *Comparison) judgeCulprits() (Outcome, string) {
	p, name := c.through()
	numbers := name + " " + p.fromTo()
	if to := c.moved(); to != nil {
		c.Moved = &to.Vertex
		moved := fmt.Sprintf("the bottleneck moved to `%s` (%s)", to.Vertex.Name, to.Reason)
		switch p.trend() {
		case turnedUp:
			return Helped, "the fix helped: " + numbers + "; " + moved
		case turnedDown:
			return WorseThanBefore, "it got worse: " + numbers + "; " + moved
		case stayed:
			return BottleneckMoved, moved + ", and no more comes through: " + numbers
		default:
			return BottleneckMoved, moved + "; whether more comes through is not known"
		}
	}
	now := &c.After.Told.Culprits[0]
	still := fmt.Sprintf("`%s` (%s)", now.Vertex.Name, now.Reason)
	switch p.trend() {
	case turnedUp:
		if now.Pattern == CatchingUp {
			return Helped, "the fix helped: " + numbers + "; " + still +
				" sets the pace while the backlog is worked off"
		}
		return HelpedInPart, "the fix helped in part: " + numbers + ", but " + still + " still holds the job back"
	case turnedDown:
		return WorseThanBefore, "it got worse: " + numbers + ", and " + still + " still holds the job back"
	case stayed:
		return Unchanged, "nothing changed: " + numbers + ", and " + still + " still holds the job back"
	default:
		return Unclear, "cannot tell: how much comes through is not known; " + still + " still holds the job back"
	}
}

// judgeGone is the verdict where nobody is named any more. That may be because less comes in: what comes
// through is then less than before, and the one that was named can take no more than before.
func (c *Comparison) judgeGone() (Outcome, string) {
	p, name := c.through()
	numbers := name + " " + p.fromTo()
	was := &c.Before.Told.Culprits[0]
	gone := fmt.Sprintf("`%s` no longer holds the job back", was.Vertex.Name)
	if c.After.Told.bursts == was.Vertex.ID { // how slots fall decides whether a burst shows in full
		return Unclear, fmt.Sprintf("cannot tell: `%s` still works in bursts, though they hold nobody back for "+
			"long now; %s", was.Vertex.Name, numbers)
	}
	if p.trend() == turnedUp {
		return Helped, "the fix helped: " + numbers + "; " + gone
	}
	if x := c.of(was.Vertex); x != nil {
		switch room := x.Capacity.fromTo(); x.Capacity.trend() {
		case turnedUp:
			return Helped, fmt.Sprintf("the fix helped: %s, it can take %s; %s", gone, room, numbers)
		case stayed, turnedDown:
			return Unclear, fmt.Sprintf(
				"cannot tell: %s, but it can take no more than before (%s): the input changed; %s", gone, room, numbers)
		case unknownTurn:
		}
	}
	if p.trend() == turnedDown {
		return Unclear, "cannot tell: " + gone + ", but the input changed: " + numbers
	}
	return Unclear, "cannot tell whether it was the fix or the input: " + gone + "; " + numbers
}

// judgeCome is the verdict where nobody was named before.
func (c *Comparison) judgeCome() (Outcome, string) {
	p, name := c.through()
	numbers := name + " " + p.fromTo()
	now := &c.After.Told.Culprits[0]
	c.Moved = &now.Vertex
	come := fmt.Sprintf("`%s` now holds the job back (%s)", now.Vertex.Name, now.Reason)
	if p.trend() == turnedUp {
		return Unclear, "cannot tell, because the input changed: " + numbers + "; " + come
	}
	return WorseThanBefore, "it got worse: " + come + "; " + numbers
}

// judgeCalm is the verdict where nobody is named, so that what comes through is the input.
func (c *Comparison) judgeCalm() (Outcome, string) {
	p, name := c.through()
	numbers := name + " " + p.fromTo()
	busy := fmt.Sprintf("the busiest operator %s to %s busy", FormatRatio(c.Busiest.Before),
		FormatRatio(c.Busiest.After))
	const calm = "no operator holds the job back, as before"
	switch trend, room := p.trend(), c.Busiest.shift(); {
	case trend == unknownTurn || room == unknownTurn:
		return Unclear, "cannot tell: the load is not known; " + calm
	case room == turnedDown && trend != turnedDown:
		return Helped, "the fix helped: " + busy + " at no less input (" + numbers + ")"
	case room == turnedUp && trend != turnedUp:
		return WorseThanBefore, "it got worse: " + busy + " at no more input (" + numbers + ")"
	}
	stay := both(c.Before.Told.Also, c.After.Told.Also)
	gone, come := both(c.Before.Told.Also, c.After.Told.Fine), both(c.After.Told.Warns, c.Before.Told.Fine)
	switch {
	case len(come) > 0:
		return WorseThanBefore, "it got worse: " + strings.Join(come, ", ") + " is new; " + numbers
	case p.trend() != stayed:
		return Unclear, "cannot tell, because the input changed: " + numbers + "; " + calm
	case len(gone) > 0 && len(stay) == 0:
		return Helped, "the fix helped: " + strings.Join(gone, ", ") + " is over; " + numbers
	}
	if len(stay) > 0 {
		return Unchanged, "nothing changed: " + strings.Join(stay, ", ") + " is still there; " + numbers
	}
	if was := c.Before.Told.Also; len(was) > 0 {
		return Unclear, "cannot tell yet whether " + strings.Join(was, ", ") + " is over; " + numbers
	}
	return Unchanged, "nothing changed: " + calm + "; " + numbers + ", " + busy
}

// both are those of the first that are among the others, too.
func both(all, others []string) []string {
	var out []string
	for _, one := range all {
		if slices.Contains(others, one) {
			out = append(out, one)
		}
	}
	return out
}
