package tape

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// lineReader reads lines of bounded length, in bounded number of bytes.
type lineReader struct {
	in     io.Reader
	buffer []byte
	start  int // of what is not yet handed out
	left   int // how many bytes may yet come
	err    error
}

// A line holds one answer, so it is no longer than that; a member holds several at most after it is full.
const (
	lineLimit   = bodyLimit + 1<<16
	unpackLimit = memberBytes + carriedBytes + 8*bodyLimit
)

var errTooLarge = errors.New("it unpacks to more than any recording")

func newLineReader(in io.Reader) *lineReader { return &lineReader{in: in, left: unpackLimit} }

// next returns a line without its end, valid until the next call. A line without an end is not handed out.
func (l *lineReader) next() ([]byte, error) {
	searched := 0
	for {
		rest := l.buffer[l.start:]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			l.start += searched + i + 1
			return rest[:searched+i], nil
		}
		searched = len(rest)
		if l.err != nil {
			if errors.Is(l.err, io.EOF) && searched > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, l.err
		}
		if searched > lineLimit || l.left <= 0 {
			return nil, errTooLarge
		}
		l.fill()
	}
}

func (l *lineReader) fill() {
	const piece = 64 << 10
	if l.start > 0 {
		l.buffer = l.buffer[:copy(l.buffer, l.buffer[l.start:])]
		l.start = 0
	}
	old := len(l.buffer)
	l.buffer = slices.Grow(l.buffer, piece)
	n, err := l.in.Read(l.buffer[old:cap(l.buffer)])
	l.buffer, l.left, l.err = l.buffer[:old+n], l.left-n, err
}
