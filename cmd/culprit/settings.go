package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"culprit/cmd/culprit/config"
	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/tui"
)

// settings are what the flags say, and the configuration file with the context of it that is used.
type settings struct {
	link          *connection
	tune          *tuning
	face          *face
	path, context string // what the flags say
	file          *config.File
	used          *config.Context // nil where the address was given without one
	asked         tuning          // what the flags say of the diagnosis
}

// bind adds the flags to a command and those below it.
func (s *settings) bind(cmd *cobra.Command) {
	s.link.bind(cmd)
	s.tune.bind(cmd)
	f := cmd.PersistentFlags()
	f.StringVar(&s.path, "config", "",
		"configuration `FILE` (CULPRIT_CONFIG); \"culprit config check\" says where it is looked for")
	f.StringVar(&s.context, "context", "", "context of the configuration, by its `NAME` (CULPRIT_CONTEXT)")
}

// read reads the configuration and chooses the context: the one that is asked for, else none where an address
// is given, else the current one. So a secret of a context is never sent to an address from elsewhere.
func (s *settings) read(c console, args []string) error {
	file, err := config.Load(first(s.path, c.env("CULPRIT_CONFIG")), c.env)
	if err != nil {
		return err
	}
	s.file = file
	name := s.context
	if name == "" && len(args) == 0 {
		name = c.env("CULPRIT_CONTEXT")
		if name == "" && c.env("CULPRIT_URL") == "" {
			name = file.Current
		}
	}
	if name == "" {
		return nil
	}
	used, ok := file.Context(name)
	if !ok {
		return noContext(name, file, config.Place(c.env))
	}
	s.used = used
	return nil
}

// noContext says that a configuration has no context of that name, and which it has.
func noContext(name string, file *config.File, place string) error {
	switch names := strings.Join(file.ContextNames(), ", "); {
	case file.Path == "":
		return fmt.Errorf("no context is called %q: there is no configuration at %s", name, place)
	case names == "":
		return fmt.Errorf("no context is called %q: %s has no contexts", name, file.Path)
	default:
		return fmt.Errorf("no context is called %q in %s; there are %s", name, file.Path, names)
	}
}

// fill reads the configuration and gives the flags what neither they nor the environment say.
func (s *settings) fill(c console, args []string) error {
	s.asked = *s.tune.copy()
	if err := s.read(c, args); err != nil {
		return err
	}
	if s.used != nil {
		s.link.take(c, s.used)
	}
	s.tune.take(s.file, s.used)
	return nil
}

// fillJudge is fill for a source that is no cluster: no context is used.
func (s *settings) fillJudge(c console) error {
	file, err := config.Load(first(s.path, c.env("CULPRIT_CONFIG")), c.env)
	if err != nil {
		return err
	}
	s.file = file
	s.tune.take(file, nil)
	return nil
}

// forCheck is fill for a program that has no screen, where warnings go to the error stream.
func (s *settings) forCheck(c console, args []string, simulated bool) error {
	if simulated {
		return s.fillJudge(c)
	}
	err := s.fill(c, args)
	for _, text := range s.warnings() {
		_, _ = fmt.Fprintf(c.err, "culprit: warning: %s\n", text) // nothing is left to say it to when this fails
	}
	return err
}

// job is the job to open: the flag's, else the context's.
func (s *settings) job(flag string) string {
	if flag == "" && s.used != nil {
		return s.used.Job
	}
	return flag
}

// warnings are what should be known of the context that is used.
func (s *settings) warnings() []string {
	if s.used == nil {
		return nil
	}
	return s.used.Warnings()
}

// take fills in what a context says of a cluster. Someone who signs in by a flag or the environment does so
// in full: nothing is mixed in.
func (l *connection) take(c console, from *config.Context) {
	set := func(flag, name string) bool { return flag != "" || c.env(name) != "" || c.env(name+"_FILE") != "" }
	l.url = from.URL
	signed := set(l.user, "CULPRIT_USER") || set(l.passwordFile, "CULPRIT_PASSWORD") ||
		set(l.tokenFile, "CULPRIT_TOKEN")
	if !signed {
		l.user = from.User
		l.passwordFile, l.passwordEnv = from.Password.File, from.Password.Env
		l.tokenFile, l.tokenEnv = from.Token.File, from.Token.Env
	}
	if !set(l.headerFile, "CULPRIT_HEADERS") {
		l.headerFile, l.headerEnv = from.Headers.File, from.Headers.Env
	}
	if !set(l.caFile, "CULPRIT_CA") {
		l.caFile = from.CAFile
	}
	if l.interval == 0 {
		l.interval = from.Interval
	}
	if l.timeout == 0 {
		l.timeout = from.Timeout
	}
}

// take fills in what the configuration says of the diagnosis; flags come last, so that they win.
func (t *tuning) take(file *config.File, used *config.Context) {
	judges := []config.Judge{file.Judge}
	if used != nil {
		judges = append(judges, used.Judge)
	}
	var thresholds []string
	for _, j := range judges {
		thresholds = append(thresholds, j.Thresholds...)
		t.silenced = append(t.silenced, j.Silence...)
	}
	t.file, t.filed = file.Path, len(thresholds)
	t.thresholds = append(thresholds, t.thresholds...)
	for i := len(judges) - 1; i >= 0 && t.retention == ""; i-- {
		t.retention = lengthText(judges[i].Retention)
	}
	t.utc = t.utc || file.Screen.UTC
}

// copy returns a tuning that can be filled in without changing t.
func (t *tuning) copy() *tuning {
	out := *t
	out.thresholds, out.silenced = slices.Clone(t.thresholds), slices.Clone(t.silenced)
	return &out
}

// targets are the clusters that the screen can switch to: the contexts, and before them the address on the
// screen where it is none of theirs. A context is reached by what it says itself, never by the secrets of the
// command line.
func (s *settings) targets(c console, args []string, address, job string, keep *keeper) []tui.Target {
	if len(s.file.Contexts) == 0 {
		return nil
	}
	var out []tui.Target
	if s.used == nil || len(args) > 0 {
		out = append(out, tui.Target{Name: "as given", URL: address, Job: job, Open: func() (tui.Monitor, error) {
			return keep.change(func(tap *taping) (tui.Monitor, error) { return s.link.monitor(c, args, s.tune, tap) })
		}})
	}
	for i := range s.file.Contexts {
		context := &s.file.Contexts[i]
		apart := apartFrom(c, context)
		link, judge := &connection{}, s.asked.copy()
		link.take(apart, context)
		judge.take(s.file, context)
		open := func() (tui.Monitor, error) {
			return keep.change(func(tap *taping) (tui.Monitor, error) { return link.monitor(apart, nil, judge, tap) })
		}
		out = append(out, tui.Target{
			Name: context.Name, URL: addressOf(context.URL), Job: context.Job, Open: open,
		})
	}
	return out
}

// apartFrom is the console without what its environment says of the cluster on the command line; the
// variables that a context names stay.
func apartFrom(c console, context *config.Context) console {
	named := []string{context.Password.Env, context.Token.Env, context.Headers.Env}
	apart := c
	apart.env = func(name string) string {
		if strings.HasPrefix(name, "CULPRIT_") && !slices.Contains(named, name) {
			return ""
		}
		return c.env(name)
	}
	return apart
}

// addressOf is an address as the client shows it.
func addressOf(url string) string {
	client, err := flinkapi.NewClient(flinkapi.Options{URL: url})
	if err != nil {
		return url
	}
	return client.Address()
}

// monitor returns a new monitor of the cluster.
func (l *connection) monitor(c console, args []string, tune *tuning, tap *taping) (tui.Monitor, error) {
	options, err := tune.options()
	if err != nil {
		return nil, err
	}
	source, _, err := l.openTaped(c, args, tap)
	if err != nil {
		return nil, err
	}
	return diagnose.NewMonitor(source, options), nil
}
