//go:build !race

package tui

// slack is how many times as much may be allocated.
const slack = 1
