// Package diagnose turns a sequence of snapshots into a verdict: which operator is slow by itself, why,
// what to do, or why that cannot be told.
//
// Know three types first: [Monitor] is the whole line that the screen and `culprit check` step, [Report] is
// what it says of a job at one moment, and [Rule] is a reason as data with one pure function.
//
// Snapshots go into a window per job, which cuts time into slots of shares; the walk judges each slot by
// the graph; the verdicts of the slots are folded into standing culprits; rules say what they mean. There
// is no clock and no randomness here: the same snapshots give the same reports.
package diagnose
