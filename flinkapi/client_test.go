package flinkapi

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const testJob = "0123456789abcdef0123456789abcdef"

// jobCall is the request that most tests make.
func jobCall() call { return call{op: "read the job", path: pathJob, ids: []string{testJob}} }

// newTestClient returns a client that is patient with sockets of a busy machine.
func newTestClient(t *testing.T, o Options) *Client {
	t.Helper()
	if o.Transport == nil {
		o.Timeout = time.Minute
	}
	c, err := NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// failure asks for the job and returns the error, which must be there, typed, explained and free of
// secrets.
func failure(ctx context.Context, t *testing.T, c *Client) *Error {
	t.Helper()
	var into wireJob
	err := c.get(ctx, jobCall(), &into)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v of type %T, want an *Error", err, err)
	}
	if e.Op != "read the job" && e.Kind != KindForbidden {
		t.Errorf("op is %q", e.Op)
	}
	if e.Detail == "" || strings.ContainsAny(e.Detail, "\n\t\x1b") {
		t.Errorf("detail %q is not one plain line", e.Detail)
	}
	for _, secret := range []string{"s3cret", "t0ken"} {
		if strings.Contains(e.Error(), secret) {
			t.Errorf("%q gives the secret away", e.Error())
		}
	}
	return e
}

// minimalJob is the least that a job's answer must have.
func minimalJob() string { return `{"jid":"` + testJob + `","state":"RUNNING"}` }

// check holds an error to its kind and to words of its detail and hint.
func (e *Error) check(t *testing.T, kind ErrorKind, detail, hint string) {
	t.Helper()
	if e.Kind != kind || !strings.Contains(e.Detail, detail) || !strings.Contains(e.Hint, hint) {
		t.Errorf("got %s: %q, hint %q\nwant %s with %q and %q", e.Kind, e.Detail, e.Hint, kind, detail, hint)
	}
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// respond answers every request alike.
func respond(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestAnswersThatAreFaultsAreExplained(t *testing.T) {
	const json, html = "application/json; charset=UTF-8", "text/html"
	noJob := `{"errors":["org.apache.flink.runtime.rest.NotFoundException: Job 00 not found\n\tat a.B\n` +
		`Caused by: org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (00)\n"]}`
	stack := `{"errors":["Internal server error.","<Exception on server side:\njava.util.concurrent.` +
		`CompletionException: java.lang.IllegalStateException: boom\n\tat a.b.C.d(C.java:1)\n` +
		`Caused by: java.lang.IllegalStateException: boom\n\t... 1 more\n\nEnd of exception on server side>"]}`
	election := `{"errors":["Service temporarily unavailable due to an ongoing leader election."]}`
	badRequest := `{"errors":["Bad request, could not parse parameters: x"]}`
	unrouted := `{"errors":["Not found: /jobs/00/nope"]}`
	static := `{"errors":["Unable to load requested file /x."]}`
	const plain = "Client sent an HTTP request to an HTTPS server.\n"
	cases := []struct {
		name    string
		status  int
		kind    string
		body    string
		want    ErrorKind
		detail  string
		hinting string
	}{
		{"login page", 200, html, "<html>Sign in</html>", KindNotFlink, "web page", "login"},
		{"web page without a type", 200, json, "\n  <!DOCTYPE html>", KindNotFlink, "web page", "login"},
		{"no JSON", 200, json, "pong", KindNotFlink, "not JSON", "JobManager"},
		{"empty", 200, json, "", KindNotFlink, "not JSON", "JobManager"},
		{"cut off JSON", 200, json, `{"jid":"`, KindUnreachable, "ends in the middle, after 8 bytes", "limits"},
		{"no JSON, though it begins so", 200, json, `{pong and more}`, KindNotFlink, "not JSON", "JobManager"},
		{"another service", 200, json, `{"status":"UP"}`, KindNotFlink, "none that Flink gives", "JobManager"},
		{"a list", 200, json, `[]`, KindNotFlink, "none that Flink gives", "JobManager"},
		{"history server", 200, json, `{"errors":["File not found."]}`, KindNotFound, "File not found.", ""},
		{"no login", 401, html, "<html>", KindUnauthorized, "login", "token"},
		{"forbidden", 403, json, `{"kind":"Status"}`, KindUnauthorized, "not allow", "proxy"},
		{"wrong prefix", 404, "text/plain", "404 page not found", KindNotFlink, "nothing at", "path before"},
		{"unknown job", 404, json, noJob, KindNotFound, "FlinkJobNotFoundException: Could not", ""},
		{"unknown endpoint", 404, json, unrouted, KindNotOffered, "not offer", "older"},
		{"static files", 404, json, static, KindNotOffered, "not offer", "older"},
		{"stack trace", 500, json, stack, KindServer, "IllegalStateException: boom", "log"},
		{"plain 500", 500, html, "<h1>oops", KindServer, "server failed", "log"},
		{"no leader", 503, json, election, KindUnavailable, "leader election", "asked again"},
		{"bad gateway", 502, html, "<html>", KindUnavailable, "cannot answer", "asked again"},
		{"bad request", 400, json, badRequest, KindUnexpected, "could not parse", "address"},
		{"too many", 429, html, "", KindUnexpected, "429", "address"},
		{"TLS port", 400, html, plain, KindCertificate, "TLS", "https://127.0.0.1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := serve(t, respond(c.status, c.kind, c.body))
			e := failure(t.Context(), t, newTestClient(t, Options{URL: server.URL, User: "ann", Password: "s3cret"}))
			e.check(t, c.want, c.detail, c.hinting)
			if e.Status != c.status {
				t.Errorf("status is %d, want %d", e.Status, c.status)
			}
		})
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// speak listens, and writes the text to whoever connects.
func speak(t *testing.T, text string) string {
	t.Helper()
	listener := listen(t)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			// Bytes that are left unread would turn the end of the connection into a reset.
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestConnectionsThatFailAreExplained(t *testing.T) {
	closed := speak(t, "")
	free := listen(t)
	refused := free.Addr().String()
	_ = free.Close()
	plain := serve(t, respond(200, "application/json", "{}"))
	unknown := func(*http.Request) (*http.Response, error) {
		dns := &net.DNSError{Err: "no such host", Name: "jobmanger", IsNotFound: true}
		return nil, &net.OpError{Op: "dial", Err: dns}
	}
	alert := speak(t, "\x15\x03\x01\x00\x02\x02\x0a")
	half := speak(t, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
	secure := strings.Replace(plain.URL, "http", "https", 1)
	cases := []struct {
		name    string
		options Options
		want    ErrorKind
		detail  string
		hinting string
	}{
		{"refused", Options{URL: "http://a:s3cret@" + refused}, KindRefused, "nobody listens", "rest.bind-address"},
		{"closed", Options{URL: closed}, KindUnreachable, "cut the connection", "port"},
		{"not HTTP", Options{URL: speak(t, "SSH-2.0-OpenSSH_9\r\n")}, KindNotFlink, "not in HTTP", "8081"},
		{"TLS alert", Options{URL: alert}, KindCertificate, "speaks TLS", "https://"},
		{"cut off", Options{URL: half}, KindUnreachable, "before its answer", "port"},
		{"plain HTTP", Options{URL: secure}, KindCertificate, "plain HTTP", plain.URL},
		{
			"unknown host",
			Options{URL: "jobmanger", Transport: roundTrip(unknown)},
			KindUnreachable, "jobmanger", "spelling",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := failure(t.Context(), t, newTestClient(t, c.options))
			e.check(t, c.want, c.detail, c.hinting)
		})
	}
}

// roundTrip makes a transport of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTLSIsVerified(t *testing.T) {
	server := httptest.NewUnstartedServer(respond(200, "application/json", minimalJob()))
	server.Config.ErrorLog = silentLog()
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})

	e := failure(t.Context(), t, newTestClient(t, Options{URL: server.URL}))
	e.check(t, KindCertificate, "not trusted", "--ca-file")
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	e = failure(t.Context(), t, newTestClient(t, Options{URL: other, CA: ca}))
	e.check(t, KindCertificate, "another host name", "use a host name")
	var job wireJob
	if err := newTestClient(t, Options{URL: server.URL, CA: ca}).get(t.Context(), jobCall(), &job); err != nil {
		t.Errorf("with the CA: %v", err)
	}
	_, err := NewClient(Options{URL: server.URL, CA: []byte("not PEM")})
	if !errors.As(err, &e) || e.Kind != KindBadOption {
		t.Errorf("a CA file without a certificate gave %v", err)
	}
}

func TestAServerThatNeverAnswersCostsTheDeadline(t *testing.T) {
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	stall := func(r *http.Request) (*http.Response, error) {
		body, writer := io.Pipe()
		go func() {
			<-r.Context().Done()
			_ = writer.CloseWithError(r.Context().Err())
		}()
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, Request: r}, nil
	}
	for name, transport := range map[string]roundTrip{"no answer": hang, "no body": stall} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newTestClient(t, Options{URL: "jobmanager:8081", Transport: transport})
				began := WallClock()
				e := failure(t.Context(), t, c)
				if took := WallClock().Sub(began); e.Kind != KindTimeout || took != defaultTimeout {
					t.Errorf("got %s after %v, want %s after %v", e.Kind, took, KindTimeout, defaultTimeout)
				}
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				if e := failure(ctx, t, c); e.Kind != KindCanceled {
					t.Errorf("given up after a second: %s", e.Kind)
				}
			})
		})
	}
}

func TestALargeBodyIsCutOff(t *testing.T) {
	const limit, gigabyte = 1 << 20, 1 << 30
	block := bytes.Repeat([]byte(" "), 64<<10)
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for range gigabyte / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	for range 8 << 20 / len(block) {
		if _, err := packed.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	zipped := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb.Bytes())
	}
	for name, h := range map[string]http.HandlerFunc{"endless": endless, "gzip bomb": zipped} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, h)
			c := newTestClient(t, Options{URL: server.URL, BodyLimit: limit})
			if e := failure(t.Context(), t, c); e.Kind != KindTooLarge {
				t.Errorf("got %s: %s", e.Kind, e.Detail)
			}
			if read := c.meter.bytes.Load(); read > limit+1024 {
				t.Errorf("%d bytes were read, the limit is %d", read, limit)
			}
		})
	}
}

func TestErrorsAreTold(t *testing.T) {
	var err error = &Error{Op: "x", Kind: KindCanceled, Detail: "y"}
	wrapped := fmt.Errorf("look: %w", err)
	if !errors.Is(wrapped, &Error{Kind: KindCanceled}) || !errors.Is(wrapped, context.Canceled) {
		t.Error("a cancelled read is not told by its kind")
	}
	if errors.Is(wrapped, &Error{Kind: KindTimeout}) || errors.Is(wrapped, context.DeadlineExceeded) {
		t.Error("a cancelled read is told as a late one")
	}
}

func TestTheErrorReadsAsOneSentence(t *testing.T) {
	e := &Error{Op: "read the job", Kind: KindRefused, Detail: "nobody listens at x:1", Hint: "check the port"}
	if got, want := fmt.Sprintf("%v", e), "read the job: nobody listens at x:1; check the port"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// silentLog keeps the test server's handshake errors off the test's output.
func silentLog() *log.Logger { return log.New(io.Discard, "", 0) }
