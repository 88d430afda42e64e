// Package hush keeps Bubble Tea from asking the terminal for its background before main. It would do so for
// every command, the wrong ones too, and a terminal that gives no answer would hold each of them up for
// seconds. The screen asks by itself once it opens.
//
// Packages begin in the order of their paths as soon as what they import has begun, so this one comes before
// Bubble Tea.
package hush

import "github.com/charmbracelet/lipgloss"

// The answer that lipgloss is given is one that it does not ask for.
var _ = func() bool {
	const dark = true
	lipgloss.SetHasDarkBackground(dark)
	return dark
}()
