package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// replayTails are the right ends of the first row of a recording: that it is one, of when the picture is, and
// how it is played.
func replayTails(sc *scene) []line {
	short := line{say(toneNotice, " "+sc.mode+" ")}
	if sc.obs == nil {
		return []line{short, nil}
	}
	when := line{say(toneNotice, " "+sc.mode+" of "+sc.obs.At.In(sc.zone).Format("Jan 02 15:04:05")+" ")}
	out := []line{when, short, nil}
	if how := pace(sc); how != "" {
		out = append([]line{append(line{say(toneStrong, how+" ")}, when...)}, out...)
	}
	return out
}

// pace says how a recording is played; nothing at the speed of life.
func pace(sc *scene) string {
	switch {
	case sc.replay == nil || sc.link.ended:
		return ""
	case sc.paused:
		return "paused"
	case sc.replay.Speed() == 1:
		return ""
	}
	return strconv.FormatFloat(sc.replay.Speed(), 'g', 3, 64) + "x"
}

// recordingLine is the second row of a recording: the recording, as much of the cluster as there is room for,
// and how far it was played.
func recordingLine(sc *scene, w int, th *Theme) line {
	from, to := sc.replay.Span()
	long := to.Sub(from)
	at := min(max(sc.obs.At.Sub(from), 0), long)
	share := 100.0
	if long > 0 {
		share = 100 * float64(at) / float64(long)
	}
	right := fmt.Sprintf("%.0f %% of %s", share, age(long.Round(time.Second)))
	if read, reads := reading(sc); reads {
		right = fmt.Sprintf("reading %.0f %%, %s", read, sc.hint(ActionBack, ": stay"))
	}
	text, dot := cutMiddle(sc.target, w-cells(right)-2, th.ellipsis), " "+th.bullet+" "
	snap := sc.obs.Snapshot
	facts := []string{workers(snap)}
	if v := snap.Cluster.Version; v != "" {
		facts = append([]string{"flink " + v}, facts...)
	}
	for _, fact := range facts {
		if next := strings.Join([]string{text, fact}, dot); cells(next)+cells(right)+2 <= w {
			text = next
		}
	}
	return spread(line{say(toneDim, text)}, line{say(toneDim, right)}, w, th.ellipsis)
}

// reading tells how much, in percent, was read of what must be read for the way under way: up to where it
// goes, or to the end where a change of the verdict is looked for. reads is false where all of it was read.
func reading(sc *scene) (percent float64, reads bool) {
	from, to := sc.replay.Span()
	if !sc.heading.IsZero() {
		to = sc.heading
	}
	done, all := sc.replay.ReadTo().Sub(from), to.Sub(from)
	if !sc.traveling || all <= 0 || done >= all {
		return 0, false
	}
	return 100 * float64(max(done, 0)) / float64(all), true
}
