package flinkapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/go-resty/resty/v2"
)

// transportError explains why no answer came. parent is the caller's context, without the deadline of this
// request.
func (c *Client) transportError(parent context.Context, op string, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	e := &Error{Op: op}
	var timeout net.Error
	switch {
	case errors.Is(parent.Err(), context.Canceled):
		e.Kind, e.Detail = KindCanceled, "it was given up"
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		e.Kind, e.Detail = KindTooLarge, "the answer is larger than any that is expected, and was cut off"
		e.Hint = "check that the address is a Flink JobManager's"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		e.Kind, e.Detail = KindTimeout, "no answer came in time from "+c.base.host
		e.Late = parent.Err() != nil
		e.Hint = "the JobManager or the way to it is overloaded; look at its garbage collection and its log"
	default:
		c.explainConnection(e, err)
	}
	return e
}

func (c *Client) explainConnection(e *Error, err error) {
	text := err.Error()
	var dns *net.DNSError
	switch {
	case tlsFault(err) != "":
		e.Kind, e.Detail, e.Hint = KindCertificate, tlsFault(err), c.tlsHint(err)
	case strings.Contains(text, `malformed HTTP response "\x15\x03`):
		e.Kind, e.Detail, e.Hint = KindCertificate, "the port speaks TLS, not plain HTTP", c.useHTTPS()
	case strings.Contains(text, "malformed HTTP"),
		strings.Contains(text, "readLoopPeekFailLocked"): // it spoke before it was asked
		e.Kind, e.Detail = KindNotFlink, c.base.host+" answers, but not in HTTP"
		e.Hint = "check the port: the REST port is rest.port, 8081 by default, not jobmanager.rpc.port"
	case errors.As(err, &dns):
		e.Kind, e.Detail = KindUnreachable, "the host name "+Sanitize(dns.Name)+" is not known here"
		e.Hint = "check its spelling, and whether this machine can resolve it"
	case errors.Is(err, syscall.ECONNREFUSED), strings.Contains(text, "refused"):
		e.Kind, e.Detail = KindRefused, "nobody listens at "+c.base.host
		e.Hint = "check host and port, that the JobManager runs, and rest.bind-address (localhost by default)"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e.Kind, e.Detail = KindUnreachable, c.base.host+" cut the connection before its answer was complete"
		e.Hint = "check that the port is Flink's REST port, and what stands in between"
	default:
		e.Kind, e.Detail = KindUnreachable, c.base.host+" cannot be reached: "+Sanitize(lastCause(err))
		e.Hint = "check the address, and the network between here and the JobManager"
	}
}

// lastCause returns the innermost words of a chain of errors: the outer ones repeat the URL.
func lastCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// tlsFault says in plain words why TLS could not be agreed on; empty when that is not what happened.
func tlsFault(err error) string {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		roots    x509.SystemRootsError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		op       *net.OpError
	)
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return "the port speaks plain HTTP, not TLS"
	case errors.As(err, &unknown):
		return "its certificate is signed by an authority that is not trusted here"
	case errors.As(err, &hostname):
		return "its certificate is for another host name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired or is not valid yet"
	case errors.As(err, &invalid), errors.As(err, &roots), errors.As(err, &verify):
		return "its certificate cannot be verified"
	case errors.As(err, &alert), errors.As(err, &op) && op.Op == "remote error":
		return "it refused the TLS handshake: " + Sanitize(strings.TrimPrefix(lastCause(err), "tls: "))
	}
	return ""
}

func (c *Client) tlsHint(err error) string {
	var hostname x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		plain := c.base
		plain.scheme = "http"
		return "use " + plain.String()
	case errors.As(err, &hostname):
		return "use a host name that the certificate holds"
	}
	return "give the authority's certificate with --ca-file"
}

func (c *Client) useHTTPS() string {
	secure := c.base
	secure.scheme = "https"
	return "use " + secure.String()
}

// giveLogin ends the hints of answers that a login may cure.
const giveLogin = "give a token (CULPRIT_TOKEN, --token-file) or a user (--user)"

// responseError explains an answer whose status is not 200.
func (c *Client) responseError(what call, r *resty.Response) error {
	e := &Error{Op: what.op, Status: r.StatusCode()}
	said, flink := flinkErrors(r.Body())
	switch status := r.StatusCode(); {
	case status >= 300 && status < 400:
		c.explainRedirect(e, r.Header().Get("Location"))
	case status == http.StatusUnauthorized:
		e.Kind, e.Detail = KindUnauthorized, "the server asks for a login"
		e.Hint = "a proxy before Flink asks for it: " + giveLogin
	case status == http.StatusForbidden:
		e.Kind, e.Detail = KindUnauthorized, "the server does not allow it"
		e.Hint = "this login, or none, may not read there; ask whoever runs the proxy before Flink"
	case status == http.StatusNotFound && !flink:
		e.Kind, e.Detail = KindNotFlink, "there is nothing at "+c.base.String()+", or it is not Flink"
		e.Hint = "check the path before Flink's own: it must be the one under which the web UI opens"
	case status == http.StatusNotFound && unrouted(said) && what.path == pathJobs: // every Flink has that
		e.Kind, e.Detail = KindNotFlink, "Flink answers, but has nothing at "+c.base.String()
		e.Hint = "check the path before Flink's own: it must be the one under which the web UI opens"
	case status == http.StatusNotFound && unrouted(said):
		e.Kind, e.Detail = KindNotOffered, "this server does not offer it"
		e.Hint = "it is an older Flink, a history server, or the feature is switched off"
	case status == http.StatusNotFound:
		e.Kind, e.Detail = KindNotFound, said
	case status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout:
		e.Kind, e.Detail = KindUnavailable, orElse(said, "the server cannot answer now")
		e.Hint = "a JobManager that starts or elects a leader says so; it is asked again"
	case status >= 500:
		e.Kind, e.Detail = KindServer, orElse(said, "the server failed")
		e.Hint = "the JobManager's log has the whole error"
	case strings.Contains(string(r.Body()), "HTTPS"):
		e.Kind, e.Detail, e.Hint = KindCertificate, "the port speaks TLS, not plain HTTP", c.useHTTPS()
	default:
		e.Kind, e.Detail = KindUnexpected, orElse(said, "the server answered "+Sanitize(r.Status()))
		e.Hint = "check the address, and what stands between here and the JobManager"
	}
	return e
}

// explainRedirect tells the three redirects that are met: to TLS (RedirectingSslHandler), to a login page,
// elsewhere.
func (c *Client) explainRedirect(e *Error, location string) {
	to, err := url.Parse(location)
	if err != nil || location == "" {
		e.Kind, e.Detail = KindNotFlink, "the server redirects, but does not say where to"
		e.Hint = "check the address"
		return
	}
	here := &url.URL{Scheme: c.base.scheme, Host: c.base.host, Path: "/"}
	to = here.ResolveReference(to)
	if to.Scheme == "https" && c.base.scheme == "http" && to.Hostname() == here.Hostname() {
		target := address{scheme: to.Scheme, host: to.Host, prefix: c.base.prefix}
		e.Kind, e.Detail = KindCertificate, "the server wants TLS"
		e.Hint = "use " + Sanitize(target.String())
		return
	}
	// A login page's address can carry secrets in its parameters.
	shown := Sanitize(to.Scheme + "://" + to.Host + to.Path)
	e.Kind, e.Detail = KindNotFlink, "the server redirects to "+shown+", which is not followed"
	e.Hint = "use that address, or if it is a login page " + giveLogin
}

// cutOff tells whether an answer began as JSON and stops before its end.
func cutOff(body []byte, err error) bool {
	var syntax *json.SyntaxError
	begun := len(body) > 0 && (body[0] == '{' || body[0] == '[')
	return begun && errors.As(err, &syntax) && syntax.Offset >= int64(len(body))
}

// decode turns the body of a 200 into a wire shape.
func (c *Client) decode(op string, r reply, into answer) error {
	body := r.body
	e := &Error{Op: op, Status: http.StatusOK, Kind: KindNotFlink}
	start := strings.TrimSpace(string(body[:min(len(body), 64)]))
	if strings.HasPrefix(start, "<") || r.web {
		e.Detail = c.base.host + " answers with a web page"
		e.Hint = "it is a login page or another program: check the address, or " + giveLogin
		return e
	}
	if err := unmarshal(body, into); err != nil {
		if cutOff(body, err) {
			// As where the connection is cut: it may be whole the next time.
			e.Kind, e.Hint = KindUnreachable, "look at what stands in between: its limits of size and time"
			e.Detail = fmt.Sprintf("the answer of %s ends in the middle, after %d bytes", c.base.host, len(body))
			return e
		}
		e.Detail = "the answer of " + c.base.host + " is not JSON"
		e.Hint = "check that the address is a Flink JobManager's"
		return e
	}
	if into.recognised() {
		return nil
	}
	// A history server stores error bodies and serves them with status 200.
	if said, flink := flinkErrors(body); flink {
		e.Kind, e.Detail = KindNotFound, said
		return e
	}
	e.Detail = "the answer of " + c.base.host + " is JSON, but none that Flink gives"
	e.Hint = "check that the address is a Flink JobManager's"
	return e
}

// flinkErrors reads Flink's error body, {"errors": [...]}, whose texts may be whole stack traces, and
// returns the most useful line of it.
func flinkErrors(body []byte) (said string, flink bool) {
	var w struct {
		Errors []text `json:"errors"`
	}
	if unmarshal(body, &w) != nil || w.Errors == nil {
		return "", false
	}
	for _, one := range w.Errors {
		line := rootCause(string(one))
		if line != "" && (said == "" || said == "Internal server error.") {
			said = line
		}
	}
	return orElse(said, "the server gave no reason"), true
}

// unrouted recognises the words of Flink's router and static file handler for a path that they do not know.
func unrouted(said string) bool {
	return strings.Contains(said, "Not found: /") || strings.Contains(said, "Unable to load requested file") ||
		strings.Contains(said, "File not found")
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}
