package main

import "testing"

func TestMachineIsRead(t *testing.T) {
	m := machine()
	if m.Goroutines.Or(0) < 1 || m.Memory.Or(0) < 1<<16 {
		t.Errorf("%v goroutines and %v bytes", m.Goroutines, m.Memory)
	}
}
