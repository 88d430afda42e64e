// Package svg turns a screen into an SVG picture: the same for the same screen, with no font but the
// reader's own.
//
// Start at [Picture]. A frame is read into a grid of cells (cell.go). Lines, blocks and braille dots are
// drawn as shapes (shape.go), so that boxes close in every viewer; all else is text that is held to the grid
// (svg.go).
package svg
