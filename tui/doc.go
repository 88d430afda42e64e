// Package tui is the live screen of culprit.
//
// Know three types first: app is the only Bubble Tea model and owns the state, scene is the immutable picture
// that one frame is drawn from, and pane is one part of the screen, which turns a scene into exactly its
// rectangle of lines.
//
// Drawing reads no clock and does no work of its own: the scene brings the time. Styles live in the [Theme]
// alone.
package tui
