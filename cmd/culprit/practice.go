package main

import (
	"fmt"
	"slices"
	"strings"

	"culprit/flinkapi/sim"
	"culprit/tui"
)

// practice lets the screen treat the incident of a simulated cluster.
type practice struct{ cluster *sim.Cluster }

var _ tui.Incident = practice{}

// Treatments implements [tui.Incident]: by name, since the scenario lists the right one first.
func (p practice) Treatments() []tui.Treatment {
	var out []tui.Treatment
	for _, t := range p.cluster.Treatments() {
		out = append(out, tui.Treatment{Name: t.Name, Does: t.Does()})
	}
	slices.SortFunc(out, func(a, b tui.Treatment) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Apply implements [tui.Incident].
func (p practice) Apply(name string) (tui.Applied, error) {
	all := p.cluster.Treatments()
	i := slices.IndexFunc(all, func(t sim.Treatment) bool { return t.Name == name })
	if i < 0 {
		return tui.Applied{}, fmt.Errorf("there is no treatment %q", name)
	}
	if err := p.cluster.Apply(all[i]); err != nil {
		return tui.Applied{}, err
	}
	return tui.Applied{Name: name, Says: all[i].Says, At: p.cluster.Now()}, nil
}
