package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
)

// replayed is what the flags say about a check of a recording.
type replayed struct {
	file, job string
	last      bool
}

func (r *replayed) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.file, "replay", "",
		"tell the verdicts over the time of the recording in this `FILE`; "+
			"the exit code is that of the worst firm one")
	cmd.Flags().BoolVar(&r.last, "last", false,
		"with --replay: tell the verdict at its end alone, as a check does, and exit by it")
}

// whole refuses --last where nothing is replayed.
func (r *replayed) whole(*cobra.Command, []string) error {
	if r.last && r.file == "" {
		return errors.New("--last is about a recording: give it with --replay FILE")
	}
	return nil
}

// check reads a whole recording and prints the verdicts over its time, or the last one.
func (r *replayed) check(ctx context.Context, c console, conf *settings, format string) error {
	tell, err := storyPrinter(format)
	if err != nil {
		return err
	}
	if err = conf.fillJudge(c); err != nil {
		return err
	}
	options, err := conf.tune.options()
	if err != nil {
		return err
	}
	recording, player, err := openRecording(r.file, 1, conf.tune.zone())
	if err != nil {
		return err
	}
	defer func() { _ = recording.Close() }()
	s := newStory(recording, r.file, conf.tune.zone())
	monitor := diagnose.NewMonitor(player, options)
	if r.last {
		return r.tellLast(ctx, c, s, player, monitor, format)
	}
	if err = r.play(ctx, s, player, monitor); err != nil {
		return err
	}
	if s.close(player); format == "json" { // the other formats have a place for the notes
		s.warn(c)
	}
	return tell(c.out, s)
}

// warn says beside the output what is the matter with the file.
func (s *story) warn(c console) {
	for _, note := range s.notes {
		_, _ = fmt.Fprintf(c.err, "culprit: note: %s\n", note)
	}
}

// play tells a story from its beginning to its end.
func (r *replayed) play(ctx context.Context, s *story, player *tape.Player, monitor *diagnose.Monitor) error {
	ask := diagnose.Ask{Name: r.job}
	for {
		obs, err := monitor.Step(ctx, ask)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("read the recording: %w", ctx.Err())
		}
		s.take(player.Now(), obs, err)
		if ask.Job = ""; err == nil && r.job == "" {
			ask.Job = overAhead(player, obs)
		}
	}
}

// overAhead is the job that the recorded watch looked into next because none ran any more; empty for none.
func overAhead(player *tape.Player, obs *diagnose.Observation) flinkapi.JobID {
	next, more := player.Ahead()
	if !more || next.Turn || !slices.Contains(overJobs(obs.Jobs), next.Job) {
		return ""
	}
	return next.Job
}

// tellLast takes the looks as the recorded check took them and prints what it found.
func (r *replayed) tellLast(
	ctx context.Context, c console, s *story, player *tape.Player,
	monitor *diagnose.Monitor, format string,
) error {
	write, err := printer(format)
	if err != nil {
		return err
	}
	w := &watch{monitor: monitor, job: r.job, zone: s.zone, clock: player.Now}
	w.begin(s.from)
	begun, _ := player.Ahead()
	for !w.ended && ctx.Err() == nil {
		job := flinkapi.JobID("")
		if w.job == "" && w.obs != nil && w.failed == nil {
			job = overAhead(player, w.obs)
		}
		if job == "" {
			w.step(ctx)
		} else {
			w.lookOver(ctx, job)
		}
		if next, more := player.Ahead(); more && w.job == "" && !begun.Turn && !next.Turn {
			w.job = string(next.Job) // the watch was of one job, by its name, from its beginning
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("read the recording: %w", ctx.Err())
	}
	s.close(player)
	s.warn(c)
	return write(c.out, w.conclude())
}
