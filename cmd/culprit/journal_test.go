package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/diagnose"
)

// A log that has grown is set aside when the program starts; one older one is kept.
func TestTheLogIsSetAside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	for round := range 3 {
		old := strings.Repeat(string(rune('a'+round)), logLimit+1)
		must(t, os.WriteFile(path, []byte(old), 0o600))
		j := &journal{file: path}
		must(t, j.start())
		j.log.Info("started")
		must(t, j.end(nil))
		if got := readFile(t, path+".1"); got != old {
			t.Errorf("round %d: the older log has %d bytes, want %d", round, len(got), len(old))
		}
		if got := readFile(t, path); strings.Count(got, "\n") != 2 {
			t.Errorf("round %d: the new log has more than two lines: %.200s", round, got)
		}
	}
	j := &journal{file: path}
	must(t, j.start())
	must(t, j.end(nil))
	if got := readFile(t, path); strings.Count(got, "\n") != 3 {
		t.Errorf("a short log is not added to: %q", got)
	}
}

func TestTheLogCanBeLeftOut(t *testing.T) {
	t.Parallel()
	j := &journal{file: "off"}
	must(t, j.start())
	j.log.Info("nothing")
	must(t, j.end(nil))
	if j.path != "" {
		t.Errorf("a log at %q", j.path)
	}
	j = &journal{file: filepath.Join(t.TempDir(), "no", "such", "folder")}
	if err := j.start(); err == nil || !strings.Contains(err.Error(), "--log") {
		t.Errorf("a log that cannot be written gives %v", err)
	}
}

// Whatever a cluster and its proxies answer, no secret gets into the log, and each failure is there once.
func TestTheLogHoldsNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	for name, c := range map[string]struct {
		how  connection
		env  map[string]string
		path string
	}{
		"login in the address": {path: "user:" + secret + "@"},
		"password":             {connection{user: "u"}, map[string]string{"CULPRIT_PASSWORD": secret}, ""},
		"token":                {connection{}, map[string]string{"CULPRIT_TOKEN": secret}, ""},
		"header":               {connection{}, map[string]string{"CULPRIT_HEADERS": "X-Key: " + secret}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log")
			j := &journal{file: path}
			must(t, j.start())
			for _, url := range []string{unused(t), echo(t)} {
				how := c.how
				how.interval, how.timeout = time.Second, 5*time.Second
				source, address, err := how.openTaped(console{env: func(n string) string { return c.env[n] }},
					[]string{"http://" + c.path + url}, &taping{})
				must(t, err)
				j.log.Info("started", "target", address)
				m := j.watch(diagnose.NewMonitor(source, diagnose.DefaultOptions()))
				for range 3 {
					if _, err := m.Step(t.Context(), diagnose.Ask{}); err == nil {
						t.Fatal("the cluster answers")
					}
				}
			}
			must(t, j.end(nil))
			log := readFile(t, path)
			if strings.Contains(log, secret) {
				t.Errorf("the log holds the secret: %s", log)
			}
			if n := strings.Count(log, "no answer"); n != 2 {
				t.Errorf("%d failures in the log, want each of two once: %s", n, log)
			}
		})
	}
}

// echo is a server that refuses everybody and repeats what it was sent.
func echo(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		for name, values := range r.Header {
			_, _ = io.WriteString(w, name+": "+strings.Join(values, " ")+"\n")
		}
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}
