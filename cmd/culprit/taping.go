package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/tape"
)

// taping is what the flags say about a recording.
type taping struct {
	file    string
	redact  string
	maxSize string

	out      *tape.File
	recorder *tape.Recorder
}

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

// begin creates the file and hooks the recorder into a connection that is being set up; without --record it
// does nothing.
func (r *taping) begin(client *flinkapi.Options, collector *flinkapi.CollectorOptions, target string) error {
	if r.file == "" {
		return nil
	}
	most, err := parseSize(r.maxSize)
	if err != nil {
		return fmt.Errorf("--max-size: %w", err)
	}
	if r.redact != "secrets" && r.redact != "names" {
		return fmt.Errorf("--redact %q is not known: give secrets or names", r.redact)
	}
	if r.out, err = tape.Create(r.file); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: give another name", r.file)
	} else if err != nil {
		return err
	}
	r.recorder = tape.NewRecorder(r.out, tape.Options{
		Clock: collector.Clock, Program: version(), Target: target, Settings: diagnose.Settings(),
		HideNames: r.redact == "names", MaxBytes: most,
	})
	client.Wrap, collector.Clock = r.recorder.Wrap, r.recorder.Clock
	return nil
}

// source puts the recorder around a source.
func (r *taping) source(inner flinkapi.Source) flinkapi.Source {
	if r.recorder == nil {
		return inner
	}
	return r.recorder.Source(inner)
}

// finish ends the recording. A failure to write, whenever it came, is the error.
func (r *taping) finish() error {
	if r.recorder == nil {
		return nil
	}
	err := r.recorder.Close()
	if closed := r.out.Close(); err == nil {
		err = closed
	}
	if looks, _ := r.recorder.Size(); looks == 0 && err == nil {
		return os.Remove(r.file) // nothing was looked at
	}
	if err != nil {
		return fmt.Errorf("%s is cut off: %w; what was recorded until then can be replayed", r.file, err)
	}
	return nil
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
