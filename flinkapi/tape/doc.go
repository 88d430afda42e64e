// Package tape writes what a cluster answered to a file, and plays such a file back.
//
// Know three types first: [Recorder] stands between a [flinkapi.Collector] and the network and writes each
// look, [Recording] is a file that was opened, and [Player] is the [flinkapi.Source] that plays it.
//
// A recording holds the answers themselves, not what was made of them, so that a newer version of the program
// diagnoses an old recording by its newer rules. Answers are reduced to the fields on a list (shapes.go),
// texts in them are searched for secrets ([flinkapi.HideSecrets]). docs/recording.md describes the format.
package tape
