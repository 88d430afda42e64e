package flinkapi

import (
	"net/url"
	"strings"
)

// address is where a cluster answers, without a login.
type address struct {
	scheme string
	host   string // with the port, where one was given
	prefix string // escaped path before Flink's own paths, without a slash at its end; may be empty
}

func (a address) String() string { return a.scheme + "://" + a.host + a.prefix }

// parseAddress reads what a person types or pastes: the scheme may be left out, a browser's fragment is
// dropped, and a path is a prefix that a proxy asks for. The login of the form user:password@ is handed
// back apart.
func parseAddress(text string) (address, *url.Userinfo, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return address{}, nil, badAddress("it is empty")
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		// The parser's own words may hold a piece of the password.
		return address{}, nil, badAddress("it cannot be read as a URL")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	prefix := strings.TrimRight(u.EscapedPath(), "/")
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return address{}, nil, badAddress("its scheme is " + Sanitize(u.Scheme) + ", not http or https")
	case u.Hostname() == "":
		return address{}, nil, badAddress("it names no host")
	case u.RawQuery != "":
		return address{}, nil, badAddress("it carries parameters after a question mark")
	case strings.Contains(prefix+"/", "/../") || strings.Contains(prefix+"/", "/./"):
		return address{}, nil, badAddress("its path steps up or stays with dots")
	}
	return address{scheme: u.Scheme, host: u.Host, prefix: prefix}, u.User, nil
}

func badAddress(why string) error {
	return &Error{
		Op: "use the address", Kind: KindBadOption, Detail: why,
		Hint: "write it like http://jobmanager:8081 or https://gateway/path/to/flink",
	}
}
