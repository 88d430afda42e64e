package sim

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// Transport returns a round tripper that calls h in memory, without a socket or a goroutine. advance, if
// not nil, is called before each request: see [Cluster.Follow]. A request whose context is done fails
// with the context's error.
func Transport(h http.Handler, advance func()) http.RoundTripper {
	return transport{h, advance}
}

type transport struct {
	handler http.Handler
	advance func()
}

// RoundTrip answers r from the handler.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if t.advance != nil {
		t.advance()
	}
	w := recorder{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(&w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// recorder keeps a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) { w.status = status }

func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }
