package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"culprit/cmd/culprit/config"
)

// takes makes a command say what it needs when it is given fewer arguments than least or more than most.
func takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		form := cmd.Use
		if cmd.HasParent() {
			form = cmd.Parent().CommandPath() + " " + form
		}
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing: write `%s`", strings.Fields(cmd.Use)[1+len(args)], form)
		case len(args) > most:
			return fmt.Errorf("%q is one too many: write `%s`", args[most], form)
		}
		return nil
	}
}

// takesURL is takes for the command without a name, whose argument may be another command that was mistyped.
// A name with a dot, a colon, a slash or a digit is one of a host.
func takesURL(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], ".:/0123456789") {
		return takes(0, 1)(cmd, args)
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if guess := meant(args[0], names); guess != "" {
		return fmt.Errorf("no command is called %q; did you mean %s? A host of that name is given as http://%s",
			args[0], guess, args[0])
	}
	return takes(0, 1)(cmd, args)
}

// takesCommand is for a command that does nothing by itself.
func takesCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return unknownName("command of "+cmd.CommandPath(), args[0], names, "there are "+strings.Join(names, ", "))
}

// helpCommand tells of a command as its --help does, and fails where there is none of that name.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, c := range found.Root().Commands() {
					if c.IsAvailableCommand() {
						names = append(names, c.Name())
					}
				}
				return unknownName("command", strings.Join(args, " "), names, "there are "+strings.Join(names, ", "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// apart refuses each pair of flags that is given together.
func apart(pairs ...[2]string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		for _, p := range pairs {
			if cmd.Flags().Changed(p[0]) && cmd.Flags().Changed(p[1]) {
				return fmt.Errorf("--%s and --%s exclude each other: give one of them", p[0], p[1])
			}
		}
		return nil
	}
}

// without is a flag that has no effect where another one is given, and why.
type without struct{ flag, beside, why string }

// idle refuses each flag that would have no effect.
func idle(cmd *cobra.Command, all ...without) error {
	for _, p := range all {
		if cmd.Flags().Changed(p.flag) && cmd.Flags().Changed(p.beside) {
			return fmt.Errorf("--%s has no effect beside --%s: %s", p.flag, p.beside, p.why)
		}
	}
	return nil
}

// simulates refuses the flags that say how to reach a cluster where a simulated one is watched.
func simulates(cmd *cobra.Command) error {
	for _, flag := range []string{
		"context", "user", "password-file", "token-file", "header-file", "ca-file", "timeout",
	} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s has no effect: the cluster is simulated, and nothing is connected to", flag)
		}
	}
	return nil
}

// effective refuses what would have no effect on a check, of a simulated cluster where demo names one.
func effective(cmd *cobra.Command, args []string, demo string) error {
	if demo == "" {
		return tapes(cmd)
	}
	if len(args) > 0 {
		return fmt.Errorf("%s has no effect beside --demo %s: the cluster is simulated", args[0], demo)
	}
	return errors.Join(simulates(cmd), tapes(cmd))
}

// tapes refuses the flags that say how a recording is written where none is.
func tapes(cmd *cobra.Command) error {
	for _, flag := range []string{"redact", "max-size"} {
		if cmd.Flags().Changed(flag) && !cmd.Flags().Changed("record") {
			return fmt.Errorf("--%s has no effect without --record FILE: nothing is recorded", flag)
		}
	}
	return nil
}

// inTurn returns a check of the command line that ends with the first error of some.
func inTurn(all ...func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		for _, check := range all {
			if err := check(cmd, args); err != nil {
				return err
			}
		}
		return nil
	}
}

// plainFlagError says in a sentence what is wrong with a flag, and what to do.
func plainFlagError(cmd *cobra.Command, err error) error {
	help := "`" + cmd.CommandPath() + " --help`"
	var (
		unknown *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		wrong   *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if guess := meant(unknown.GetSpecifiedName(), names); guess != "" {
			return fmt.Errorf("no flag is called --%s; did you mean --%s? %s lists them",
				unknown.GetSpecifiedName(), guess, help)
		}
		return fmt.Errorf("no flag is called --%s; %s lists them", unknown.GetSpecifiedName(), help)
	case errors.As(err, &unknown):
		return fmt.Errorf("no flag is called -%s; %s lists them", unknown.GetSpecifiedName(), help)
	case errors.As(err, &bare):
		return fmt.Errorf("--%s is given without a value: it takes %s", bare.GetFlag().Name, kindOf(bare.GetFlag()))
	case errors.As(err, &wrong):
		return fmt.Errorf("--%s: %q is not %s", wrong.GetFlag().Name, wrong.GetValue(), kindOf(wrong.GetFlag()))
	}
	return fmt.Errorf("%w; %s lists the flags", err, help)
}

// kindOf says what the value of a flag is.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a length of time, such as 90s or 5m"
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number, such as 2.5"
	}
	if name, _ := pflag.UnquoteUsage(f); name != "string" {
		return "a " + name
	}
	return "a value"
}

// unknownName is the error of a name that is none of names; all says where they are.
func unknownName(kind, name string, names []string, all string) error {
	if guess := meant(name, names); guess != "" {
		return fmt.Errorf("no %s is called %q; did you mean %s?", kind, name, guess)
	}
	return fmt.Errorf("no %s is called %q; %s", kind, name, all)
}

// meant is the name that one with a slip of the finger stands for: the nearest, or the only one that begins
// or ends like it. It is empty where there is none.
func meant(name string, names []string) string {
	const enough = 3 // letters that say something
	name = strings.ToLower(name)
	if len(name) < enough {
		return ""
	}
	var like []string
	for _, n := range names {
		if strings.HasPrefix(n, name) || strings.HasSuffix(n, name) {
			like = append(like, n)
		}
	}
	if near, ok := config.Nearest(name, slices.Clone(names)); ok && len(like) != 1 {
		return near
	}
	if len(like) == 1 {
		return like[0]
	}
	return ""
}

// lasting is a flag's length of time, of at least its least one.
type lasting struct {
	into  *time.Duration
	least time.Duration
}

// spanFlag adds a flag for a length of time above 0. Without it the value stays what it was.
func spanFlag(f *pflag.FlagSet, into *time.Duration, name, usage string) {
	f.Var(lasting{into: into, least: 1}, name, usage)
}

// boundFlag adds a flag for a length of time that bounds another one, where 0 bounds nothing.
func boundFlag(f *pflag.FlagSet, into *time.Duration, name, usage string) {
	f.Var(lasting{into: into}, name, usage)
}

func (s lasting) String() string {
	if s.into == nil || *s.into == 0 {
		return ""
	}
	return s.into.String()
}

// Type implements [pflag.Value]: the word that help shows for the value.
func (s lasting) Type() string { return "duration" }

// Set implements [pflag.Value].
func (s lasting) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < s.least {
		return errors.New("give a time such as 90s or 5m")
	}
	*s.into = d
	return nil
}
