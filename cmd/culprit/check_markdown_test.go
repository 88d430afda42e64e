package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// filled gives each string below v a text of its own and each list one element, down to the evidence.
func filled(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0), path)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type != reflect.TypeFor[time.Time]() {
				filled(v.Field(i), path+"."+f.Name)
			}
		}
	case reflect.String:
		v.SetString("said of " + strings.ToLower(strings.Trim(path, ".")))
	default:
	}
}

// leaves are the texts of a decoded JSON value, under their names.
func leaves(v any, name string, each func(name, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			leaves(x, name+"."+k, each)
		}
	case []any:
		for _, x := range v {
			leaves(x, name, each)
		}
	case string:
		each(name, v)
	}
}

// The page that is kept has each text that scripts get; but for the keys by which they find things.
func TestTheMarkdownHasAllThatTheJSONHas(t *testing.T) {
	r := &diagnose.Report{}
	filled(reflect.ValueOf(r).Elem(), "")
	r.Silenced[0].Fires = true
	r.Checkpoints.History[0].Status = flinkapi.CheckpointCompleted
	encoded, err := json.Marshal((&outcome{}).jsonReport(r))
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	markdownReport(&b, r)
	r.Culprits = nil // the job's ladder is told where nobody is named
	markdownReport(&b, r)
	keys := []string{".vertex.id", ".reason.code", ".evidence.signal", ".evidence.unit"}
	of, n := map[string]bool{}, 0
	leaves(decoded, "", func(name, text string) {
		// The state's sentence is the headline; the time is that of the cluster's zone; a silenced reason says
		// which rule it is in its sentence.
		if name == ".culprits.reason.silenced" || name == ".state.reason.summary" || name == ".undetermined.why" || strings.HasSuffix(name, ".since") ||
			slices.ContainsFunc(keys, func(k string) bool { return strings.HasSuffix(name, k) }) {
			return
		}
		n++
		if !strings.Contains(b.String(), markdown(text)) && !of[name] {
			of[name] = true
			t.Errorf("%s is not in the page: %q", name, text)
		}
	})
	if n < 50 {
		t.Errorf("only %d texts were compared", n)
	}
	if t.Failed() {
		t.Log(b.String())
	}
}

func TestTheMarkdownHasTheNumbersOfTheText(t *testing.T) {
	r := &diagnose.Report{
		Culprits: []diagnose.Culprit{{
			Vertex: diagnose.VertexRef{Name: "join"}, Subtasks: []int{3}, Parallelism: 8,
			Next:     &diagnose.NextLimit{Vertex: diagnose.VertexRef{Name: "sink"}, Factor: 1.5},
			Evidence: []diagnose.Evidence{{Label: "busy", Value: flinkapi.Known(0.5), Unit: flinkapi.Ratio, Note: "mean"}},
		}},
		Also: []diagnose.Finding{{
			Rule: "uniform", Evidence: []diagnose.Evidence{
				{Label: "asked for", Value: flinkapi.Known(5), Unit: flinkapi.Count, Note: "busy 79 %"},
			},
		}},
	}
	var b strings.Builder
	markdownReport(&b, r)
	for _, said := range []string{
		"- where: subtask 3 (of 0 to 7)\n", "- next: sink, at 1.5 times today's records\n",
		"| against | busy |  | 50 % | 0 s | mean |\n", "| against | asked for |  | 5 | 0 s | busy 79 % |\n",
		"also **uniform**, ok: ",
	} {
		if !strings.Contains(b.String(), said) {
			t.Errorf("it does not say %q:\n%s", said, b.String())
		}
	}
	for _, s := range r.Sections() {
		for _, f := range s.Facts {
			if want := fmt.Sprintf("%-7s  %s", f.Label, f.Text); !strings.Contains(r.Text(), want) {
				t.Errorf("the text does not say %q", want)
			}
		}
	}
}
