package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/tui"
)

// journal is the log of the live monitor: what the screen no longer shows once it is gone. It holds addresses
// without logins, names of jobs, and errors; never a header, a password or a token.
type journal struct {
	file string
	// path is where it is written, empty where it is not.
	path string
	log  *slog.Logger
	out  io.Closer
}

// logLimit is the size in bytes above which a log is set aside when the program starts; one older one is
// kept.
const logLimit = 1 << 20

// bind adds the flag to a command that shows the screen.
func (j *journal) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&j.file, "log", "",
		"write what the monitor meets to `FILE`, one JSON object a line, or to none of the name \"off\"; "+
			"without it to culprit/culprit.log in the user's cache folder")
}

// start opens the log and sets an old one aside. Only a file that was asked for must be writable.
func (j *journal) start() error {
	j.log = slog.New(slog.DiscardHandler)
	if j.file == "off" {
		return nil
	}
	path := j.file
	if path == "" {
		folder, err := os.UserCacheDir()
		if err != nil {
			return nil //nolint:nilerr // no home, no log
		}
		path = filepath.Join(folder, "culprit", "culprit.log")
	}
	out, err := openLog(path, j.file == "")
	switch {
	case err == nil:
		j.path, j.out, j.log = path, out, slog.New(slog.NewJSONHandler(out, nil))
	case j.file != "":
		return fmt.Errorf("--log: %w", err)
	}
	return nil
}

// openLog opens a log to add to, with its folder where that is the program's own.
func openLog(path string, ownFolder bool) (*os.File, error) {
	if ownFolder {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the log: %w", err)
		}
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > logLimit {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("set the old log aside: %w", err)
		}
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

// watch returns a monitor whose failures and changes of mind are logged.
func (j *journal) watch(m tui.Monitor) tui.Monitor { return &noted{Monitor: m, log: j.log} }

// end logs how the screen ended and closes the log. It returns what the user is to be told: where the details
// of a defect are, too.
func (j *journal) end(failure error) error {
	var defect *tui.Panicked
	switch {
	case errors.As(failure, &defect):
		j.log.Error("failed", "during", defect.During, "reason", defect.Reason, "stack", defect.Stack)
		if j.path != "" {
			failure = fmt.Errorf("%w; the details are in %s", failure, j.path)
		}
	case failure != nil:
		j.log.Warn("ended", "reason", failure.Error())
	default:
		j.log.Info("ended", "reason", "the user quit")
	}
	if j.out != nil {
		_ = j.out.Close() // the lines are written one by one before
	}
	return failure
}

// noted is a monitor that logs what changes.
type noted struct {
	tui.Monitor
	log *slog.Logger
	// failure and verdict are what was logged last, so that each is logged once.
	failure, verdict string
}

// Step steps the monitor.
func (n *noted) Step(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
	obs, err := n.Monitor.Step(ctx, ask)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil:
		if n.failure != err.Error() {
			n.failure = err.Error()
			n.log.Warn("no answer", "reason", n.failure)
		}
	case err == nil:
		if n.failure != "" {
			n.failure = ""
			n.log.Info("answers again")
		}
		n.note(obs)
	}
	return obs, err
}

// note logs a verdict that is another one than before.
func (n *noted) note(obs *diagnose.Observation) {
	if obs == nil || obs.Report == nil {
		return
	}
	r := obs.Report
	verdict := fmt.Sprint(r.Job.ID, r.Severity)
	who, why := []string{}, []string{}
	for _, c := range r.Culprits {
		who, why = append(who, c.Vertex.Name), append(why, c.Reason.Name)
	}
	if r.State != nil {
		why = append(why, r.State.Rule)
	}
	if verdict += fmt.Sprint(who, why); verdict == n.verdict {
		return
	}
	n.verdict = verdict
	n.log.Info("verdict", "job", r.Job.Name, "job_id", string(r.Job.ID), "severity", r.Severity.String(),
		"culprits", who, "reasons", why, "headline", r.Headline)
}
