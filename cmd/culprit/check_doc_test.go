package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// checkSections are the headings of docs/check.md that describe each type of the JSON.
func checkSections() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[jsonJobs]():         "Several jobs",
		reflect.TypeFor[jsonMoment]():       "A line of a replay",
		reflect.TypeFor[jsonCheck]():        "A report",
		reflect.TypeFor[jsonJob]():          "A job",
		reflect.TypeFor[jsonVertex]():       "A vertex",
		reflect.TypeFor[jsonCulprit]():      "A culprit",
		reflect.TypeFor[jsonReason]():       "A reason",
		reflect.TypeFor[jsonFinding]():      "A finding",
		reflect.TypeFor[jsonEvidence]():     "Evidence",
		reflect.TypeFor[jsonSilenced]():     "A silenced rule",
		reflect.TypeFor[jsonRemedy]():       "A remedy",
		reflect.TypeFor[jsonVictim]():       "A victim",
		reflect.TypeFor[jsonRunnerUp]():     "A runner-up",
		reflect.TypeFor[jsonNext]():         "The next limit",
		reflect.TypeFor[jsonRung]():         "A rung",
		reflect.TypeFor[jsonUndetermined](): "Undetermined",
		reflect.TypeFor[jsonShares]():       "A vertex at work",
		reflect.TypeFor[jsonCheckpoint]():   "A checkpoint",
		reflect.TypeFor[jsonData]():         "Data",
	}
}

// Whoever scripts against the JSON finds each of its fields in the page, with its unit and when it is null.
func TestEveryFieldOfTheJSONIsInThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	d := described{t: t, page: string(page), seen: map[reflect.Type]bool{}, rows: map[string]bool{}}
	d.walk(reflect.TypeFor[jsonJobs]())
	d.walk(reflect.TypeFor[jsonMoment]())
	for line := range strings.Lines(d.page) {
		if strings.HasPrefix(line, "| `") && !d.rows[strings.TrimSpace(line)] {
			t.Errorf("the page describes what is no field: %s", line)
		}
	}
}

type described struct {
	t    *testing.T
	page string
	seen map[reflect.Type]bool
	rows map[string]bool // those that describe a field
}

func (d *described) walk(of reflect.Type) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || d.seen[of] {
		return
	}
	d.seen[of] = true
	heading, ok := checkSections()[of]
	_, section, found := strings.Cut(d.page, "\n### "+heading+"\n")
	if !ok || !found {
		d.t.Errorf("%s has no section", of)
		return
	}
	section, _, _ = strings.Cut(section, "\n### ")
	for i := range of.NumField() {
		f := of.Field(i)
		d.walk(f.Type)
		if !f.Anonymous {
			d.field(section, f)
		}
	}
}

func (d *described) field(section string, f reflect.StructField) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `"+name+"` |") {
			continue
		}
		line = strings.TrimSpace(line)
		d.rows[line] = true
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		null := cells[len(cells)-1]
		want := "never"
		switch {
		case f.Type.Kind() == reflect.Pointer:
			want = "null "
		case strings.Contains(options, "omitempty"):
			want = "left out "
		}
		if len(cells) != 4 || !strings.HasPrefix(null, want) {
			d.t.Errorf("%s: %q should have four cells, and tell of null %q", name, line, want)
		}
		return
	}
	d.t.Errorf("the field %q is not in the page:\n%s", name, section)
}
