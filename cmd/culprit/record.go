package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
)

func recordCommand(c console, conf *settings) *cobra.Command {
	tap := &taping{}
	var job, demo string
	var span time.Duration
	cmd := &cobra.Command{
		Use:   "record [URL]",
		Short: "Write what the cluster answers to a file, to be replayed later or elsewhere",
		Long: `record watches the running jobs, or the one that --job names, as the monitor does, and writes every
answer to a file until it is stopped, --for is over or --max-size is reached. Secrets are never written; of
the cluster's configuration only what the rules read is. docs/recording.md describes the file.`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tap.file == "" {
				tap.file = "culprit-" + flinkapi.WallClock().UTC().Format("20060102-150405") + ".culprit"
			}
			if err := conf.forCheck(c, args, demo != ""); err != nil {
				return err
			}
			w, err := newWatch(c, conf, tap, args, demo)
			if err != nil {
				return err
			}
			if demo != "" && span == 0 {
				span = 10 * time.Minute // of simulated time, which passes at once
			}
			w.job, w.span = conf.job(job), span
			return w.record(cmd.Context(), c, tap)
		},
	}
	f := cmd.Flags()
	f.StringVar(&job, "job", "", "id or name of the job; without it all running jobs are recorded in turn")
	f.StringVarP(&tap.file, "output", "o", "", "`FILE` to write; without it culprit-DATE-TIME.culprit")
	spanFlag(f, &span, "for", "how long to record; without it until it is stopped")
	f.StringVar(&demo, "demo", "", "record a simulated cluster with this incident instead of a real one")
	tap.bindHow(cmd)
	return cmd
}

// record watches and says when the cluster stops to answer and when it answers again; the recording goes on
// meanwhile.
func (w *watch) record(ctx context.Context, c console, tap *taping) error {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(c.err, format+"\n", args...) }
	say("recording into %s; stop with ctrl+c", tap.file)
	w.begun = w.clock()
	told := ""
	for ctx.Err() == nil && (w.span <= 0 || w.clock().Sub(w.begun) < w.span) {
		obs, err := w.monitor.Step(ctx, diagnose.Ask{Name: w.job})
		if ctx.Err() == nil {
			w.answered(obs, err, say)
		}
		if err == nil && obs.Report != nil && obs.Report.Firm && verdictKey(obs.Report) != told {
			told = verdictKey(obs.Report)
			say("%s: %s", w.stamp(), obs.Report.Headline)
		}
		if tap.recorder.Err() != nil || w.obs == nil && w.hopeless() {
			break
		}
		w.pause(ctx, w.monitor.Wait())
	}
	return w.recorded(tap, say)
}

// answered notes how a step went, and says when the cluster stops to answer and when it answers again. The
// list of jobs alone is no answer where a job is asked for: the failure to find it goes on.
func (w *watch) answered(obs *diagnose.Observation, err error, say func(string, ...any)) {
	lost := w.failed
	if err == nil && lost != nil && w.job != "" && obs.Report == nil {
		w.obs = obs
		return
	}
	w.failed = err
	switch {
	case err == nil && lost != nil && w.obs != nil:
		say("%s: the cluster answers again", w.stamp())
	case err != nil && w.obs != nil && (lost == nil || lost.Error() != err.Error()):
		say("%s: %v; trying on", w.stamp(), err)
	}
	if err != nil {
		w.failures++
		return
	}
	w.obs = obs
	w.found = w.found || obs.Report != nil
}

func (w *watch) stamp() string { return w.clock().In(w.zone).Format(time.TimeOnly) }

// recorded ends the recording and says what there is.
func (w *watch) recorded(tap *taping, say func(string, ...any)) error {
	full := errors.Is(tap.recorder.Err(), tape.ErrFull)
	if err := tap.finish(); err != nil {
		return err
	}
	if tap.recorder.Seen() == 0 {
		return w.nothing(tap)
	}
	looks, size := tap.recorder.Size()
	span := w.clock().Sub(w.begun).Round(time.Second)
	if full {
		say("stopped: the recording has reached --max-size %s", tap.maxSize)
	}
	say("recorded %s, %s, %s: culprit replay %s", span, diagnose.FormatThings(looks, "looks"), byteText(size),
		quoted(tap.file))
	if w.job != "" && !w.found {
		return w.notFound()
	}
	return nil
}

// notFound is the error of a recording in which the job that was asked for is not.
func (w *watch) notFound() error {
	if w.failed == nil {
		return fmt.Errorf("the job %s was not looked into: it was stopped before the first look at it", w.job)
	}
	return fmt.Errorf("no job was looked into: %w", w.failed)
}

// nothing is the error of a recording that there is nothing in, and so no file of.
func (w *watch) nothing(tap *taping) error {
	if w.failed == nil {
		return fmt.Errorf("nothing was recorded of %s: it was stopped before the first answer", tap.target)
	}
	return fmt.Errorf("nothing was recorded of %s: %w", tap.target, w.failed)
}

// byteText writes a number of bytes with three digits.
func byteText(n int64) string {
	x, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for x >= 999.5 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	return fmt.Sprintf("%.3g %s", x, units[i])
}

// quoted makes a name safe for a shell.
func quoted(name string) string {
	if strings.ContainsAny(name, " \t'\"$`\\()&;|<>*?") {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}
