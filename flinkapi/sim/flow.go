package sim

import "math"

// advance moves the network on by one step. Receivers go first: what they take makes room for their
// senders in the same step, and what senders emit can be taken in the next.
func (n *network) advance() {
	n.align()
	for k := len(n.order) - 1; k >= 0; k-- {
		v := &n.vertices[n.order[k]]
		n.fireWindows(v)
		n.ask(v)
		for _, e := range v.out {
			n.ration(v, &n.edges[e])
		}
		n.settle(v)
	}
	n.now += n.step
}

// ask sets what each subtask would handle if every buffer had room: what there is, at most what time
// allows.
func (n *network) ask(v *vertex) {
	slower := n.slower(v)
	for i := range v.tasks {
		t := &v.tasks[i]
		t.want, t.grant, t.shut = 0, 0, false
		if !t.active {
			t.supply.grow(n.step, n.noise(v))
			continue
		}
		available := 0.0
		if len(v.in) == 0 {
			available = t.supply.offer(n.step, n.noise(v)) * n.unsteady(v)
		}
		for _, e := range v.in {
			available += n.edges[e].queues[i].length
		}
		t.want = min(available, max(0, n.step-t.owed)/(t.service*slower*t.slowdown()))
		t.grant = t.want
	}
}

// slower is the factor on the service times of v at this moment.
func (n *network) slower(v *vertex) float64 { return n.noise(v) * v.Rhythm.pace(n.now) }

// unsteady is the factor on what a source is given, which stays for ten seconds.
func (n *network) unsteady(v *vertex) float64 {
	if v.Source == nil || v.Source.Unsteady == 0 {
		return 1
	}
	const steady = 10 // seconds
	return 1 - v.Source.Unsteady*unit(uint64(n.now/steady+n.step/2)*0x9e3779b97f4a7c15+v.seed)
}

// noise is the factor on the service times of v and on the gaps of its supply, constant within a second.
func (n *network) noise(v *vertex) float64 {
	if n.jitter == 0 {
		return 1
	}
	return 1 + n.jitter*(2*unit(uint64(n.now+n.step/2)*0x9e3779b97f4a7c15+v.seed)-1)
}

// unit gives a number of 0 to 1 for a seed, always the same.
func unit(x uint64) float64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64((x^x>>31)>>11) / (1 << 53)
}

// grow adds what is written to the log in one step.
func (s *supply) grow(step, slower float64) {
	if s.log {
		s.backlog += s.rate * step / slower
		if s.backlog > s.keeps {
			s.lost += s.backlog - s.keeps
			s.backlog = s.keeps
		}
	}
}

// offer makes the supply of one step and returns what can be read of it; take must follow.
func (s *supply) offer(step, slower float64) float64 {
	s.grow(step, slower)
	offered := s.rate * step / slower
	if s.log {
		offered = s.backlog
	}
	if s.held {
		return 0
	}
	offered = min(offered, s.limit*step)
	if s.bounded {
		offered = min(offered, s.left)
	}
	return offered
}

func (s *supply) take(records, now float64) {
	if s.log {
		s.backlog = max(0, s.backlog-records)
	}
	if s.bounded {
		s.left -= records
		if s.left < tolerance {
			s.left = 0
		}
	}
	if s.now = now; records > 0 {
		s.reached(now)
	}
}

// smoothing is how many steps it would take to fill the free room of a buffer at the pace of the first.
// Filled at once, senders and receivers would take turns in bursts of a whole step, which real buffers,
// filled many times a second, do not show.
const smoothing = 2

// ration cuts the grants of v's subtasks down to the room on e. A record goes out only if its receiver
// has room, and records go out in order, so the fullest receiver sets the pace of all senders of its
// group.
func (n *network) ration(v *vertex, e *edge) {
	for g := range e.groups {
		grp := &e.groups[g]
		room := math.Inf(1)
		for k, w := range grp.weights {
			if w > 0 {
				q := &e.queues[grp.receivers.from+k]
				room = min(room, (q.capacity-q.waiting())/w)
			}
		}
		senders := v.tasks[grp.senders.from:grp.senders.to]
		room = max(room, 0) / smoothing
		demands := n.demands[:len(senders)]
		total := 0.0
		for i := range senders {
			demands[i] = senders[i].grant * e.gain
			total += demands[i]
			senders[i].shut = senders[i].shut || room < tolerance
		}
		if total <= room {
			continue
		}
		level := fairLevel(demands, room)
		for i := range senders {
			senders[i].grant = min(senders[i].grant, level/e.gain)
		}
	}
}

// fairLevel returns the highest cap that, put on every demand, keeps their sum within supply (max-min
// fairness).
func fairLevel(demands []float64, supply float64) float64 {
	level := supply / float64(len(demands))
	for {
		small, large := 0.0, 0
		for _, d := range demands {
			if d <= level {
				small += d
			} else {
				large++
			}
		}
		if large == 0 {
			return level
		}
		next := (supply - small) / float64(large)
		if next <= level*(1+tolerance) {
			return level
		}
		level = next
	}
}

// settle moves the granted records and books the time: busy for what was handled, and for the rest
// backpressured if the buffers cut the grant (or there was neither input nor room), else idle.
func (n *network) settle(v *vertex) {
	slower := n.slower(v)
	for i := range v.tasks {
		t := &v.tasks[i]
		if !t.active {
			continue
		}
		if len(v.in) == 0 {
			t.supply.take(t.grant, n.now+n.step)
			t.starved += n.step
			if t.want > 0 {
				t.starved = 0
			}
		} else {
			n.consume(v, i, t.grant)
		}
		t.handled += t.grant
		used := min(t.pay(n.step)+t.grant*t.service*slower*t.slowdown(), n.step)
		v.keep(t, t.grant)
		v.hold(t, t.grant, n.step)
		t.spent = used * v.CPU / t.slowdown()
		t.cpu += t.spent
		t.busy += used
		if t.grant < t.want*(1-tolerance) || t.shut && t.want < tolerance {
			t.blocked += n.step - used
		} else {
			t.idle += n.step - used
		}
	}
	for _, e := range v.out {
		n.edges[e].deliver(v.tasks)
		n.edges[e].carry(n.step)
	}
}

// consume takes records from the inputs of subtask i, evenly as far as they last.
func (n *network) consume(v *vertex, i int, records float64) {
	if len(v.in) == 1 {
		n.edges[v.in[0]].queues[i].take(records)
		return
	}
	for open := len(v.in); records > tolerance && open > 0; {
		share := records / float64(open)
		open = 0
		for _, e := range v.in {
			q := &n.edges[e].queues[i]
			part := min(share, q.length)
			q.take(part)
			records -= part
			if q.length > 0 {
				open++
			}
		}
	}
}

func (q *queue) take(records float64) {
	q.taken += records
	q.length = max(0, q.length-records)
}

// deliver puts what the senders were granted into the queues.
func (e *edge) deliver(senders []task) {
	for g := range e.groups {
		grp := &e.groups[g]
		total := 0.0
		for i := grp.senders.from; i < grp.senders.to; i++ {
			if senders[i].active {
				total += senders[i].grant
			}
		}
		if total == 0 {
			continue
		}
		total *= e.gain
		for k, w := range grp.weights {
			q := &e.queues[grp.receivers.from+k]
			q.transit += total * w
			q.arrived += total * w
		}
	}
}
