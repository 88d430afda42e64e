package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
	"culprit/tui"
)

// keeper writes down what the cluster on the screen answers: into the file that --record names, else into a
// spool of the last hour. Another cluster gets a spool of its own.
type keeper struct {
	clock flinkapi.Clock
	tune  *tuning
	zone  *time.Location

	mu     sync.Mutex
	tap    *taping
	told   error    // what was said of it
	news   []string // what is to be said
	failed error    // of recordings that ended before the screen did
}

var _ tui.Keeper = (*keeper)(nil)

func newKeeper(tap *taping, tune *tuning) *keeper {
	return &keeper{clock: flinkapi.WallClock, tune: tune, zone: tune.zone(), tap: tap}
}

// current is the taping of the cluster on the screen.
func (k *keeper) current() *taping {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tap
}

// News implements [tui.Keeper].
func (k *keeper) News() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if text := k.trouble(); text != "" {
		k.news = append(k.news, text)
	}
	if len(k.news) == 0 {
		return ""
	}
	text := k.news[0]
	k.news = k.news[1:]
	return text
}

// trouble is why the last hour is not kept, once. That a file is cut off the screen says by itself.
func (k *keeper) trouble() string {
	failed := k.tap.trouble
	if k.tap.spool != nil {
		failed = k.tap.recorder.Err()
	}
	if failed == nil || k.told != nil {
		return ""
	}
	k.told = failed
	if k.tap.spool == nil {
		return "the last hour is not kept: " + failed.Error()
	}
	return "the last hour is no longer kept: " + failed.Error()
}

// kept is what is written down of the cluster on the screen; it fails where nothing is.
func (k *keeper) kept() (*taping, error) {
	tap := k.current()
	switch {
	case tap.recorder == nil && tap.trouble != nil:
		return nil, fmt.Errorf("the last hour is not kept: %w", tap.trouble)
	case tap.recorder == nil:
		return nil, errors.New("the last hour is not kept: the monitor was started with --no-spool")
	}
	if looks, _ := tap.recorder.Size(); looks == 0 {
		return nil, errors.New("nothing was read yet")
	}
	return tap, nil
}

// Bundle implements [tui.Keeper].
func (k *keeper) Bundle(ctx context.Context, job flinkapi.JobID) (string, error) {
	return k.bundleInto(ctx, job, func(write func(string) error) (string, error) {
		return place(".zip", k.clock(), write)
	})
}

// bundleInto makes a bundle at the path that place chooses.
func (k *keeper) bundleInto(
	ctx context.Context, job flinkapi.JobID, place func(write func(string) error) (string, error),
) (string, error) {
	tap, err := k.kept()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "culprit-bundle-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the recording: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	b := bundling{tune: k.tune, recording: filepath.Join(folder, recordingInBundle), job: string(job)}
	if err = tap.save(b.recording); err != nil {
		return "", err
	}
	path, err := place(func(path string) error {
		return intoBundle(path, func(file *os.File) error { return b.write(ctx, file) })
	})
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("made %s, %s: recording, verdict and screen", path, byteText(info.Size())), nil
}

// Save implements [tui.Keeper].
func (k *keeper) Save() (string, error) {
	tap, err := k.kept()
	if err != nil {
		return "", err
	}
	if tap.out != nil {
		_, size := tap.recorder.Size()
		return "it is recorded already: " + tap.file + ", " + byteText(size) + " so far", nil
	}
	path, err := place(".culprit", k.clock(), tap.save)
	if err != nil {
		return "", err
	}
	return k.saved(path, tap.recorder.Err())
}

// saved says what a saved file holds.
func (k *keeper) saved(path string, failed error) (string, error) {
	recording, err := tape.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = recording.Close() }()
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	from, to := recording.Span()
	text := fmt.Sprintf("saved %s, %s, %s to %s", path, byteText(info.Size()),
		from.In(k.zone).Format(time.TimeOnly), to.In(k.zone).Format(time.TimeOnly))
	if failed != nil {
		text += ", when the writing failed"
	}
	return text, nil
}

// place writes a new file named by the time of the day, into the folder that the program was started in,
// where that can be written to, else into the user's home.
func place(after string, now time.Time, write func(path string) error) (string, error) {
	name := "culprit-" + now.UTC().Format("20060102-150405")
	var failed error
	folders := []string{""}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, home)
	}
	for _, folder := range folders {
		path := filepath.Join(folder, name+after)
		err := write(path)
		for n := 2; errors.Is(err, fs.ErrExist) && n < 100; n++ { // more than one in a second
			path = filepath.Join(folder, fmt.Sprintf("%s-%d%s", name, n, after))
			err = write(path)
		}
		if err == nil {
			return path, nil
		}
		if failed == nil {
			failed = err
		}
	}
	return "", failed
}

// change opens another cluster, and ends what was written down of the one before.
func (k *keeper) change(open func(*taping) (tui.Monitor, error)) (tui.Monitor, error) {
	old := k.current()
	next := old.next()
	monitor, err := open(next)
	if err != nil {
		return nil, errors.Join(err, next.finish())
	}
	failed := old.finish()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tap, k.told = next, nil
	if old.out == nil {
		return monitor, nil
	}
	if failed != nil {
		k.failed = errors.Join(k.failed, failed)
		k.news = append(k.news, failed.Error())
		return monitor, nil
	}
	looks, size := old.recorder.Size()
	k.news = append(k.news, fmt.Sprintf("the recording of %s ended with the switch: %s, %s, %s",
		old.target, old.file, diagnose.FormatThings(looks, "looks"), byteText(size)))
	return monitor, nil
}

// end ends all that is written down.
func (k *keeper) end() error { return errors.Join(k.failed, k.current().finish()) }
