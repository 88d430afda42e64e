package diagnose

import (
	"reflect"
	"slices"
	"testing"
)

// A fork of a window and of an engine shares no list and no map with it but those whose content is never
// written again: a field that comes new has to be copied, or named here.
func TestForksShareNothingThatIsWritten(t *testing.T) {
	t.Parallel()
	w := &window{}
	fill(t, reflect.ValueOf(w).Elem())
	mustBeApart(t, reflect.ValueOf(w).Elem(), reflect.ValueOf(w.fork()).Elem(),
		"limits", "last", "frames", "cpu", "series", "workers", "stacks")
	e := &engine{w: newWindow(DefaultOptions().limits)}
	fill(t, reflect.ValueOf(e).Elem())
	mustBeApart(t, reflect.ValueOf(e).Elem(), reflect.ValueOf(e.fork()).Elem(),
		"limits", "options", "rules", "stages", "placed")
}

// fill gives each list and map of a struct that has none one of its own, with room to write into.
func fill(t *testing.T, s reflect.Value) {
	t.Helper()
	for i := range s.NumField() {
		f := reflect.NewAt(s.Field(i).Type(), s.Field(i).Addr().UnsafePointer()).Elem()
		switch f.Kind() { //nolint:exhaustive // others hold nothing that could be shared
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 4))
		case reflect.Map:
			f.Set(reflect.MakeMap(f.Type()))
		}
	}
}

func mustBeApart(t *testing.T, a, b reflect.Value, shared ...string) {
	t.Helper()
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		k := a.Field(i).Kind()
		if k != reflect.Slice && k != reflect.Map && k != reflect.Pointer || slices.Contains(shared, name) {
			continue
		}
		if p := a.Field(i).Pointer(); p != 0 && p == b.Field(i).Pointer() {
			t.Errorf("the fork of a %s shares %s with it", a.Type().Name(), name)
		}
	}
}
