package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"culprit/flinkapi"
)

// mustSay fails where a text lacks one of some words.
func mustSay(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %q", w, text)
		}
	}
}

// A cluster that never answers leaves no file, and the error names the address.
func TestRecordOfADeadAddress(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "dead.culprit")
	address := unused(t)
	text := said(t, exitUnknown, "record", "http://"+address, "-o", path)
	mustSay(t, text, "nothing was recorded of http://"+address, "nobody listens")
	if strings.Contains(text, "culprit replay") || strings.Contains(text, "trying on") {
		t.Errorf("it says %q", text)
	}
	text = said(t, exitUnknown, "bundle", address, "-o", path+".zip")
	mustSay(t, text, "nothing was recorded of http://"+address)
	for _, left := range []string{path, path + ".zip"} {
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s is left", left)
		}
	}
}

// A job that is not there is told once, not at each look, and the recording of it is no success.
func TestRecordOfAJobThatIsNotThere(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "nope.culprit")
	for _, args := range [][]string{
		{"record", "--demo", "healthy", "--job", "nope", "--for", "30s", "-o", path},
		{
			"record", serveSimulated(t), "--job", "nope", "--for", "3s", "--interval", "200ms",
			"-o", path + "2",
		},
	} {
		text := said(t, exitUnknown, args...)
		if n := strings.Count(text, "trying on"); n > 1 || strings.Contains(text, "answers again") {
			t.Errorf("it says %d times that it tries on:\n%s", n, text)
		}
		mustSay(t, text, "nope")
	}
}

// lost makes a recording of a cluster that is away.
func lost(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lost.culprit")
	tap := &taping{file: path, redact: "secrets", maxSize: "1MB"}
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(away.Close)
	how := flinkapi.CollectorOptions{Clock: flinkapi.WallClock}
	source, _, err := connect(flinkapi.Options{URL: away.URL}, how, tap)
	must(t, err)
	for range 2 {
		_, err = source.Next(t.Context(), flinkapi.Focus{})
		if err == nil {
			t.Fatal("it answers")
		}
	}
	must(t, tap.recorder.Close())
	must(t, tap.out.Close())
	return path
}

// A recording without an answer, and one without a look, say what they are.
func TestReplayOfNothing(t *testing.T) {
	t.Parallel()
	path := lost(t)
	text := said(t, exitUnknown, "replay", path)
	mustSay(t, text, "there is nothing to see in "+path, "each of its 2 looks failed", "cannot answer now")
	mustSay(t, said(t, exitUnknown, "check", "--replay", path), "cannot answer now")

	empty := filepath.Join(t.TempDir(), "empty.culprit")
	must(t, os.WriteFile(empty, nil, 0o600))
	mustSay(t, said(t, exitUnknown, "replay", empty), "is empty: nothing was recorded")

	whole, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(empty, whole[:100], 0o600))
	mustSay(t, said(t, exitUnknown, "replay", empty), "was cut off before the end of its first look",
		"nothing to replay")
}

// The name of a file where an address belongs is told as such; what may be a host is left alone.
func TestFilesTakenForAddresses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	recording := filepath.Join(folder, "one.culprit")
	said(t, 0, "record", "--demo", "healthy", "--for", "20s", "-o", recording)
	notes := filepath.Join(folder, "notes.txt")
	must(t, os.WriteFile(notes, []byte("none"), 0o600))
	gone := filepath.Join(folder, "gone.culprit")
	for _, args := range [][]string{{}, {"check"}, {"record"}} {
		mustSay(t, said(t, exitUnknown, append(args, gone)...), "no such file: "+gone)
		mustSay(t, said(t, exitUnknown, append(args, recording)...), "culprit replay "+recording+" opens it")
		mustSay(t, said(t, exitUnknown, append(args, notes)...), "is a file, and no recording")
	}
	for _, name := range []string{gone, "gone.culprit", "./gone", "testdata/gone"} {
		mustSay(t, said(t, exitUnknown, "bundle", name), "no such file: "+name)
	}
	for _, host := range []string{
		"", "localhost:8081", "jobmanager", "jobmanager:8081/flink", "gateway.example.com/flink", "gateway/flink",
		"http://testdata/flink", "10.0.0.1",
	} {
		if err := mistaken(host); err != nil {
			t.Errorf("%q may be an address: %v", host, err)
		}
	}
	if left, _ := filepath.Glob("culprit-*"); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
