package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi/tape"
	"culprit/tui"
)

// comparing is what the flags of compare say.
type comparing struct {
	job, at, before, after, format string
	// cut is where the time before --at ends, when that is before a restart; zero where it is at that moment.
	cut time.Time
}

func compareCommand(c console, conf *settings) *cobra.Command {
	var o comparing
	cmd := &cobra.Command{
		Use:   "compare BEFORE [AFTER]",
		Short: "Say whether a fix helped, by two recordings or two spans of one",
		Long: `compare says whether a job does better after a change than before it, or whether its bottleneck has
moved, from two recordings, or from one that has both. It exits 0, 1 when it is worse, and 3 when that
cannot be told.`,
		Example: "  culprit compare monday.culprit tuesday.culprit\n" +
			"  culprit compare incident.culprit --at 14:03\n" +
			"  culprit compare incident.culprit --before 14:00..14:03 --after 14:10..14:20",
		Args: takes(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := comparisonPrinter(o.format)
			if err != nil {
				return err
			}
			if err = conf.fillJudge(c); err != nil {
				return err
			}
			found, err := o.compare(cmd.Context(), conf, args)
			if err != nil {
				return err
			}
			if !o.cut.IsZero() {
				_, _ = fmt.Fprintf(c.err, "culprit: note: before ends at %s, ahead of the restart just before %s\n",
					o.cut.In(conf.tune.zone()).Format(time.TimeOnly), o.at)
			}
			return write(c.out, found, conf.tune.zone())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.job, "job", "", "id or name of the job, where several were recorded")
	f.StringVar(&o.at, "at", "",
		"compare what comes after this `TIME` of the one recording with what was before it")
	f.StringVar(&o.before, "before", "", "the `SPAN` before, such as 14:00..14:03; either end may be left out")
	f.StringVar(&o.after, "after", "", "the `SPAN` after")
	f.StringVar(&o.format, "format", "text", "text, json or markdown")
	cmd.PreRunE = apart([2]string{"at", "before"}, [2]string{"at", "after"})
	return cmd
}

// compare reads the recordings.
func (o *comparing) compare(
	ctx context.Context, conf *settings, files []string,
) (*diagnose.Comparison, error) {
	before, after := side{o.before, "--before " + o.before}, side{o.after, "--after " + o.after}
	switch {
	case o.at != "" && len(files) > 1:
		return nil, errors.New("--at is a moment of one recording: give no second file")
	case o.at != "":
		before, after = side{".." + o.at, "--at " + o.at}, side{o.at + "..", "--at " + o.at}
	case len(files) == 1 && (o.before == "" || o.after == ""):
		return nil, errors.New("say what to compare: a second recording, --at TIME, or both --before and --after")
	}
	first, err := o.samples(ctx, conf, files[0], before)
	if err != nil {
		return nil, err
	}
	second, err := o.samples(ctx, conf, files[len(files)-1], after)
	if err != nil {
		return nil, err
	}
	if o.at != "" {
		first = o.aheadOfRestart(first)
	}
	if sameSpan(first, second) {
		return nil, errors.New("both are the same time of the same job, which tells nothing: " +
			"give two recordings, --at TIME of one, or --before and --after")
	}
	one := files[0] == files[len(files)-1]
	if from, to, overlap := shared(first, second); one && overlap {
		return nil, fmt.Errorf("before and after overlap from %s to %s, which would be compared with itself: "+
			"give two times of the job that lie apart", from.In(conf.tune.zone()).Format(dayTime),
			to.In(conf.tune.zone()).Format(dayTime))
	}
	found := diagnose.Compare(first, second)
	return &found, nil
}

// aheadOfRestart leaves out the end of what was before a moment where the job restarted just then.
func (o *comparing) aheadOfRestart(before []diagnose.Sample) []diagnose.Sample {
	usable := diagnose.BeforeRestart(before)
	if len(usable) < len(before) {
		o.cut = usable[len(usable)-1].At
	}
	return usable
}

// shared is the time that two lists of samples, none empty, share of one job. A moment that ends the one and
// begins the other is none.
func shared(a, b []diagnose.Sample) (from, to time.Time, overlap bool) {
	from, to = a[0].At, a[len(a)-1].At
	if b[0].At.After(from) {
		from = b[0].At
	}
	if last := b[len(b)-1].At; last.Before(to) {
		to = last
	}
	return from, to, a[0].Job.ID == b[0].Job.ID && from.Before(to)
}

// side is one side of a comparison: the span of a recording, and how it was asked for.
type side struct{ span, said string }

// sameSpan tells whether two lists of samples, none empty, are of the same looks at the same job.
func sameSpan(a, b []diagnose.Sample) bool {
	return slices.EqualFunc(a, b, func(x, y diagnose.Sample) bool {
		return x.Job.ID == y.Job.ID && x.At.Equal(y.At)
	})
}

// samples plays a recording and returns what a comparison keeps of a span.
func (o *comparing) samples(
	ctx context.Context, conf *settings, file string, asked side,
) ([]diagnose.Sample, error) {
	options, err := conf.tune.options()
	if err != nil {
		return nil, err
	}
	recording, player, err := openRecording(file, 1, conf.tune.zone())
	if err != nil {
		return nil, err
	}
	defer func() { _ = recording.Close() }()
	from, to, err := spanOf(asked.span, recording, conf.tune.zone())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", asked.said, err)
	}
	kept := map[string][]diagnose.Sample{}
	monitor := diagnose.NewMonitor(player, options)
	for !player.Now().After(to) {
		obs, err := monitor.Step(ctx, diagnose.Ask{Name: o.job})
		if errors.Is(err, io.EOF) {
			break
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read the recording: %w", ctx.Err())
		}
		if err != nil || obs.At.Before(from) || obs.At.After(to) {
			continue // a failure that was recorded says nothing of the job
		}
		if s, ok := diagnose.SampleOf(obs); ok {
			kept[s.Job.Name] = diagnose.KeepSample(kept[s.Job.Name], s)
		}
	}
	switch names := slices.Sorted(maps.Keys(kept)); len(names) {
	case 0:
		return nil, fmt.Errorf("%s: no job was diagnosed from %s to %s", file,
			from.In(conf.tune.zone()).Format(dayTime),
			to.In(conf.tune.zone()).Format(dayTime))
	case 1:
		return kept[names[0]], nil
	default:
		return nil, fmt.Errorf("%s has several jobs: give --job one of %s", file, strings.Join(names, ", "))
	}
}

// spanOf reads a span of a recording, FROM..TO, either of which may be empty; all of it where it is empty.
func spanOf(text string, r *tape.Recording, zone *time.Location) (from, to time.Time, err error) {
	from, to = r.Span()
	if text == "" {
		return from, to, nil
	}
	first, last, ok := strings.Cut(text, "..")
	if !ok {
		return from, to, errors.New("give a span such as 14:00..14:10")
	}
	begin, end := from, to
	for i, side := range []struct {
		text string
		at   *time.Time
	}{{first, &from}, {last, &to}} {
		if side.text == "" {
			continue
		}
		if *side.at, ok = tui.ReadMoment(side.text, end, begin, zone); !ok {
			return from, to, fmt.Errorf("%q is no time: give one such as 14:03, 14:03:20 or -5m", side.text)
		}
		outside := side.at.Before(begin.Truncate(time.Minute)) || side.at.After(end.Add(time.Minute))
		// A whole minute may reach over an end, but not lie beyond it.
		if beyond := i == 0 && side.at.After(end) || i == 1 && side.at.Before(begin); outside || beyond {
			return from, to, fmt.Errorf("%s was not recorded: the recording goes from %s to %s", side.text,
				begin.In(zone).Format(dayTime), end.In(zone).Format(dayTime))
		}
	}
	if !from.Before(to) {
		return from, to, errors.New("it ends before it begins")
	}
	return from, to, nil
}
