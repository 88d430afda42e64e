//go:build race

package tui

// slack is how many times as much may be allocated: the race detector does without some pools and inlining.
const slack = 1.5
