package diagnose

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSettingsAreListed finds every key of Flink's configuration that the package names: a recording and a
// live watch keep only the listed ones, so that a rule would take a missing one for a default.
func TestSettingsAreListed(t *testing.T) {
	t.Parallel()
	key := regexp.MustCompile(`"((?:state|execution|pipeline|taskmanager|jobmanager|metrics|table|restart-strategy|` +
		`cluster|heartbeat|kubernetes|rest|web|parallelism)\.[a-z0-9.-]*[a-z0-9])"`)
	others := []string{"table.type"} // a word of a connector's definition
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "settings_read.go" {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range key.FindAllStringSubmatch(string(source), -1) {
			if !slices.Contains(Settings(), found[1]) && !slices.Contains(others, found[1]) {
				t.Errorf("%s names %s, which Settings does not list", file, found[1])
			}
		}
	}
}
