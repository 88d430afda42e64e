package lab

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCulpritTakesWhatTheLabGivesIt asks the real program about a cluster that is not there, with every
// length of watch that a scenario has: a flag that the program refuses would cost a run of the whole lab.
func TestCulpritTakesWhatTheLabGivesIt(t *testing.T) {
	t.Chdir("..")
	binary := Binary(filepath.Join(t.TempDir(), "culprit"))
	if err := Build(t.Context(), string(binary)); err != nil {
		t.Fatal(err)
	}
	watches := map[Watch]bool{{Most: time.Second}: true}
	for _, s := range Scenarios() {
		watches[Watch{Most: time.Second + s.Least, Least: s.Least}] = true
	}
	for watch := range watches {
		verdict, err := binary.Check(t.Context(), "http://127.0.0.1:1", "j", watch)
		if err != nil {
			t.Errorf("%+v: %v", watch, err)
		} else if verdict.Exit != 3 || !strings.Contains(verdict.Text, "nobody listens at 127.0.0.1:1") {
			t.Errorf("%+v: exit %d, %s", watch, verdict.Exit, verdict.Text)
		}
	}
}
