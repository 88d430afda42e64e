package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
)

// taping is what the flags say about a recording, and the recording of one cluster.
type taping struct {
	file    string
	redact  string
	maxSize string
	// spooled keeps the last hour where no file is asked for, unless noSpool says otherwise.
	spooled, noSpool bool
	// folder is where the spool is made; empty is the user's cache folder.
	folder string

	target   string
	recorder *tape.Recorder // nil where nothing is written down
	out      *tape.File     // of the recording, or
	spool    *tape.Spool    // of the last hour
	// trouble is why there is no spool, where one was wanted.
	trouble error
}

// spoolSpan is how far back the monitor can save.
const spoolSpan = time.Hour

// bind adds --record and what belongs to it.
func (r *taping) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.file, "record", "",
		"record what the cluster answers into this `FILE`, for culprit replay")
	r.bindHow(cmd)
}

func (r *taping) bindHow(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.redact, "redact", "secrets",
		"what a recording leaves out: secrets, or names (of hosts, jobs, operators, topics) as well")
	cmd.Flags().StringVar(&r.maxSize, "max-size", "200MB", "largest `SIZE` of a recording, such as 500MB or 2GB")
}

// bindSpool is for a command whose screen can save the last hour.
func (r *taping) bindSpool(cmd *cobra.Command) {
	r.spooled = true
	cmd.Flags().BoolVar(&r.noSpool, "no-spool", false,
		"keep no copy of the last hour's answers in the cache folder, from which key R saves a recording")
}

// next is the taping of another cluster: a file is of one cluster alone.
func (r *taping) next() *taping {
	return &taping{
		redact: r.redact, maxSize: r.maxSize, spooled: r.spooled, noSpool: r.noSpool, folder: r.folder,
	}
}

// begin creates the file or the spool and hooks the recorder into a connection that is being set up; where
// neither is wanted it does nothing. Without a spool the watch goes on.
func (r *taping) begin(client *flinkapi.Options, collector *flinkapi.CollectorOptions, target string) error {
	r.target = target
	if r.file == "" && (!r.spooled || r.noSpool) {
		return nil
	}
	most, err := parseSize(r.maxSize)
	if err != nil {
		return fmt.Errorf("--max-size: %w", err)
	}
	if err = r.knownRedact(); err != nil {
		return err
	}
	how := tape.Options{
		Clock: collector.Clock, Program: version(), Target: target, Settings: diagnose.Settings(),
		HideNames: r.redact == "names",
	}
	if r.file == "" {
		if r.spool, r.trouble = r.openSpool(most); r.trouble != nil {
			return nil
		}
		how.Quiet = true
		r.recorder = tape.NewRecorder(r.spool, how)
	} else {
		if r.out, err = tape.Create(r.file); errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists already: give another name", r.file)
		} else if err != nil {
			return err
		}
		how.MaxBytes = most
		r.recorder = tape.NewRecorder(r.out, how)
	}
	client.Wrap, collector.Clock = r.recorder.Wrap, r.recorder.Clock
	return nil
}

// knownRedact fails where --redact says what nobody knows.
func (r *taping) knownRedact() error {
	if r.redact != "secrets" && r.redact != "names" {
		return fmt.Errorf("--redact %q is not known: give secrets or names", r.redact)
	}
	return nil
}

func (r *taping) openSpool(most int64) (*tape.Spool, error) {
	folder := r.folder
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find the cache folder: %w", err)
		}
		folder = filepath.Join(cache, "culprit", "spool")
	}
	return tape.NewSpool(folder, spoolSpan, most)
}

// source puts the recorder around a source.
func (r *taping) source(inner flinkapi.Source) flinkapi.Source {
	if r.recorder == nil {
		return inner
	}
	return r.recorder.Source(inner)
}

// finish ends the recording and removes a spool. A failure to write into the file, whenever it came, is the
// error.
func (r *taping) finish() error {
	if r.recorder == nil {
		return nil
	}
	err := r.recorder.Close()
	if r.spool != nil {
		_ = r.spool.Close() // what is left of it the next monitor removes
		return nil
	}
	if closed := r.out.Close(); err == nil {
		err = closed
	}
	if r.recorder.Seen() == 0 && err == nil {
		return os.Remove(r.file) // there is nothing in it to see
	}
	if err != nil {
		return fmt.Errorf("%s is cut off: %w; what was recorded until then can be replayed", r.file, err)
	}
	return nil
}

// save writes what was kept, or recorded so far, to a new file.
func (r *taping) save(path string) error {
	return r.recorder.Settled(func() error {
		if r.spool != nil {
			return r.spool.Save(path)
		}
		out, err := tape.Create(path)
		if err != nil {
			return err
		}
		return errors.Join(copyFrom(out, r.file), out.Close())
	})
}

// parseSize reads a number of bytes with a unit of thousands (kB, MB, GB) or of 1024 (KiB, MiB, GiB).
func parseSize(text string) (int64, error) {
	units := []struct {
		name string
		size float64
	}{
		{"KIB", 1 << 10},
		{"MIB", 1 << 20},
		{"GIB", 1 << 30},
		{"KB", 1e3},
		{"MB", 1e6},
		{"GB", 1e9},
		{"K", 1e3},
		{"M", 1e6},
		{"G", 1e9},
		{"B", 1},
	}
	digits, size := strings.ToUpper(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if number, ok := strings.CutSuffix(digits, u.name); ok {
			digits, size = strings.TrimSpace(number), u.size
			break
		}
	}
	const most = 1 << 50
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(x*size >= 1) || x*size > most {
		return 0, fmt.Errorf("%q is no size: give one such as 200MB", text)
	}
	return int64(x * size), nil
}
