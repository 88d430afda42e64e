package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"culprit/diagnose"
	"culprit/tui"
)

// File is what a configuration file says. What it does not say is zero.
type File struct {
	// Path is where it was read; empty where there is none.
	Path string
	// Current is the name of the context that is used where none is asked for.
	Current  string
	Contexts []Context
	// Judge holds for every context; a context's own comes on top of it.
	Judge  Judge
	Screen Screen
}

// Context is a cluster, how to reach it and how to judge it.
type Context struct {
	Name string
	URL  string
	Job  string // id or name of the job to open
	User string
	// Password, Token and Headers say where the secrets are.
	Password, Token, Headers Secret
	CAFile                   string
	// Interval and Timeout are 0 where they are not set.
	Interval, Timeout time.Duration
	Judge             Judge
}

// Secret says where a secret is to be found: in a variable of the environment or in a file; the zero Secret
// is none.
type Secret struct{ Env, File string }

// Judge is what is said about the diagnosis.
type Judge struct {
	// Thresholds are pairs NAME=VALUE.
	Thresholds []string
	// Silence are names of rules to leave out.
	Silence []string
	// Retention is how long the log behind the sources keeps a record; 0 where it is not said.
	Retention time.Duration
}

// Screen is what is said about the screen.
type Screen struct {
	Theme      string
	ASCII, UTC bool
	// Mouse lets clicks select and the wheel scroll.
	Mouse bool
	// Notify is one of [tui.Notifications]; empty where it is not said.
	Notify string
	// Keys are the keys of the actions that have others than the table's.
	Keys map[tui.ActionID][]string
}

// leastInterval is the shortest time between two looks.
const leastInterval = 100 * time.Millisecond

// Parse reads the text of a file. Its error joins every [*Error] that is in it.
func Parse(path string, text []byte) (*File, error) {
	r := &reader{file: path}
	f := &File{Path: path}
	root, ok := r.root(text)
	if !ok {
		return f, r.err()
	}
	var current, keys node
	root.fields(slices.Concat([]field{
		{"current-context", func(n node) { f.Current, _ = n.text(); current = n }},
		{"contexts", func(n node) { f.readContexts(n) }},
		{"theme", func(n node) { n.word(&f.Screen.Theme, themeNames()) }},
		{"ascii", func(n node) { n.flag(&f.Screen.ASCII) }},
		{"utc", func(n node) { n.flag(&f.Screen.UTC) }},
		{"mouse", func(n node) { n.flag(&f.Screen.Mouse) }},
		{"notify", func(n node) { n.word(&f.Screen.Notify, tui.Notifications()) }},
		{"keys", func(n node) { f.readKeys(n); keys = n }},
	}, f.Judge.fields()))
	if _, ok := f.Context(f.Current); f.Current != "" && !ok {
		current.fail(fmt.Sprintf("no context is called %q", f.Current), advice(f.Current, f.ContextNames()))
	}
	f.checkClashes(keys)
	return f, r.err()
}

// Context returns the context of that name.
func (f *File) Context(name string) (*Context, bool) {
	for i := range f.Contexts {
		if f.Contexts[i].Name == name {
			return &f.Contexts[i], true
		}
	}
	return nil, false
}

// ContextNames are the names of the contexts, in the order of the file.
func (f *File) ContextNames() []string {
	out := make([]string, len(f.Contexts))
	for i := range f.Contexts {
		out[i] = f.Contexts[i].Name
	}
	return out
}

func (f *File) readContexts(n node) {
	n.each(func(name string, value node) {
		c, addressed := Context{Name: name}, false
		value.fields(slices.Concat([]field{
			{"url", func(n node) { c.readURL(n); addressed = true }},
			{"job", func(n node) { c.Job, _ = n.text() }},
			{"user", func(n node) { c.User, _ = n.text() }},
			{"password", func(n node) { c.Password.read(n) }},
			{"token", func(n node) { c.Token.read(n) }},
			{"headers", func(n node) { c.Headers.read(n) }},
			{"ca-file", func(n node) { c.CAFile, _ = n.text() }},
			{"interval", func(n node) { n.span(&c.Interval, leastInterval) }},
			{"timeout", func(n node) { n.span(&c.Timeout, leastInterval) }},
		}, c.Judge.fields()))
		if !addressed {
			value.fail("it has no url", "write the address of the JobManager: url: http://jobmanager:8081")
		}
		f.Contexts = append(f.Contexts, c)
	})
}

func (c *Context) readURL(n node) {
	text, ok := n.text()
	if !ok {
		return
	}
	full := text
	if !strings.Contains(full, "://") {
		full = "http://" + full
	}
	switch u, err := url.Parse(full); {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		n.fail("it is not an address", "write it like http://jobmanager:8081 or https://gateway/path/to/flink")
	case u.User != nil:
		n.fail("it holds a login", "write user: NAME and password: {file: PATH} or {env: NAME} beside it")
	default:
		c.URL = text
	}
}

func (s *Secret) read(n node) {
	if kind := kindOf(n.ast); kind != "a group of keys" {
		n.fail("a secret is not kept in this file", "say where it is: {file: PATH}, or {env: NAME} for a variable")
		return
	}
	n.fields([]field{
		{"env", func(n node) { s.Env, _ = n.text() }},
		{"file", func(n node) { s.File, _ = n.text() }},
	})
	if s.Env != "" && s.File != "" {
		n.fail("it names both a variable and a file", "keep one")
	}
}

func (j *Judge) fields() []field {
	return []field{
		{"retention", func(n node) { n.span(&j.Retention, time.Second) }},
		{"silence", func(n node) {
			for _, item := range n.texts() {
				j.silence(item)
			}
		}},
		{"thresholds", func(n node) {
			n.each(func(name string, value node) { j.threshold(name, value) })
		}},
	}
}

func (j *Judge) silence(n node) {
	name, ok := n.text()
	if !ok {
		return
	}
	o := diagnose.DefaultOptions()
	if err := o.Silence(name); err != nil {
		n.fail(err.Error(), "")
		return
	}
	j.Silence = append(j.Silence, name)
}

func (j *Judge) threshold(name string, n node) {
	var names []string
	for _, t := range diagnose.Thresholds() {
		names = append(names, t.Name)
	}
	if !slices.Contains(names, name) {
		n.fail("no threshold is called that", advice(name, names))
		return
	}
	value, ok := n.text()
	if !ok {
		return
	}
	o := diagnose.DefaultOptions()
	if err := o.SetThreshold(name, value); err != nil {
		n.fail(err.Error(), "")
		return
	}
	j.Thresholds = append(j.Thresholds, name+"="+value)
}

func themeNames() []string {
	var out []string
	for _, t := range tui.Themes() {
		out = append(out, t.Name)
	}
	return out
}
