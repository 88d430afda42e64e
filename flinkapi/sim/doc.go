// Package sim simulates a Flink cluster and speaks its monitoring REST API, without a socket and without
// a clock of its own: demo, test server and source of random job graphs in one.
//
// Know three types first: [Config] describes a cluster, its jobs and what goes wrong with them,
// [Cluster] is the running simulation, moved on by [Cluster.Advance], and [Cluster.Handler] is its REST
// API. [Scenarios] are the built-in incidents, each a short story with its treatments: [Cluster.Apply] shows
// what a fix does, and what a wrong one does not.
//
// The model is a network of bounded queues in discrete time, with fractional records. Nothing is
// scripted per vertex: busy, backpressured and idle follow from the service times, the routing of
// records and the room in the buffers. In each step a subtask handles as many records as it has input
// for, has time for, and finds room for in every buffer that they go to; whichever of the three stopped
// it decides whether the rest of the step was idle, busy or backpressured. The same configuration always
// gives the same bytes.
package sim
