package tui

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
)

// drawLadder shows the ladder's rungs in one row, with their names where there is room.
func drawLadder(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	if sc.report == nil || len(sc.report.Ladder) == 0 {
		return th.fillRect([]line{{say(toneDim, "ladder  not asked yet")}}, r)
	}
	for detail := ladderFull; ; detail-- {
		row := ladderRow(sc.report, th, detail)
		if row.width() <= r.W || detail == ladderBare {
			return th.fillRect([]line{row}, r)
		}
	}
}

// How much of the ladder is written out: nothing but numbers, the names of the hits, all names.
const (
	ladderBare = iota
	ladderHits
	ladderFull
)

func ladderRow(rep *diagnose.Report, th *Theme, detail int) line {
	out := line{say(toneDim, "ladder")}
	for _, rung := range rep.Ladder {
		mark, t := rungMark(rung, rep, th)
		hit := rung.State == diagnose.RungHit
		switch {
		case detail == ladderBare:
			out = append(out, say(toneDim, fmt.Sprintf(" %d", rung.Number)))
		case hit:
			out = append(out, say(toneDim, fmt.Sprintf("  %d ", rung.Number)), say(toneStrong, rung.Name+" "))
		case detail == ladderFull:
			out = append(out, say(toneDim, fmt.Sprintf("  %d %s ", rung.Number, rung.Name)))
		default:
			out = append(out, say(toneDim, fmt.Sprintf("  %d ", rung.Number)))
		}
		out = append(out, say(t, mark))
	}
	return out
}

// firstRiskRung is where the ladder stops asking who and why, and begins to ask what is at risk.
const firstRiskRung = 5

// rungMark is the glyph of a rung in a report; a hit beside a culprit on the risk rungs is a warning.
func rungMark(r diagnose.Rung, rep *diagnose.Report, th *Theme) (string, tone) {
	switch r.State {
	case diagnose.RungHit:
		if len(rep.Culprits) == 0 {
			edge, _ := severityTones(rep.Severity, "")
			return th.hit, edge
		}
		if r.Number >= firstRiskRung {
			return th.warn, toneWarn
		}
		return th.hit, gradeOf(&rep.Culprits[0]).edge
	case diagnose.RungClear:
		return th.clear, toneFine
	case diagnose.RungNotReached:
		return th.skip, toneDim
	case diagnose.RungUnknown:
	}
	return th.unknown, toneUnknown
}

// drawFooter shows the keys of the screen, the line being typed, or what an action did.
func drawFooter(sc *scene, r Rect, th *Theme) []string {
	switch {
	case r.empty():
		return nil
	case sc.timeLine != nil:
		row := sc.timeLine.View() + "  " + th.shortHelp(0, momentHelp(sc))
		return []string{exact(row, r.W, th.ellipsis)}
	case sc.typing:
		row := sc.input.View() + "  " + th.shortHelp(0, typingHelp())
		return []string{exact(row, r.W, th.ellipsis)}
	case sc.toast != "" && r.W-cells(sc.toast) < leastKeys:
		return th.fillRect([]line{{say(toneSelected, sc.toast)}}, r)
	}
	keys, filter := footerOf(sc.actions, sc.screen.scope()), ""
	if sc.toast != "" { // the keys stay beside what an action did
		filter = th.paint(line{say(toneSelected, sc.toast), say(tonePlain, "  ")}, cells(sc.toast)+2)
		return []string{exact(filter+th.shortHelp(r.W-ansi.StringWidth(filter), keys), r.W, th.ellipsis)}
	}
	if sc.filter != "" { // which hides rows, so it stays in sight
		kept := line{say(toneKey, "/"), say(toneStrong, cut(sc.filter, r.W/3, th.ellipsis)), say(tonePlain, "  ")}
		filter = th.paint(kept, kept.width())
		if label := keyOf(sc.actions, ActionBack); label != "" {
			keys = append([]key.Binding{bind(label, "clear", label)}, keys...)
		}
	}
	return []string{exact(filter+th.shortHelp(r.W-ansi.StringWidth(filter), keys), r.W, th.ellipsis)}
}

// leastKeys is the room from which on keys stand beside what an action did.
const leastKeys = 30

// drawTooSmall says which size the screen needs.
func drawTooSmall(sc *scene, r Rect, th *Theme) []string {
	text := fmt.Sprintf("culprit needs %dx%d cells, this is %dx%d", minWidth, minHeight, r.W, r.H)
	if quit := sc.hint(ActionQuit, " quits"); quit != "" {
		text += "; " + quit
	}
	var rows []line
	for _, row := range wrap(text, max(r.W, 1), max(r.H, 0), th.ellipsis) {
		rows = append(rows, plainLine(row))
	}
	return th.fillRect(rows, r)
}
