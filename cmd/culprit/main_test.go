package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// killed is set in the environment of a test that runs the program itself, to kill it.
const killed = "CULPRIT_TEST_KILLED"

func TestMain(m *testing.M) {
	if os.Getenv(killed) != "" {
		main()
		return
	}
	testscript.Main(m, map[string]func(){"culprit": main, "culprit-breaks": breaks})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}
