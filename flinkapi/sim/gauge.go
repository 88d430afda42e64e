package sim

// Flink steps its views every 5 s. A share-of-time gauge is the mean over the filled slots of the last
// 60 s (1.17 and later); a meter is the growth over the last 60 s, counted from 0 before the start, so
// that it climbs for a minute.
const (
	viewSeconds = 5
	viewSlots   = 12
)

// timeGauge is the 60 s mean of a time counter, in ms per second.
type timeGauge struct {
	slots  [viewSlots]float64
	next   int
	filled int
	last   float64
	value  float64
}

// update closes a slot; total is the counter in seconds.
func (g *timeGauge) update(total float64) {
	g.slots[g.next] = total - g.last
	g.last = total
	g.next = (g.next + 1) % viewSlots
	g.filled = min(g.filled+1, viewSlots)
	sum := 0.0
	for _, s := range g.slots[:g.filled] {
		sum += s
	}
	g.value = 1000 * sum / float64(g.filled*viewSeconds)
}

// meter is the 60 s rate of a counter, per second.
type meter struct {
	slots [viewSlots + 1]float64
	at    int
	rate  float64
}

func (m *meter) update(count float64) {
	m.at = (m.at + 1) % len(m.slots)
	m.slots[m.at] = count
	m.rate = (count - m.slots[(m.at+1)%len(m.slots)]) / (viewSlots * viewSeconds)
}
