package tape

import (
	"maps"
	"slices"
	"testing"

	"culprit/flinkapi"
)

// TestShapes holds that each path that may be asked for has its list of fields, and no other.
func TestShapes(t *testing.T) {
	t.Parallel()
	have := slices.Sorted(maps.Keys(shapesOnce()))
	if want := flinkapi.Paths(); !slices.Equal(have, want) {
		t.Errorf("the table has %q, but %q may be asked for", have, want)
	}
}
