package flinkapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-resty/resty/v2"
)

// The limits that hold unless [Options] says otherwise.
const (
	defaultTimeout   = 5 * time.Second
	defaultBodyLimit = 16 << 20
	maxRedirects     = 3
	maxInFlight      = 4 // rest.server.numThreads is 4, shared with the JobManager's metric fetcher
)

// Options says how to reach a cluster. Only URL is needed.
type Options struct {
	// URL is the JobManager's REST address or a proxy's, with any path before Flink's own; the scheme may be
	// left out, and user:password@ is taken as the login.
	URL string
	// User and Password are for basic authentication; an empty User leaves it out.
	User, Password string
	// Token is a bearer token.
	Token string
	// Header is sent with every request.
	Header http.Header
	// CA holds PEM certificates that are trusted beside the system's.
	CA []byte
	// Timeout bounds one request with its whole answer; 0 is 5 s.
	Timeout time.Duration
	// BodyLimit bounds one answer after decompression, in bytes; 0 is 16 MiB.
	BodyLimit int
	// Version is the program's version, for the User-Agent header.
	Version string
	// Stopwatch is the clock that the program's own work is measured with, not the cluster's; nil measures
	// nothing.
	Stopwatch Clock
	// Transport carries the requests that pass the guard; nil is HTTP over the network.
	Transport http.RoundTripper
	// Wrap, if not nil, is put around the transport: a recorder.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Answer, if not nil, has the answers already: a recording. Nothing is sent then. It returns the body, with
	// the time at which it came in the exchange, or an *[Error].
	Answer func(*Exchange) ([]byte, error)
}

// Client asks one cluster's REST API. It can only read: see the allow-list in guard.go. It is safe for
// concurrent use.
type Client struct {
	base    address
	http    *resty.Client
	timeout time.Duration
	meter   *meter
	answer  func(*Exchange) ([]byte, error) // nil asks the cluster
	watch   Clock                           // nil measures nothing
}

// NewClient returns a client of the cluster at the given address. It sends nothing. Its errors are *[Error]
// of [KindBadOption], free of secrets.
func NewClient(o Options) (*Client, error) {
	base, login, err := parseAddress(o.URL)
	if err != nil {
		return nil, err
	}
	if login != nil && o.User == "" {
		o.User = login.Username()
		o.Password, _ = login.Password()
	}
	header, err := requestHeader(o)
	if err != nil {
		return nil, err
	}
	if o.Transport == nil {
		if o.Transport, err = networkTransport(o.CA); err != nil {
			return nil, err
		}
	}
	if o.Wrap != nil {
		o.Transport = o.Wrap(o.Transport)
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.BodyLimit <= 0 {
		o.BodyLimit = defaultBodyLimit
	}
	m := &meter{next: o.Transport}
	return &Client{
		base: base, timeout: o.Timeout, meter: m, answer: o.Answer, watch: o.Stopwatch,
		http: newResty(guard{base: base, next: m}, o, header),
	}, nil
}

// Address returns where the client asks, without any login.
func (c *Client) Address() string { return c.base.String() }

func newResty(g guard, o Options, header http.Header) *resty.Client {
	jar, _ := cookiejar.New(nil) // never fails; with it a balancer keeps us at one JobManager and its metrics
	plain := &http.Client{
		Transport: g, Jar: jar,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects || g.permit(r) != nil {
				return http.ErrUseLastResponse // told apart in responseError
			}
			return nil
		},
	}
	client := resty.NewWithClient(plain).
		SetLogger(silence{}).
		SetDisableWarn(true).
		SetRetryCount(0).
		SetResponseBodyLimit(o.BodyLimit).
		SetBaseURL(g.base.String())
	client.Header = header
	if o.User != "" {
		client.SetBasicAuth(o.User, o.Password)
	}
	if o.Token != "" {
		client.SetAuthToken(strings.TrimSpace(o.Token))
	}
	return client
}

// requestHeader returns the headers of every request, or says which of them cannot be sent.
func requestHeader(o Options) (http.Header, error) {
	ways := 0
	for _, given := range []string{o.User, o.Token, o.Header.Get("Authorization")} {
		if given != "" {
			ways++
		}
	}
	if ways > 1 {
		return nil, &Error{
			Op: "log in", Kind: KindBadOption, Detail: "more than one kind of login is given",
			Hint: "keep one of user and password, token, or Authorization header",
		}
	}
	if !sendable(strings.TrimSpace(o.Token)) {
		return nil, badHeader("the token")
	}
	header := http.Header{}
	for name, values := range o.Header {
		for _, value := range values {
			if !sendable(value) || !headerName(name) {
				return nil, badHeader("the header " + Sanitize(name))
			}
			header.Add(name, value)
		}
	}
	version := o.Version
	if version == "" || !headerName(version) {
		version = "unknown"
	}
	header.Set("User-Agent", "culprit/"+version)
	header.Set("Accept", "application/json")
	return header, nil
}

func badHeader(what string) error {
	return &Error{
		Op: "use " + what, Kind: KindBadOption, Detail: "it holds characters that no HTTP header can carry",
		Hint: "look for line breaks or a wrong file",
	}
}

func sendable(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

func headerName(name string) bool {
	const separators = `()<>@,;:\"/[]?={}`
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(separators, r)
	})
}

func networkTransport(ca []byte) (http.RoundTripper, error) {
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   maxInFlight,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if len(ca) == 0 {
		return t, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(ca) {
		return nil, &Error{
			Op: "use --ca-file", Kind: KindBadOption, Detail: "it holds no PEM certificate",
			Hint: `it must contain "-----BEGIN CERTIFICATE-----"`,
		}
	}
	t.TLSClientConfig.RootCAs = pool
	return t, nil
}

// call is one request: what it is for, in words that follow "could not", and its path, ids and metric
// names.
type call struct {
	op    string
	path  pathPattern
	ids   []string
	query string // encoded
}

// answer is a wire shape that knows whether Flink can have sent it.
type answer interface{ recognised() bool }

// get asks and decodes. Its errors are *[Error].
func (c *Client) get(ctx context.Context, what call, into answer) error {
	target, err := what.path.fill(what.ids...)
	if err != nil {
		return &Error{
			Op: what.op, Kind: KindForbidden, Detail: err.Error(),
			Hint: "only ids that the cluster gave can be asked for",
		}
	}
	x := ExchangeOf(ctx)
	if x != nil {
		x.Pattern, x.Path, x.Query = string(what.path), target, what.query
	}
	var got reply
	if c.answer != nil && x != nil {
		got, err = c.remember(ctx, what, x)
	} else {
		got, err = c.send(ctx, what, target)
	}
	if err != nil {
		return err
	}
	if c.watch == nil {
		return c.decode(what.op, got, into)
	}
	began := c.watch()
	err = c.decode(what.op, got, into)
	c.meter.decoding.Add(int64(c.watch().Sub(began)))
	return err
}

// reply is an answer with status 200.
type reply struct {
	body []byte
	web  bool // it says that it is a web page
}

// remember takes an answer that is there already.
func (c *Client) remember(ctx context.Context, what call, x *Exchange) (reply, error) {
	if err := ctx.Err(); err != nil {
		return reply{}, c.transportError(ctx, what.op, err)
	}
	c.meter.requests.Add(1)
	body, err := c.answer(x)
	if err != nil {
		return reply{}, c.transportError(ctx, what.op, err)
	}
	c.meter.bytes.Add(int64(len(body)))
	return reply{body: body}, nil
}

// send asks the cluster.
func (c *Client) send(ctx context.Context, what call, target string) (reply, error) {
	if what.query != "" {
		target += "?" + what.query
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	response, err := c.http.R().SetContext(limited).Get(target)
	if err != nil {
		return reply{}, c.transportError(ctx, what.op, err)
	}
	if response.StatusCode() != http.StatusOK {
		return reply{}, c.responseError(what, response)
	}
	return reply{response.Body(), strings.HasPrefix(response.Header().Get("Content-Type"), "text/html")}, nil
}

// decoding is the time that went into decoding answers until now, in seconds; unknown without a stopwatch.
func (c *Client) decoding() Value {
	if c.watch == nil {
		return Value{}
	}
	return Known(time.Duration(c.meter.decoding.Load()).Seconds())
}

// getMetrics is the query that asks for the named metrics. Names may hold anything but a comma.
func getMetrics(names []string) string {
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = url.QueryEscape(name)
	}
	return "get=" + strings.Join(escaped, ",")
}

// meter counts the requests that leave, the bytes of their answers and the time that decoding them took.
type meter struct {
	next     http.RoundTripper
	requests atomic.Int64
	bytes    atomic.Int64
	decoding atomic.Int64 // ns
}

// RoundTrip implements [http.RoundTripper].
func (m *meter) RoundTrip(r *http.Request) (*http.Response, error) {
	m.requests.Add(1)
	response, err := m.next.RoundTrip(r)
	if response != nil && response.Body != nil {
		response.Body = &meteredBody{ReadCloser: response.Body, meter: m}
	}
	return response, err
}

type meteredBody struct {
	io.ReadCloser
	meter *meter
}

func (b *meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.bytes.Add(int64(n))
	return n, err
}

// silence is a logger that writes nothing: resty's own would write over the screen.
type silence struct{}

func (silence) Errorf(string, ...any) {}
func (silence) Warnf(string, ...any)  {}
func (silence) Debugf(string, ...any) {}
