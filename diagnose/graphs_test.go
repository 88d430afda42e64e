//go:build !race

package diagnose_test

// graphs is how many random graphs the property tests draw.
const graphs = 2000
