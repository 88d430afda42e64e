package diagnose

// seen is a sample of a look that was read ahead.
type seen struct {
	look   int // the newest of its collection of metrics
	sample Sample
}

// mostSeen bounds the samples of one job that an index remembers: those of a day. Of a longer recording every
// other one is forgotten, again and again; what is compared then stands on fewer looks.
const mostSeen = 24 * 360

// noteSample remembers what a comparison keeps of a look that was read ahead.
func (x *Index) noteSample(look int, obs *Observation) {
	s, ok := SampleOf(obs)
	if !ok {
		return
	}
	all := x.seen[s.Job.Name]
	if n := len(all); n > 0 && s.sameRound(&all[n-1].sample) {
		all = all[:n-1]
	}
	all = append(all, seen{look, s})
	if len(all) > mostSeen {
		kept := all[:0]
		for i := (len(all) - 1) % 2; i < len(all); i += 2 { // the newest one stays
			kept = append(kept, all[i])
		}
		clear(all[len(kept):])
		all = kept
	}
	x.seen[s.Job.Name] = all
}

// Samples are what a comparison keeps of the hour before the look that Seek went to last, of the job of a
// name. With that look added they are what they would be if the recording had been played up to it.
func (x *Index) Samples(job string) []Sample {
	var kept []Sample
	for i := range x.seen[job] {
		if s := &x.seen[job][i]; s.look < x.place {
			kept = KeepSample(kept, s.sample)
		}
	}
	for i := range x.way {
		if x.way[i].Job.Name == job {
			kept = KeepSample(kept, x.way[i])
		}
	}
	return kept
}
