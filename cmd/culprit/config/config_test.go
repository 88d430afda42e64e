package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/tui"
)

// The example says what it seems to say, and each of its comments that is a key is one.
func TestExample(t *testing.T) {
	t.Parallel()
	f, err := Parse("example.yaml", []byte(Example()))
	if err != nil {
		t.Fatal(err)
	}
	want := Context{
		Name: "prod", URL: "https://gateway.example.com/flink", Job: "lab-orders",
		Token: Secret{File: "~/.config/culprit/prod.token"}, Interval: 2 * time.Second, Timeout: 5 * time.Second,
		Judge: Judge{
			Thresholds: []string{"high=0.7"}, Silence: []string{"uniform-parallelism"}, Retention: 72 * time.Hour,
		},
	}
	if got, ok := f.Context("prod"); !ok {
		t.Error("no context prod")
	} else if d := cmp.Diff(want, *got); d != "" {
		t.Error(d)
	}
	open := ""
	for _, row := range strings.Split(Example(), "\n") {
		_, key, comment := strings.Cut(row, "# ")
		name, _, pair := strings.Cut(key, ":")
		if comment && pair && !strings.Contains(strings.TrimSpace(name), " ") && !strings.HasPrefix(key, "Or") {
			row = strings.Replace(row, "# ", "", 1)
		}
		open += row + "\n"
	}
	f, err = Parse("open.yaml", []byte(open))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Screen.Keys) != len(tui.Actions())-1 || len(f.Judge.Thresholds) < 10 {
		t.Errorf("%d keys and %d thresholds in the comments", len(f.Screen.Keys), len(f.Judge.Thresholds))
	}
	c, _ := f.Context("prod")
	if c.User != "monitor" || c.Password.Env != "FLINK_PASSWORD" || c.Headers.File == "" || c.CAFile == "" {
		t.Errorf("the comments of the context give %+v", *c)
	}
}

func TestEmptyFiles(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "---\n", "\n\n"} {
		f, err := Parse("empty.yaml", []byte(text))
		if err != nil || len(f.Contexts) != 0 {
			t.Errorf("%q gives %+v, %v", text, f, err)
		}
	}
}

func TestKeysOfActions(t *testing.T) {
	t.Parallel()
	f, err := Parse("keys.yaml", []byte("keys: {quit: [Q, ctrl+q], freeze: space, refresh: f5}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[tui.ActionID][]string{
		tui.ActionQuit: {"Q", "ctrl+q"}, tui.ActionFreeze: {" "}, tui.ActionRefresh: {"f5"},
	}
	if d := cmp.Diff(want, f.Screen.Keys); d != "" {
		t.Error(d)
	}
}

// Whatever a file holds, it is read or refused with words that show where, and never crashes the program.
func FuzzParse(f *testing.F) {
	f.Add(Example())
	f.Add("contexts: {a: {url: x, token: {env: A, file: b}}}\nkeys: [a]\n")
	f.Add("a: &x 1\nb: *x\n<<: *x\n? [a]\n: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("file.yaml", []byte(text))
		if file == nil || err != nil && !strings.HasPrefix(err.Error(), "file.yaml:") {
			t.Errorf("%v", err)
		}
	})
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{"drak": "dark", "ligth": "light", "zebra": "", "": ""} {
		if got, _ := Nearest(written, themeNames()); got != want {
			t.Errorf("nearest to %q is %q, want %q", written, got, want)
		}
	}
}
