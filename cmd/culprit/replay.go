package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
	"culprit/tui"
)

func replayCommand(c console, conf *settings) *cobra.Command {
	var job string
	var speed float64
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Open the monitor on a recording",
		Long: `replay plays a recording of culprit record, or of --record, in the monitor: what was answered then is
diagnosed anew, by this version's rules. In scripts, culprit check --replay FILE tells the verdicts over
time.`,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(speed > 0) {
				return fmt.Errorf("--speed %g: give a number above 0, such as 10", speed)
			}
			return replay(cmd.Context(), c, conf, args[0], job, speed)
		},
	}
	conf.face.bind(cmd)
	c.journal.bind(cmd)
	cmd.Flags().StringVar(&job, "job", "", "id or name of the job to open")
	cmd.Flags().Float64Var(&speed, "speed", 1, "how many times faster than it was recorded it is played")
	return cmd
}

func replay(ctx context.Context, c console, conf *settings, file, job string, speed float64) error {
	if err := conf.fillJudge(c); err != nil {
		return err
	}
	recording, player, err := openRecording(file, speed, conf.tune.zone())
	if err != nil {
		return err
	}
	if failed := recording.Failure(); failed != nil {
		return errors.Join(nothingIn(recording, file, conf.tune.zone(), failed), recording.Close())
	}
	options, err := conf.tune.options()
	if err != nil {
		return errors.Join(err, recording.Close())
	}
	monitor := diagnose.NewMonitor(player, options)
	reel, err := newDeck(recording, player, monitor, options)
	if err != nil {
		return errors.Join(err, recording.Close())
	}
	err = showMonitor(ctx, c, shown{monitor, reel}, conf, tui.Options{
		Job: job, Mode: tui.ModeReplay, Target: spanText(recording, conf.tune.zone()) + ", " + filepath.Base(file),
		Clock: player.Now, Replay: reel,
	})
	return errors.Join(err, recording.Close())
}

// nothingIn says that a recording has no picture to show, and why.
func nothingIn(r *tape.Recording, file string, zone *time.Location, failed error) error {
	what := "its only look failed"
	if n := r.Len(); n > 1 {
		what = fmt.Sprintf("each of its %d looks failed", n)
	}
	return fmt.Errorf("there is nothing to see in %s, %s: %s: %w", file, spanText(r, zone), what, failed)
}

// openRecording opens a file and a source that plays it from its beginning.
func openRecording(
	file string, speed float64, zone *time.Location,
) (*tape.Recording, *tape.Player, error) {
	recording, err := tape.Open(file)
	if err != nil {
		return nil, nil, err
	}
	player, err := playerOf(recording, speed, zone)
	if err != nil {
		return nil, nil, errors.Join(err, recording.Close())
	}
	return recording, player, nil
}

func playerOf(recording *tape.Recording, speed float64, zone *time.Location) (*tape.Player, error) {
	return recording.Play(tape.PlayerOptions{
		Signals: diagnose.Needs(), Settings: diagnose.Settings(), Speed: speed, Zone: zone,
		Stopwatch: flinkapi.WallClock,
	})
}

const dayTime = "2006-01-02 15:04:05"

// spanText says from when to when a recording goes.
func spanText(r *tape.Recording, zone *time.Location) string {
	from, to := r.Span()
	from, to = from.In(zone), to.In(zone)
	until := to.Format(dayTime)
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		until = to.Format(time.TimeOnly)
	}
	return "recorded " + from.Format(dayTime) + " to " + until
}
