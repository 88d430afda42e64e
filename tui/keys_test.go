package tui

import (
	"testing"
)

func TestActionsAreWellFormed(t *testing.T) {
	ids := map[ActionID]bool{}
	for _, a := range Actions() {
		if ids[a.ID] {
			t.Errorf("%s is listed twice", a.ID)
		}
		ids[a.ID] = true
		if len(a.Binding.Keys()) == 0 || a.Binding.Help().Key == "" || a.Does == "" || a.Scope == 0 {
			t.Errorf("%s lacks a key, a label, a sentence or a scope", a.ID)
		}
	}
}

// One key means one thing on a screen.
func TestKeysDoNotCollide(t *testing.T) {
	for s := range screenCount {
		taken := map[string]ActionID{}
		for _, a := range Actions() {
			if a.Scope&s.scope() == 0 {
				continue
			}
			for _, k := range a.Binding.Keys() {
				if other, ok := taken[k]; ok {
					t.Errorf("screen %d: %q does both %s and %s", s, k, other, a.ID)
				}
				taken[k] = a.ID
			}
		}
	}
}

// Every key that the help names is one that a terminal sends.
func TestKeysExist(t *testing.T) {
	for _, a := range Actions() {
		for _, k := range a.Binding.Keys() {
			if got := keyNamed(k).String(); got != k {
				t.Errorf("%s: a press of %q arrives as %q", a.ID, k, got)
			}
		}
	}
}
