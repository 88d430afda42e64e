package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// console is what the program has of the outside: its streams, its environment and its log.
type console struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	journal  *journal
}

// The exit codes, by the convention of monitoring plugins; a wrong use of the command line counts as unknown.
const (
	exitOK      = 0
	exitUnknown = 3
)

// exitCode is an error that ends the program with a code and prints nothing: what was to say has been said.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, c console) int {
	root := rootCommand(c)
	root.SetArgs(args)
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	return c.exit(root.ExecuteContext(ctx))
}

// exit says what is still to be said of how the program ended, and returns the exit code.
func (c console) exit(err error) int {
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	}
	_, _ = fmt.Fprintf(c.err, "culprit: %v\n", err) // nothing is left to say it to when this fails
	var signal endedBy
	if errors.As(err, &signal) {
		return signal.code()
	}
	return exitUnknown
}

func rootCommand(c console) *cobra.Command {
	c.journal = &journal{}
	conf := &settings{link: &connection{}, tune: &tuning{}, face: &face{}}
	tap := &taping{}
	var job string
	root := &cobra.Command{
		Use:   "culprit [URL]",
		Short: "Name the operator that holds an Apache Flink job back",
		Long: `culprit watches an Apache Flink job and names the one operator that is slow by itself, why it is
slow, and the fix that belongs to it. It only reads: every request is a GET to a fixed list of paths.

URL is the JobManager's REST address, or a proxy's with any path before Flink's own. Without it CULPRIT_URL is
used, else the current context of the configuration, else http://localhost:8081.`,
		Args:          takesURL,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := conf.fill(c, args); err != nil {
				return err
			}
			return live(cmd.Context(), c, conf, tap, args, conf.job(job))
		},
	}
	root.SetFlagErrorFunc(plainFlagError)
	root.Flags().StringVar(&job, "job", "", "id or name of the job to open")
	tap.bind(root)
	tap.bindSpool(root)
	conf.bind(root)
	conf.face.bind(root)
	c.journal.bind(root)
	root.SetHelpCommand(helpCommand())
	root.AddCommand(
		checkCommand(c, conf), recordCommand(c, conf), replayCommand(c, conf),
		compareCommand(c, conf), bundleCommand(c, conf),
		demoCommand(c, conf), configCommand(c, conf), explainCommand(c), docsCommand(),
	)
	return root
}

// bind adds the flags that say how to reach a cluster to a command and those below it.
func (l *connection) bind(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	spanFlag(f, &l.interval, "interval", "shortest time between two looks at the job (default 1s)")
	spanFlag(f, &l.timeout, "timeout", "longest time to wait for one answer (default 5s)")
	f.StringVar(
		&l.user,
		"user",
		"",
		"user for basic authentication (CULPRIT_USER); its password comes from CULPRIT_PASSWORD or a file",
	)
	f.StringVar(&l.passwordFile, "password-file", "", "file that holds the password (CULPRIT_PASSWORD_FILE)")
	f.StringVar(
		&l.tokenFile,
		"token-file",
		"",
		"file that holds a bearer token (CULPRIT_TOKEN_FILE; the token itself: CULPRIT_TOKEN)",
	)
	f.StringVar(
		&l.headerFile,
		"header-file",
		"",
		"file of extra headers, one \"Name: value\" a line (CULPRIT_HEADERS_FILE, or the lines in CULPRIT_HEADERS)",
	)
	f.StringVar(
		&l.caFile,
		"ca-file",
		"",
		"file of PEM certificates to trust beside the system's (CULPRIT_CA_FILE)",
	)
}

// version is the module's version as the build recorded it, else the revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
