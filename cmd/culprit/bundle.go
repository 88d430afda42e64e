package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
	"culprit/tui"
	"culprit/tui/svg"
)

func bundleCommand(c console, conf *settings) *cobra.Command {
	tap := &taping{}
	var job, output, demo string
	span := 2 * time.Minute
	cmd := &cobra.Command{
		Use:   "bundle [URL|FILE]",
		Short: "Make one file for a ticket: recording, verdict, screen, versions",
		Long: `bundle watches a cluster for --for, or takes a recording that is there, and puts into one zip file
what somebody else needs to look into it: the recording, the verdict as Markdown, the screen as text and as a
picture, and the versions. All of it is made from the recording, so nothing is in it that is hidden there.`,
		Example: "  culprit bundle http://jobmanager:8081 -o ticket.zip\n  culprit bundle incident.culprit",
		Args:    takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if info, err := os.Stat(firstOf(args)); err == nil && info.Mode().IsRegular() {
				if err := conf.fillJudge(c); err != nil {
					return err
				}
				return intoBundle(output, func(file *os.File) error {
					return bundleOf(cmd.Context(), c, conf, tap, args[0], job, file)
				})
			}
			if err := conf.forCheck(c, args, demo != ""); err != nil {
				return err
			}
			return intoBundle(output, func(file *os.File) error {
				return watchAndBundle(cmd.Context(), c, conf, tap, args, demo, conf.job(job), span, file)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&job, "job", "", "id or name of the job on the screen")
	f.StringVarP(&output, "output", "o", "", "`FILE` to write; without it culprit-DATE-TIME.zip")
	spanFlag(f, &span, "for", "how long to watch a cluster")
	f.StringVar(&demo, "demo", "", "watch a simulated cluster with this incident instead of a real one")
	tap.bindHow(cmd)
	return cmd
}

// intoBundle opens the file of a bundle before anything is watched for it, lest that be lost, and has it
// written. An empty output is a name by the time of the day. A file that cannot be finished is removed.
func intoBundle(output string, write func(*os.File) error) error {
	var file *os.File
	open := func(path string) (err error) {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	}
	var err error
	if output != "" {
		err = open(output)
	} else {
		_, err = place(".zip", flinkapi.WallClock(), open)
	}
	if err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	err = write(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// bundleOf makes a bundle of a recording, of which the names are hidden first where that is asked for.
func bundleOf(
	ctx context.Context, c console, conf *settings, tap *taping, recorded, job string, file *os.File,
) error {
	if err := tap.knownRedact(); err != nil {
		return err
	}
	recording, _, err := openRecording(recorded, 1, conf.tune.zone())
	if err != nil {
		return err
	}
	defer func() { _ = recording.Close() }()
	if tap.redact != "names" || recording.NamesHidden() {
		return makeBundle(ctx, c, conf, recorded, job, file)
	}
	folder, err := os.MkdirTemp("", "culprit-bundle-")
	if err != nil {
		return fmt.Errorf("make a folder for the recording: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	hidden := filepath.Join(folder, recordingInBundle)
	out, err := tape.Create(hidden)
	if err != nil {
		return err
	}
	if err = errors.Join(recording.HideNames(out, diagnose.Settings()), out.Close()); err != nil {
		return err
	}
	if job, err = idIn(ctx, recording, job); err != nil {
		return err
	}
	return makeBundle(ctx, c, conf, hidden, job, file)
}

// idIn is the id of a job in a recording, which stays where its name is hidden; empty of an empty name.
func idIn(ctx context.Context, recording *tape.Recording, name string) (string, error) {
	player, err := playerOf(recording, 1, time.UTC)
	if err != nil || name == "" {
		return "", err
	}
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	for {
		obs, err := monitor.Step(ctx, diagnose.Ask{})
		switch {
		case errors.Is(err, io.EOF):
			return "", fmt.Errorf("no job %s was recorded", name)
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil:
			continue // a failure that was recorded
		}
		for _, line := range obs.Jobs {
			if id, err := flinkapi.FindJob([]flinkapi.JobSummary{line.Job}, name); err == nil {
				return string(id), nil
			}
		}
	}
}

// watchAndBundle records a cluster into a folder of its own, and makes a bundle of that.
func watchAndBundle(
	ctx context.Context, c console, conf *settings, tap *taping, args []string, demo, job string,
	span time.Duration, file *os.File,
) error {
	folder, err := os.MkdirTemp("", "culprit-bundle-")
	if err != nil {
		return fmt.Errorf("make a folder for the recording: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	tap.file = filepath.Join(folder, recordingInBundle)
	w, err := newWatch(c, conf, tap, args, demo)
	if err != nil {
		return err
	}
	w.job, w.span = job, span
	_, _ = fmt.Fprintf(c.err, "watching for %s; ctrl+c makes the bundle of what was seen until then\n", span)
	quiet := c
	quiet.err = io.Discard // the bundle tells it all
	if err = w.record(ctx, quiet, tap); err != nil {
		return err
	}
	if tap.redact == "names" {
		if job, err = w.idSeen(); err != nil {
			return err
		}
	}
	return makeBundle(context.WithoutCancel(ctx), c, conf, tap.file, job, file)
}

// idSeen is the id of the job that was watched, which stays where its name is hidden; empty where none was
// asked for.
func (w *watch) idSeen() (string, error) {
	if w.job == "" {
		return "", nil
	}
	var jobs []flinkapi.JobSummary
	if w.obs != nil {
		if w.obs.Report != nil {
			return string(w.obs.Report.Job.ID), nil
		}
		for _, line := range w.obs.Jobs {
			jobs = append(jobs, line.Job)
		}
	}
	id, err := flinkapi.FindJob(jobs, w.job)
	return string(id), err
}

// makeBundle makes the bundle of a recording and says so.
func makeBundle(
	ctx context.Context, c console, conf *settings, recording, job string, file *os.File,
) error {
	b := bundling{conf.tune, recording, job}
	if err := b.write(ctx, file); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("look at the bundle: %w", err)
	}
	_, err = fmt.Fprintf(c.out, "%s, %s: look through it before you publish it\n", file.Name(),
		byteText(info.Size()))
	return err
}

// The files of a bundle.
const (
	recordingInBundle = "recording.culprit"
	verdictInBundle   = "verdict.md"
	textInBundle      = "screen.txt"
	pictureInBundle   = "screen.svg"
	evidenceInBundle  = "evidence.txt"
	versionsInBundle  = "versions.txt"
	readmeInBundle    = "README.txt"
)

// bundling is what a bundle is made of: a recording, by the rules and in the zone of a tuning, with a job, by
// its id or name, on the screen; an empty one is that of the screen.
type bundling struct {
	tune           *tuning
	recording, job string
}

func (b *bundling) write(ctx context.Context, out io.Writer) error {
	recording, player, err := openRecording(b.recording, 1, b.tune.zone())
	if err != nil {
		return err
	}
	defer func() { _ = recording.Close() }()
	s := newStory(recording, recordingInBundle, b.tune.zone())
	pages, err := b.play(ctx, recording, player, s)
	if err != nil {
		return err
	}
	s.close(player)
	pages[verdictInBundle] = s.page()
	pages[versionsInBundle] = versionsText(recording, s)
	pages[readmeInBundle] = readmeText(recording, s)
	archive := zip.NewWriter(out)
	made := flinkapi.WallClock()
	for _, name := range []string{
		readmeInBundle, verdictInBundle, textInBundle, pictureInBundle, evidenceInBundle, versionsInBundle,
	} {
		head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made}
		var w io.Writer
		if w, err = archive.CreateHeader(head); err == nil {
			_, err = io.WriteString(w, pages[name])
		}
		if err != nil {
			return err
		}
	}
	w, err := archive.CreateHeader(&zip.FileHeader{Name: recordingInBundle, Method: zip.Store, Modified: made})
	if err != nil {
		return err
	}
	if err := copyFrom(w, b.recording); err != nil {
		return err
	}
	return archive.Close()
}

// copyFrom writes a file to w.
func copyFrom(w io.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	_, err = io.Copy(w, in)
	return err
}

// telling is a monitor that tells a story of what it sees.
type telling struct {
	tui.Monitor
	player *tape.Player
	story  *story
	ended  bool
}

// Step steps the monitor.
func (t *telling) Step(ctx context.Context, ask diagnose.Ask) (*diagnose.Observation, error) {
	obs, err := t.Monitor.Step(ctx, ask)
	if t.ended = errors.Is(err, io.EOF); !t.ended && ctx.Err() == nil {
		t.story.take(t.player.Now(), obs, err)
	}
	return obs, err
}

// The size of the screen in a bundle, in cells.
const bundleWidth, bundleHeight = 120, 40

// play plays a recording to its end, and draws the screen as it then is.
func (b *bundling) play(
	ctx context.Context, recording *tape.Recording, player *tape.Player, s *story,
) (pages map[string]string, err error) {
	options, err := b.tune.options()
	if err != nil {
		return nil, err
	}
	inner := diagnose.NewMonitor(player, options)
	monitor := &telling{Monitor: inner, player: player, story: s}
	reel, err := newDeck(recording, player, inner, options)
	if err != nil {
		return nil, err
	}
	still := tui.NewStill(ctx, tui.Options{
		Monitor: monitor, Job: b.job, Mode: tui.ModeReplay, Zone: b.tune.zone(), Clock: player.Now,
		Target: spanText(recording, b.tune.zone()), Width: bundleWidth, Height: bundleHeight,
		Replay: reel,
		Look:   tui.Look{Profile: termenv.TrueColor, Dark: true},
	})
	for !monitor.ended {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		_ = still.Step() // a failure that was recorded is part of the story
	}
	frame := still.Frame()
	pages = map[string]string{
		textInBundle:    tui.PlainText(frame),
		pictureInBundle: svg.Picture(frame, svg.Options{Title: "culprit: the screen at the end of the recording"}),
	}
	if err := still.Press("e"); err != nil {
		return nil, err
	}
	pages[evidenceInBundle] = tui.PlainText(still.Frame())
	return pages, nil
}

func versionsText(r *tape.Recording, s *story) string {
	const unknown = "of an unknown version"
	return fmt.Sprintf("culprit %s, %s, %s/%s\nrecorded by culprit %s\nFlink %s\n", version(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH, first(r.Program(), unknown), first(s.flink, unknown))
}

func readmeText(r *tape.Recording, s *story) string {
	const secrets = "Secrets are not in it, as far as patterns can tell"
	hidden := secrets + "; names of hosts, jobs, operators and topics are."
	if r.NamesHidden() {
		hidden = secrets + ", nor are names: x1, host-1 and so on stand for them."
	}
	about := "An incident of a Flink job, as culprit saw it: " + s.of() + ".\n"
	for _, note := range s.notes {
		about += "\nNote: " + note + "."
	}
	if len(s.notes) > 0 {
		about += "\n"
	}
	return strings.Join([]string{
		about,
		verdictInBundle + "    the verdict, its evidence, and what happened when",
		textInBundle + "    the screen at the end, as text", pictureInBundle + "    the same as a picture",
		evidenceInBundle + "  what speaks for and against the verdict",
		versionsInBundle + "  the versions of culprit and Flink",
		recordingInBundle + "  what the cluster answered: open it with", "",
		"    culprit replay " + recordingInBundle, "", hidden, "",
	}, "\n")
}
