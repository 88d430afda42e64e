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

// compareSections are those of docs/compare.md.
func compareSections() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[jsonComparison]():  "A comparison",
		reflect.TypeFor[jsonStretch]():     "A stretch",
		reflect.TypeFor[jsonJob]():         "A job",
		reflect.TypeFor[jsonVertex]():      "A vertex",
		reflect.TypeFor[jsonBlamed]():      "A named culprit",
		reflect.TypeFor[jsonMedians]():     "The medians",
		reflect.TypeFor[jsonTwoVertices](): "Two vertices",
		reflect.TypeFor[jsonLoad]():        "A load",
	}
}

// Whoever scripts against the JSON finds each of its fields in the page, with its unit and when it is null.
func TestEveryFieldOfTheJSONIsInItsPage(t *testing.T) {
	describes(t, "check.md", checkSections(), reflect.TypeFor[jsonJobs](), reflect.TypeFor[jsonMoment]())
	describes(t, "compare.md", compareSections(), reflect.TypeFor[jsonComparison]())
}

func describes(t *testing.T, name string, sections map[reflect.Type]string, roots ...reflect.Type) {
	t.Helper()
	page, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	d := described{
		t: t, page: string(page), sections: sections, seen: map[reflect.Type]bool{}, rows: map[string]bool{},
	}
	for _, root := range roots {
		d.walk(root)
	}
	for line := range strings.Lines(d.page) {
		if strings.HasPrefix(line, "| `") && !d.rows[strings.TrimSpace(line)] {
			t.Errorf("the page describes what is no field: %s", line)
		}
	}
}

type described struct {
	t        *testing.T
	page     string
	sections map[reflect.Type]string
	seen     map[reflect.Type]bool
	rows     map[string]bool // those that describe a field
}

func (d *described) walk(of reflect.Type) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || d.seen[of] {
		return
	}
	d.seen[of] = true
	heading, ok := d.sections[of]
	_, section, found := strings.Cut(d.page, "\n### "+heading+"\n")
	if !ok || !found {
		d.t.Errorf("%s has no section", of)
		return
	}
	section, _, _ = strings.Cut(section, "\n### ")
	d.fields(section, of)
}

// fields looks for those of a type in its section; what is embedded has a section of its own, or stands in
// this one.
func (d *described) fields(section string, of reflect.Type) {
	for i := range of.NumField() {
		f := of.Field(i)
		switch _, own := d.sections[f.Type]; {
		case f.Anonymous && !own:
			d.fields(section, f.Type)
		case f.Anonymous:
			d.walk(f.Type)
		default:
			d.walk(f.Type)
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
