//go:build !race

package diagnose

// slack is how many times as much may be allocated.
const slack = 1
