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
	cmd := &cobra.Command{Use: "config", Short: "Check the configuration file, or print an example"}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "check [FILE]",
			Short: "Say what was understood of the configuration, without secrets",
			Long: `check reads FILE, or the configuration as every other command finds it, and prints what was
understood. It exits 3 when something in it is wrong.`,
			Args: cobra.MaximumNArgs(1),
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
			Use: "example", Short: "Print a configuration with every key, in comments", Args: cobra.NoArgs,
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
	var b strings.Builder
	if file.Path == "" {
		fmt.Fprintf(&b, "no configuration: there is none at %s\n", first(place, "any known place"))
		_, err := io.WriteString(out, b.String())
		return err
	}
	fmt.Fprintf(&b, "%s is fine\n", file.Path)
	fact := func(indent, name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s%-16s %s\n", indent, name, value)
		}
	}
	s := file.Screen
	fact("", "theme", s.Theme)
	fact("", "notify", s.Notify)
	fact("", "ascii", yes(s.ASCII))
	fact("", "utc", yes(s.UTC))
	if n := len(s.Keys); n > 0 {
		fact("", "keys", fmt.Sprintf("of %d actions are changed", n))
	}
	judge := func(indent string, j config.Judge) {
		fact(indent, "retention", span(j.Retention))
		fact(indent, "silence", strings.Join(j.Silence, ", "))
		fact(indent, "thresholds", strings.Join(j.Thresholds, ", "))
	}
	judge("", file.Judge)
	for i := range file.Contexts {
		x := &file.Contexts[i]
		mark := ""
		if x.Name == file.Current {
			mark = " (current)"
		}
		fmt.Fprintf(&b, "context %s%s\n", x.Name, mark)
		fact("  ", "url", x.URL)
		fact("  ", "job", x.Job)
		fact("  ", "user", x.User)
		fact("  ", "password", whereIs(x.Password))
		fact("  ", "token", whereIs(x.Token))
		fact("  ", "headers", whereIs(x.Headers))
		fact("  ", "ca-file", x.CAFile)
		fact("  ", "interval", span(x.Interval))
		fact("  ", "timeout", span(x.Timeout))
		judge("  ", x.Judge)
		for _, w := range x.Warnings() {
			fact("  ", "warning", w)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
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
