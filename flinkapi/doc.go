// Package flinkapi reads Apache Flink's monitoring REST API (1.13 to 2.3) and turns it into plain data in
// base units.
//
// Know three types first: [Snapshot] is what one look at a cluster gave, [Signal] names a number that Flink
// can report and says where it comes from, and [Source] hands out snapshots: a live cluster, a simulated
// one, later a recording.
//
// The package only reads: GET, to an allow-list of paths. Absent, NaN and zero are kept apart ([Value]),
// text is made safe for a terminal at this edge ([Sanitize]), and a part that could not be read is a
// [Problem] beside the data.
//
// A live cluster is watched by a [Collector] on top of a [Client]. How often it asks for what: pace.go says
// when to look, collect_plan.go what a look asks for.
package flinkapi
