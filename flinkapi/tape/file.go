package tape

import (
	"fmt"
	"os"
	"time"
)

// File is the output of a recording that is one file.
type File struct{ file *os.File }

// Create makes the file of a recording, for the user alone. It does not replace one that is there.
func Create(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the recording: %w", err)
	}
	return &File{file}, nil
}

// Write implements [Output].
func (f *File) Write(p []byte) (int, error) { return f.file.Write(p) }

// Roll implements [Output]: all members go into the one file.
func (f *File) Roll(time.Time) error { return nil }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
