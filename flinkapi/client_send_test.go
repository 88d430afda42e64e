package flinkapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestRedirectsNeverCarryTheLoginAway(t *testing.T) {
	var asked []string
	elsewhere := serve(t, func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.Path) })
	cases := []struct {
		name, location string
		want           ErrorKind
		detail         string
		hinting        string
	}{
		{"login page", elsewhere.URL + "/login?state=s3cret", KindNotFlink, elsewhere.URL + "/login", "token"},
		{"same path elsewhere", elsewhere.URL + "/jobs/" + testJob, KindNotFlink, "not followed", "that address"},
		{"login page here", "/oauth2/start?rd=%2Fjobs", KindNotFlink, "/oauth2/start", "token"},
		{"to TLS", "https://127.0.0.1:8443/jobs/" + testJob, KindCertificate, "TLS", "https://127.0.0.1:8443"},
		{"nowhere", "", KindNotFlink, "does not say where", "address"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if c.location != "" {
					w.Header().Set("Location", c.location)
				}
				w.WriteHeader(http.StatusFound)
			})
			e := failure(t.Context(), t, newTestClient(t, Options{URL: server.URL, Token: "t0ken"}))
			e.check(t, c.want, c.detail, c.hinting)
		})
	}
	if len(asked) > 0 {
		t.Errorf("the other server was asked for %v", asked)
	}
}

func TestABalancersRedirectToItselfIsFollowed(t *testing.T) {
	requests := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if _, err := r.Cookie("route"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "route", Value: "jm-2"})
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return
		}
		respond(200, "application/json", minimalJob())(w, r)
	})
	var job wireJob
	err := newTestClient(t, Options{URL: server.URL}).get(t.Context(), jobCall(), &job)
	if err != nil || requests != 2 {
		t.Errorf("%d requests, error %v", requests, err)
	}
}

func TestWhatIsSentWithARequest(t *testing.T) {
	var got http.Header
	var path string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, path = r.Header, r.URL.EscapedPath()
		respond(200, "application/json", minimalJob())(w, r)
	})
	host := strings.TrimPrefix(server.URL, "http://")
	basic := "Basic YW5uOnMzY3JldA=="
	cases := []struct {
		name          string
		options       Options
		authorization string
		prefix        string
	}{
		{"nothing", Options{URL: host}, "", ""},
		{"login in the address", Options{URL: "http://ann:s3cret@" + host + "/"}, basic, ""},
		{"login apart", Options{URL: server.URL, User: "ann", Password: "s3cret"}, basic, ""},
		{"token from a file", Options{URL: server.URL + "/flink", Token: "t0ken\n"}, "Bearer t0ken", "/flink"},
		{
			"own header",
			Options{URL: server.URL, Header: http.Header{"Authorization": {"Digest x"}}},
			"Digest x", "",
		},
		{
			"Kubernetes",
			Options{URL: server.URL + "/api/v1/namespaces/x/services/y:8081/proxy/"},
			"",
			"/api/v1/namespaces/x/services/y:8081/proxy",
		},
		{"browser's address", Options{URL: server.URL + "/a%2Fb/#/job/running"}, "", "/a%2Fb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.options.Version = "1.2.3"
			client := newTestClient(t, c.options)
			var job wireJob
			if err := client.get(t.Context(), jobCall(), &job); err != nil {
				t.Fatal(err)
			}
			if got.Get("Authorization") != c.authorization {
				t.Errorf("Authorization is %q, want %q", got.Get("Authorization"), c.authorization)
			}
			if want := c.prefix + "/jobs/" + testJob; path != want {
				t.Errorf("asked for %s, want %s", path, want)
			}
			if got.Get("User-Agent") != "culprit/1.2.3" {
				t.Errorf("User-Agent is %q", got.Get("User-Agent"))
			}
			if want := server.URL + c.prefix; client.Address() != want {
				t.Errorf("the address is shown as %s, want %s", client.Address(), want)
			}
		})
	}
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	cases := map[string]Options{
		"empty":                 {URL: "  "},
		"other scheme":          {URL: "ftp://host"},
		"no host":               {URL: "http:///path"},
		"port is no number":     {URL: "http://ann:s3cret@host:80a"},
		"password with a slash": {URL: "http://ann:s3cret/x@host:8081"},
		"parameters":            {URL: "http://host:8081/?token=s3cret"},
		"steps up":              {URL: "http://host/a/../b"},
		"two logins":            {URL: "http://ann:s3cret@host", Token: "t0ken"},
		"token of two lines":    {URL: "host", Token: "t0ken\nx: y"},
		"header of two lines":   {URL: "host", Header: http.Header{"X-Key": {"s3cret\r\nx: y"}}},
		"header name":           {URL: "host", Header: http.Header{"X Key:": {"s3cret"}}},
	}
	for name, options := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := NewClient(options)
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindBadOption || e.Detail == "" || e.Hint == "" {
				t.Fatalf("got %#v", err)
			}
			if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "t0ken") {
				t.Errorf("%q gives a secret away", err)
			}
		})
	}
}
