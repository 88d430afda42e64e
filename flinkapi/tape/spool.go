package tape

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Spool is the output of a recording that keeps only the newest part: a folder with a file for each member,
// of which the oldest are removed. What it holds can be saved as a recording at any time.
type Spool struct {
	folder   string
	lock     *os.File // held while the process lives
	keep     time.Duration
	most     int64
	segments []segment
	file     *os.File
	written  int64 // into file
	next     int
}

// segment is a member in a file of its own.
type segment struct {
	path  string
	began time.Time
	size  int64
}

// NewSpool makes a folder below parent, which may be missing, for the user alone, and removes those there of
// processes that ended without doing so. It keeps what is younger than keep and fits into most bytes, and the
// member that is being written.
func NewSpool(parent string, keep time.Duration, most int64) (*Spool, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("make the spool: %w", err)
	}
	sweep(parent)
	lock, err := os.CreateTemp(parent, spoolPrefix+"*"+lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("make the spool: %w", err)
	}
	s := &Spool{folder: strings.TrimSuffix(lock.Name(), lockSuffix), lock: lock, keep: keep, most: most}
	if err = hold(lock); err == nil { // before there is a folder that another process may take for a left one
		err = os.Mkdir(s.folder, 0o700)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make the spool: %w", err), s.Close())
	}
	return s, nil
}

// A spool is a folder, and beside it a file that its process holds a lock on. The system lets go of a lock
// however the process ends.
const spoolPrefix, lockSuffix = "spool-", ".lock"

// sweep removes the spools below a folder that no process holds. What cannot be removed stays.
func sweep(parent string) {
	all, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, one := range all {
		if !one.IsDir() || !strings.HasPrefix(one.Name(), spoolPrefix) {
			continue
		}
		folder := filepath.Join(parent, one.Name())
		if lock, left := abandoned(folder + lockSuffix); left {
			_ = os.RemoveAll(folder)
			if lock != nil {
				_ = lock.Close()
			}
			_ = os.Remove(folder + lockSuffix)
		}
	}
}

// Write implements [Output].
func (s *Spool) Write(p []byte) (int, error) {
	if s.file == nil {
		return 0, errors.New("the spool is closed")
	}
	n, err := s.file.Write(p)
	s.written += int64(n)
	return n, err
}

// Roll implements [Output]: a new file, and those removed that are too old or too much.
func (s *Spool) Roll(at time.Time) error {
	if err := s.seal(); err != nil {
		return err
	}
	path := filepath.Join(s.folder, fmt.Sprintf("%08d", s.next))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the spool: %w", err)
	}
	s.file, s.next = file, s.next+1
	s.segments = append(s.segments, segment{path: path, began: at})
	return s.prune(at)
}

// seal closes the file that is written.
func (s *Spool) seal() error {
	if s.file == nil {
		return nil
	}
	s.segments[len(s.segments)-1].size = s.written
	err := s.file.Close()
	s.file, s.written = nil, 0
	return err
}

// prune removes the oldest files, each when the one after it reaches back far enough, or when all of them are
// too much.
func (s *Spool) prune(now time.Time) error {
	total := int64(0)
	for _, one := range s.segments {
		total += one.size
	}
	for len(s.segments) > 1 && (total > s.most || now.Sub(s.segments[1].began) >= s.keep) {
		if err := os.Remove(s.segments[0].path); err != nil {
			return fmt.Errorf("remove an old part of the spool: %w", err)
		}
		total -= s.segments[0].size
		s.segments = s.segments[1:]
	}
	return nil
}

// Save writes what the spool holds to a new file. While a recorder writes it has to be called by
// [Recorder.Settled]. A copy that fails is removed.
func (s *Spool) Save(path string) error {
	out, err := Create(path)
	if err != nil {
		return err
	}
	err = s.Copy(out)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("save the recording: %w", err)
	}
	return nil
}

// Copy writes what the spool holds to out, as Save does.
func (s *Spool) Copy(out io.Writer) error {
	for _, one := range s.segments {
		if err := appendFile(out, one.path); err != nil {
			return err
		}
	}
	return nil
}

func appendFile(out io.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	_, err = io.Copy(out, in)
	return err
}

// Close removes the spool.
func (s *Spool) Close() error {
	_ = s.seal() // it is removed anyway
	s.segments = nil
	err := os.RemoveAll(s.folder)
	return errors.Join(err, s.lock.Close(), os.Remove(s.lock.Name()))
}
