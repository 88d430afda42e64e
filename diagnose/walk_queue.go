package diagnose

// deeperWithQueue replaces a candidate by a saturated one below it whose queue keeps growing: while the
// buffers between the two fill, the upper alone presses the source.
func (w *walk) deeperWithQueue(best candidate, known []candidate, verdict *slotVerdict) candidate {
	below := w.g.below(best.vertex)
	for v := len(w.g.ids) - 1; v >= 0; v-- {
		if !below[v] || v == best.vertex || w.busy(v) < w.limits.saturated || !w.queueGrows(v) {
			continue
		}
		lead, ok := w.s.vertices[v].lead.Float()
		if !ok || w.pressure(v) >= w.limits.high {
			continue
		}
		verdict.rejected = append(verdict.rejected, rejection{best.vertex, nextLimit})
		for _, c := range known {
			if c.vertex == v {
				return c
			}
		}
		return candidate{vertex: v, id: w.g.ids[v], score: lead, strong: true}
	}
	return best
}

// queueGrows tells whether more records are sent to v than it reads. Only where each sender has no other
// receiver do the two counts speak of the same records.
func (w *walk) queueGrows(v int) bool {
	sent := 0.0
	for _, u := range w.g.in[v] {
		out, ok := w.s.vertices[u].all.out.Float()
		if !ok || len(w.g.out[u]) != 1 {
			return false
		}
		sent += out
	}
	read, ok := w.s.vertices[v].all.in.Float()
	return ok && sent > 0 && (sent-read)/sent > w.limits.queueGrowth
}
