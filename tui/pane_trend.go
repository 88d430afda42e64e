package tui

import (
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// trendSpan is how far back the trend reaches.
const trendSpan = 15 * time.Minute

// drawTrend shows how it came to this: the pressure, who was named, and the checkpoints.
func drawTrend(sc *scene, r Rect, th *Theme) []string {
	if r.empty() {
		return nil
	}
	label := "15 min  "
	w := max((r.W-2*len(label))/2, 10)
	end := time.Time{}
	var points []diagnose.TrendPoint
	if sc.obs != nil {
		end, points = sc.obs.At, sc.obs.Trend
	}
	pressure := make([]sample, len(points))
	for i, p := range points {
		pressure[i] = sample{p.At, p.Pressure}
	}
	cellsOf := bucketMax(pressure, end, trendSpan, w)
	row := line{say(toneDim, label), say(toneBack, th.sparkline(bridge(cellsOf, w/60+1), 1)), say(tonePlain, "  ")}
	row = append(row, checkpointRow(sc, r.W-row.width(), th)...)
	rows := []line{row, whoRow(sc, points, end, w, th)}
	return th.fillRect(rows, r)
}

// whoRow writes one letter per slot for who was named.
func whoRow(sc *scene, points []diagnose.TrendPoint, end time.Time, w int, th *Theme) line {
	letters := lettersOf(sc, points)
	row := make([]string, w)
	for i := range row {
		row[i] = " "
	}
	for _, p := range points {
		if i, ok := bucketOf(p.At, end, trendSpan, w); ok {
			row[i] = th.nobody
			if p.Culprit != "" {
				row[i] = letters[p.Culprit]
			}
		}
	}
	out := line{say(toneDim, "who     "), say(toneCulprit, strings.Join(row, "")), say(tonePlain, "  ")}
	for _, v := range sc.vertices() {
		if l, ok := letters[v.vertex.ID]; ok {
			out = append(out, say(toneCulprit, l), say(toneDim, " "+chain(v.vertex.Name, 24, &th.glyphs)+"  "))
		}
	}
	return out
}

// lettersOf gives each named vertex a letter of its name that no other one has.
func lettersOf(sc *scene, points []diagnose.TrendPoint) map[flinkapi.VertexID]string {
	named := map[flinkapi.VertexID]bool{}
	for _, p := range points {
		if p.Culprit != "" {
			named[p.Culprit] = true
		}
	}
	out := map[flinkapi.VertexID]string{}
	taken := map[rune]bool{}
	for _, v := range sc.vertices() {
		if !named[v.vertex.ID] {
			continue
		}
		for _, c := range strings.ToLower(v.vertex.Name) + "abcdefghijklmnopqrstuvwxyz" {
			if c >= 'a' && c <= 'z' && !taken[c] {
				taken[c], out[v.vertex.ID] = true, string(c)
				break
			}
		}
	}
	for id := range named {
		if out[id] == "" {
			out[id] = "?"
		}
	}
	return out
}

// checkpointRow shows the durations of the last checkpoints and how they grew.
func checkpointRow(sc *scene, w int, th *Theme) line {
	job := sc.job()
	if job == nil || job.Checkpoints == nil {
		return line{say(toneDim, "checkpoints -")}
	}
	cp := job.Checkpoints
	if !cp.Enabled {
		return line{say(toneDim, "checkpoints off")}
	}
	var done []flinkapi.Value
	top := 0.0
	for _, c := range cp.History {
		if c.Status != "COMPLETED" || c.Savepoint {
			continue
		}
		s := c.Duration.Seconds()
		done = append([]flinkapi.Value{flinkapi.Known(s)}, done...)
		top = max(top, s)
	}
	if len(done) == 0 {
		return line{say(toneDim, "checkpoints none completed")}
	}
	if room := max(w-44, 1); len(done) > room {
		done = done[len(done)-room:]
	}
	from, to := done[0].Or(0), done[len(done)-1].Or(0)
	text := " " + duration(time.Duration(from*1e9)) + " " + th.arrow + " " + duration(time.Duration(to*1e9))
	return line{
		say(toneDim, "checkpoints "), say(toneIdle, th.sparkline(done, top)), say(tonePlain, text),
		say(toneDim, ", timeout "+duration(cp.Timeout)),
	}
}
