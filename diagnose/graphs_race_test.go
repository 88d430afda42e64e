//go:build race

package diagnose_test

// graphs is how many random graphs the property tests draw; fewer under the race detector, which slows them
// tenfold.
const graphs = 200
