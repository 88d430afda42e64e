package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/cmd/culprit/config"
)

// configCommand checks and explains the configuration file.
func configCommand(c console, conf *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Check the configuration file, or print an example", Args: takesCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "check [FILE]",
			Short: "Say what was understood of the configuration, without secrets",
			Long: `check reads FILE, or the configuration as every other command finds it, and prints what was
understood. It exits 3 when something in it is wrong.`,
			Args: takes(0, 1),
			RunE: func(_ *cobra.Command, args []string) error {
				path := first(firstOf(args), conf.path, c.env("CULPRIT_CONFIG"))
				file, err := config.Load(path, c.env)
				if err != nil {
					return err
				}
				return writeConfig(c.out, file, config.Place(c.env))
			},
		},
		&cobra.Command{
			Use: "example", Short: "Print a configuration with every key, in comments", Args: takes(0, 0),
			RunE: func(*cobra.Command, []string) error {
				_, err := io.WriteString(c.out, config.Example())
				return err
			},
		},
	)
	return cmd
}

// writeConfig prints what a file says. Secrets are not in it, only where they are.
func writeConfig(out io.Writer, file *config.File, place string) error {
	if file.Path == "" {
		_, err := fmt.Fprintf(out, "no configuration: there is none at %s\n", first(place, "any known place"))
		return err
	}
	var p facts
	p.WriteString(file.Path + " is fine\n")
	s := file.Screen
	p.fact("", "theme", s.Theme)
	p.fact("", "notify", s.Notify)
	p.fact("", "ascii", yes(s.ASCII))
	p.fact("", "utc", yes(s.UTC))
	p.fact("", "mouse", yes(s.Mouse))
	if n := len(s.Keys); n > 0 {
		p.fact("", "keys", fmt.Sprintf("of %d actions are changed", n))
	}
	p.judge("", file.Judge)
	for i := range file.Contexts {
		p.context(&file.Contexts[i], file.Current)
	}
	_, err := io.WriteString(out, p.String())
	return err
}

// facts is a text of one fact a line.
type facts struct{ strings.Builder }

// fact adds one, unless it is empty.
func (p *facts) fact(indent, name, value string) {
	if value != "" {
		const column = 16
		p.WriteString(indent + name + strings.Repeat(" ", max(column-len(name), 0)+1) + value + "\n")
	}
}

func (p *facts) judge(indent string, j config.Judge) {
	p.fact(indent, "retention", span(j.Retention))
	p.fact(indent, "silence", strings.Join(j.Silence, ", "))
	p.fact(indent, "thresholds", strings.Join(j.Thresholds, ", "))
}

func (p *facts) context(x *config.Context, current string) {
	const indent = "  "
	mark := ""
	if x.Name == current {
		mark = " (current)"
	}
	p.WriteString("context " + x.Name + mark + "\n")
	p.fact(indent, "url", x.URL)
	p.fact(indent, "job", x.Job)
	p.fact(indent, "user", x.User)
	p.fact(indent, "password", whereIs(x.Password))
	p.fact(indent, "token", whereIs(x.Token))
	p.fact(indent, "headers", whereIs(x.Headers))
	p.fact(indent, "ca-file", x.CAFile)
	p.fact(indent, "interval", span(x.Interval))
	p.fact(indent, "timeout", span(x.Timeout))
	p.judge(indent, x.Judge)
	for _, w := range x.Warnings() {
		p.fact(indent, "warning", w)
	}
}

func yes(is bool) string {
	if is {
		return "true"
	}
	return ""
}

func span(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// whereIs says where a secret is.
func whereIs(s config.Secret) string {
	switch {
	case s.Env != "":
		return "in the variable " + s.Env
	case s.File != "":
		return "in the file " + s.File
	}
	return ""
}
