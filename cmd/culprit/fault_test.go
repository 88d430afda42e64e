package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const noJobs = `{"jobs":[]}`

// faults are the ways in which a cluster cannot be read, each with words of the one sentence that a user
// gets.
func faults(t *testing.T) map[string]struct {
	url  string
	want []string
} {
	t.Helper()
	type fault = struct {
		url  string
		want []string
	}
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	status := func(code int, kind, body string) string {
		return serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		})
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	return map[string]fault{
		"refused":    {"http://" + unused(t), []string{"nobody listens"}},
		"wrong port": {"http://" + speaker(t, "SSH-2.0-OpenSSH_9.6\r\n"), []string{"HTTP"}},
		"login page": {status(200, "text/html", "<html><body>Sign in</body></html>"), []string{"page"}},
		"401":        {status(401, "text/plain", "no"), []string{"login", "CULPRIT_TOKEN"}},
		"404 prefix": {status(404, "text/html", "<html>not found</html>"), []string{"path before Flink's own"}},
		"404 of Flink": {
			status(404, "application/json", `{"errors":["Unable to load requested file /team/jobs/overview."]}`),
			[]string{"path before Flink's own"},
		},
		"certificate": {secure.URL, []string{"certificate", "--ca-file"}},
		"silence":     {"http://" + speaker(t, ""), []string{"no answer came in time"}},
		"huge body":   {serve(endless), []string{"cut off"}},
		"cut off":     {status(200, "application/json", `{"jobs":[{"jid":"a`), []string{"ends in the middle", "18 bytes"}},
		"no job":      {status(200, "application/json", noJobs), []string{"no job is on the cluster"}},
	}
}

// timeout is short only for the server that never answers: the others do, though slowly on a busy machine.
func timeout(name string) string {
	if name == "silence" {
		return "1s"
	}
	return "30s"
}

func unused(t *testing.T) string {
	t.Helper()
	l := listen(t)
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	var c net.ListenConfig
	l, err := c.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// speaker accepts connections, says the greeting and nothing more.
func speaker(t *testing.T, greeting string) string {
	t.Helper()
	l := listen(t)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			_, _ = io.WriteString(conn, greeting)
		}
	}()
	return l.Addr().String()
}

// endless sends a gigabyte, or less when nobody reads on.
func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	chunk := bytes.Repeat([]byte("[1,"), 1<<18)
	for range 1<<30/len(chunk) + 1 {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func TestCheckExplainsEveryFaultInOneSentence(t *testing.T) {
	t.Parallel()
	for name, f := range faults(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			code := run(t.Context(), []string{"check", f.url, "--timeout", timeout(name), "--for", "60s"},
				console{out: &out, err: &errs, env: func(string) string { return "" }})
			first, _, _ := strings.Cut(out.String(), "\n")
			if code != exitUnknown || !strings.HasPrefix(first, "UNKNOWN: ") || errs.Len() > 0 {
				t.Fatalf("exit code %d, output:\n%s\nerrors:\n%s", code, out.String(), errs.String())
			}
			if strings.Contains(out.String(), "requests=0c") {
				t.Errorf("it asked, and tells of no request:\n%s", out.String())
			}
			for _, word := range f.want {
				if !strings.Contains(first, word) {
					t.Errorf("%q is not in %q", word, first)
				}
			}
			if strings.Contains(out.String(), "goroutine") || strings.Contains(out.String(), "\tat ") {
				t.Errorf("a stack trace is shown:\n%s", out.String())
			}
			t.Log(first)
		})
	}
}

// interruptLimit is within which time an interrupt must end a check that waits for a silent server. The
// machine may be busy, so it is wider than what a person is promised; the exact figure is measured on the
// real binary.
const interruptLimit = 2 * time.Second

func TestInterruptEndsACheckThatWaits(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"check", "http://" + speaker(t, ""), "--timeout", "60s"},
			console{out: io.Discard, err: io.Discard, env: func(string) string { return "" }})
	}()
	cancel()
	select {
	case code := <-done:
		if code != exitUnknown {
			t.Errorf("exit code %d, want %d", code, exitUnknown)
		}
	case <-time.After(interruptLimit):
		t.Fatal("still waiting")
	}
}
