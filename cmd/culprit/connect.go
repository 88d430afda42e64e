package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

const defaultURL = "http://localhost:8081"

// connection says how to reach a cluster: what the flags gave; the environment and a context of the
// configuration fill in the rest.
type connection struct {
	url          string // the context's
	interval     time.Duration
	timeout      time.Duration
	user         string
	passwordFile string
	tokenFile    string
	headerFile   string
	caFile       string
	// Variables of the environment that a context names.
	passwordEnv, tokenEnv, headerEnv string
}

const (
	defaultInterval = time.Second
	defaultTimeout  = 5 * time.Second
)

// openTaped returns a live source of the cluster, recorded where that is asked for, and the address that it
// asks. It sends nothing.
func (l *connection) openTaped(c console, args []string, tap *taping) (flinkapi.Source, string, error) {
	if l.interval != 0 && l.interval < 100*time.Millisecond {
		return nil, "", fmt.Errorf("--interval %s is too short: give 100ms or more", l.interval)
	}
	options, err := l.options(c, args)
	if err != nil {
		return nil, "", err
	}
	return connect(options, flinkapi.CollectorOptions{Clock: flinkapi.WallClock, Interval: l.pace()}, tap)
}

// connect returns the source of a cluster, recorded where that is asked for, and its address.
func connect(
	o flinkapi.Options, how flinkapi.CollectorOptions, tap *taping,
) (flinkapi.Source, string, error) {
	o.Stopwatch = flinkapi.WallClock
	plain, err := flinkapi.NewClient(o) // tells a wrong option before a file is made
	if err != nil {
		return nil, "", err
	}
	how.Signals, how.Settings = diagnose.Needs(), diagnose.Settings()
	if err = tap.begin(&o, &how, plain.Address()); err != nil {
		return nil, "", err
	}
	client, err := flinkapi.NewClient(o)
	if err != nil {
		return nil, "", err
	}
	return tap.source(flinkapi.NewCollector(client, how)), client.Address(), nil
}

// pace is the shortest time between two looks.
func (l *connection) pace() time.Duration {
	if l.interval == 0 {
		return defaultInterval
	}
	return l.interval
}

func (l *connection) options(c console, args []string) (flinkapi.Options, error) {
	if err := mistaken(firstOf(args)); err != nil {
		return flinkapi.Options{}, err
	}
	o := flinkapi.Options{
		URL:  first(firstOf(args), l.url, c.env("CULPRIT_URL"), defaultURL),
		User: first(l.user, c.env("CULPRIT_USER")), Timeout: l.timeout, Version: version(),
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	var err error
	if o.Password, err = secret(c, "CULPRIT_PASSWORD", l.passwordFile, l.passwordEnv); err != nil {
		return o, err
	}
	if o.Token, err = secret(c, "CULPRIT_TOKEN", l.tokenFile, l.tokenEnv); err != nil {
		return o, err
	}
	lines, err := secret(c, "CULPRIT_HEADERS", l.headerFile, l.headerEnv)
	if err != nil {
		return o, err
	}
	if o.Header, err = headers(lines); err != nil {
		return o, err
	}
	if path := first(l.caFile, c.env("CULPRIT_CA_FILE")); path != "" {
		if o.CA, err = os.ReadFile(path); err != nil {
			return o, fmt.Errorf("read the certificates: %w", err)
		}
	}
	return o, nil
}

// secret returns what a file holds, of the flag or of NAME_FILE in the environment, else the variable NAME
// itself. A variable that a context names comes before both, and must be set.
func secret(c console, name, file, variable string) (string, error) {
	if variable != "" {
		if text := c.env(variable); text != "" {
			return text, nil
		}
		return "", fmt.Errorf("the variable %s, which the context names, is not set", variable)
	}
	path := first(file, c.env(name+"_FILE"))
	if path == "" {
		return c.env(name), nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the file for %s: %w", name, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// headers reads one "Name: value" a line; empty lines are passed over.
func headers(text string) (http.Header, error) {
	out := http.Header{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("extra header, line %d: it has no \"Name: value\" form; write one header a line", n)
		}
		out.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return out, lines.Err()
}

func first(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
