package flinkapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// decoders turn a body into plain data, one per wire shape; false means that the body is not such an
// answer.
func decoders() map[string]func([]byte) (any, bool) {
	at := time.UnixMilli(1_800_000_000_000).UTC()
	return map[string]func([]byte) (any, bool){
		"config":            plain(func(w wireConfig) any { return w.Version.line() }),
		"overview":          plain(func(w wireOverview) any { return w }),
		"jobmanager-config": plain(func(w wireSettings) any { d, _ := w.fetchInterval(); return []any{d, w.settings(nil)} }),
		"job-config":        plain(func(w wireJobConfig) any { return []any{w.parallelism(), w.objectReuse()} }),
		"checkpoint":        plain(func(w wireCheckpointDetails) any { return w.vertices() }),
		"checkpoint-parts":  plain(func(w wireCheckpointParts) any { return w.parts() }),
		"thread-dump":       plain(func(w wireThreadDump) any { return w.tasks(every, maxStacks) }),
		"flame-graph":       plain(func(w wireFlameGraph) any { return w.stacks() }),
		"jobs-overview":     plain(func(w wireJobs) any { return w.summaries() }),
		"job":               plain(func(w wireJob) any { return w.job(at) }),
		"vertex":            plain(func(w wireVertex) any { return w.subtasks(4) }),
		"backpressure":      plain(func(w wireBackpressure) any { return w.shares() }),
		"metrics":           plain(func(w wireMetrics) any { return []any{w.spreads(Signals()), w.operators(Signals())} }),
		"values":            plain(func(w wireMetrics) any { return w.readings(Signals()) }),
		"exceptions":        plain(func(w wireExceptions) any { return w.exceptions() }),
		"checkpoints":       plain(func(w wireCheckpoints) any { return w.checkpoints(nil, at, at) }),
		"taskmanagers":      plain(func(w wireTaskManagers) any { return w.taskManagers(at) }),
	}
}

func plain[T answer](convert func(T) any) func([]byte) (any, bool) {
	return func(body []byte) (any, bool) {
		var w T
		if unmarshal(body, &w) != nil || !w.recognised() {
			return nil, false
		}
		return convert(w), true
	}
}

// recordedBodies returns the answers of real clusters by file.
func recordedBodies(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/rest/*/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d recorded files, error %v", len(files), err)
	}
	bodies := map[string][]byte{}
	for _, file := range files {
		if bodies[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return bodies
}

// TestFieldsThatAreMissingAreNeverZero drops every field of real answers, one at a time, and adds unknown
// ones.
func TestFieldsThatAreMissingAreNeverZero(t *testing.T) {
	for file, body := range recordedBodies(t) {
		var tree any
		if !strings.Contains(file, "2.3.0/restart-loop/") || strings.Contains(file, "metric-names") ||
			json.Unmarshal(body, &tree) != nil {
			continue
		}
		for name, decode := range decoders() {
			whole, recognised := decode(body)
			if !recognised {
				continue
			}
			zeros := countZeros(reflect.ValueOf(whole))
			eachKey(tree, func(key string, without func() []byte) {
				if strings.HasSuffix(key, "-complete") {
					return // says that a number beside it does not count
				}
				part, _ := decode(without())
				if now := countZeros(reflect.ValueOf(part)); part != nil && now > zeros {
					t.Errorf("%s as %s: without %q there are %d zeros, with it %d", file, name, key, now, zeros)
				}
			})
		}
	}
}

// eachKey calls visit for every key of the JSON tree, with a function that writes the tree without it and
// with an unknown key in its place.
func eachKey(tree any, visit func(key string, without func() []byte)) {
	root := tree
	var walk func(any)
	walk = func(node any) {
		switch n := node.(type) {
		case []any:
			for _, child := range n {
				walk(child)
			}
		case map[string]any:
			for key, child := range n {
				visit(key, func() []byte {
					delete(n, key)
					n["a-new-field"] = map[string]any{"x": []any{1, nil}}
					body, _ := json.Marshal(root)
					delete(n, "a-new-field")
					n[key] = child
					return body
				})
				walk(child)
			}
		}
	}
	walk(tree)
}

// countZeros counts the values that are known to be zero.
func countZeros(v reflect.Value) (zeros int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return countZeros(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			zeros += countZeros(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			zeros += countZeros(v.MapIndex(key))
		}
	case reflect.Struct:
		if value, is := v.Interface().(Value); is {
			if value == Known(0) {
				return 1
			}
			return 0
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				zeros += countZeros(v.Field(i))
			}
		}
	default:
	}
	return zeros
}

// FuzzDecode holds that no body, whatever it is, brings the decoder down or brings unsafe text into a
// snapshot.
func FuzzDecode(f *testing.F) {
	small := 0
	for _, body := range recordedBodies(f) {
		if len(body) < 4000 {
			small++
			f.Add(body)
		}
	}
	f.Add([]byte(`{"jid":"` + testJob + `","state":"\u001b[31m","name":"\u202e",
	 "vertices":[{"id":"` + testVertex + `","parallelism":1e9}]}`))
	f.Add([]byte(`{"id":"x","parallelism":2147483647,"subtasks":[{"subtask":2147483646}]}`))
	f.Add([]byte(`[{"id":"busyTimeMsPerSecond","min":"NaN","max":1e999,"avg":null}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, decode := range decoders() {
			data, recognised := decode(body)
			if recognised {
				checkTexts(t, name, reflect.ValueOf(data))
			}
		}
		_, _ = flinkErrors(body)
	})
}

// checkTexts holds that every text of decoded data is safe.
func checkTexts(t *testing.T, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkTexts(t, path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkTexts(t, path, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			checkTexts(t, path+" key", key)
			checkTexts(t, path, v.MapIndex(key))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Type != reflect.TypeFor[text]() {
				checkTexts(t, path+"."+field.Name, v.Field(i))
			}
		}
	case reflect.String:
		s := v.String()
		safe := Sanitize(s)
		if strings.HasSuffix(path, ".Description") {
			safe = sanitizeLines(s, maxDescription)
		}
		if s != safe {
			t.Errorf("%s is %q, which is not safe", path, s)
		}
	default:
	}
}
