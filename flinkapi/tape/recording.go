package tape

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"culprit/flinkapi"
)

// Recording is a file of looks that was opened. It reads from the file while it is played, one member at a
// time.
type Recording struct {
	file    *os.File
	size    int64
	members []member
	head    head
	looks   int
	end     time.Time
	// unread is why the end of the file could not be read; nil for a whole recording.
	unread error
}

// member is a piece of a recording that can be read by itself.
type member struct {
	mark
	at, until int64 // in bytes of the file
	start     int   // the number of its first look in this file
}

// Error is why a file cannot be replayed, in one sentence.
type Error struct {
	File, Why string
	// Foreign tells that the file is something else than a recording.
	Foreign bool
}

// Error implements error.
func (e *Error) Error() string { return e.File + " " + e.Why }

// Open opens a recording. It reads through the file once without unpacking it, and unpacks its last member.
func Open(path string) (*Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	r := &Recording{file: file}
	if err := r.index(path); err != nil {
		_ = file.Close()
		return nil, err
	}
	return r, nil
}

// Close closes the file.
func (r *Recording) Close() error { return r.file.Close() }

// Len is how many looks there are.
func (r *Recording) Len() int { return r.looks }

// Span is when the first and the last look were taken.
func (r *Recording) Span() (from, to time.Time) { return r.members[0].began, r.end }

// Target is the address that was recorded; empty where names are hidden.
func (r *Recording) Target() string { return r.head.Target }

// Program is the version of the program that recorded.
func (r *Recording) Program() string { return r.head.Program }

// NamesHidden tells whether the names of hosts, jobs, operators and topics were replaced.
func (r *Recording) NamesHidden() bool { return r.head.Redaction == "names" }

// Cut says why the end of the file could not be read; nil when it was closed as it should.
func (r *Recording) Cut() error { return r.unread }

// Failure is why there is nothing to see in a recording: in none of its looks anything was answered, for the
// reason of the last one. It is nil where something was.
func (r *Recording) Failure() error {
	var last *flinkapi.Error
	for i := range r.members {
		reader := r.open(&r.members[i])
		for {
			l, err := reader.next()
			if err != nil {
				break // what is damaged is no answer
			}
			for _, a := range l.answers {
				if a.Error == nil {
					return nil
				}
				last = a.Error.err()
			}
		}
	}
	if last == nil {
		return errors.New("nothing was asked")
	}
	return last
}

func (r *Recording) index(path string) error {
	info, err := r.file.Stat()
	if err != nil {
		return fmt.Errorf("open the recording: %w", err)
	}
	if info.IsDir() {
		return &Error{path, "is a folder, not a recording", true}
	}
	r.size = info.Size()
	if r.size == 0 {
		return &Error{path, "is empty: nothing was recorded", true}
	}
	if err := r.findMembers(); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	if len(r.members) == 0 {
		return r.foreign(path)
	}
	if err := r.refuseNewer(path); err != nil {
		return err
	}
	r.count()
	switch {
	case r.looks > 0:
		return nil
	case r.unread == nil, errors.Is(r.unread, io.ErrUnexpectedEOF):
		return &Error{path, "was cut off before the end of its first look: there is nothing to replay", false}
	}
	return &Error{path, "holds not one whole look: it is damaged", false}
}

// refuseNewer refuses a format that this program does not know.
func (r *Recording) refuseNewer(path string) error {
	for _, m := range r.members {
		if m.format > Format {
			return &Error{path, fmt.Sprintf(
				"was recorded by a newer version of the program, in format %d; this one reads formats up to %d",
				m.format, Format,
			), false}
		}
	}
	return nil
}

// foreign says what a file is that holds no member.
func (r *Recording) foreign(path string) error {
	var start [2]byte
	_, _ = r.file.ReadAt(start[:], 0)
	if start == [2]byte{0x1f, 0x8b} {
		return &Error{path, "is compressed, but no recording of culprit, or its beginning is damaged", true}
	}
	return &Error{path, "is no recording of culprit", true}
}

const chunk = 1 << 20

// findMembers looks for the marks of the members, whatever is between them.
func (r *Recording) findMembers() error {
	buffer := make([]byte, chunk+magicAt+extraSize)
	for base := int64(0); base < r.size; base += chunk {
		n, err := r.file.ReadAt(buffer, base)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		piece := buffer[:n]
		for from := 0; from < n; {
			i := bytes.Index(piece[from:], []byte(magic))
			if i < 0 {
				break
			}
			i += from
			from = i + len(magic)
			at := base + int64(i) - magicAt
			if i < magicAt || at >= base+chunk {
				continue // the piece before or the next one has it whole
			}
			if m, ok := memberAt(piece[i-magicAt:]); ok {
				m.at = at
				r.members = append(r.members, m)
			}
		}
	}
	for i := range r.members {
		r.members[i].until = r.size
		if i+1 < len(r.members) {
			r.members[i].until = r.members[i+1].at
		}
	}
	return nil
}

// memberAt reads the header of a member.
func memberAt(b []byte) (member, bool) {
	if len(b) < magicAt+extraSize || b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 || b[3] != 4 {
		return member{}, false
	}
	if string(b[12:14]) != subfield || int(b[14]) != extraSize || b[15] != 0 {
		return member{}, false
	}
	m, ok := readMark(b[magicAt+len(magic):])
	return member{mark: m}, ok
}

// count numbers the looks. A member that another one follows has as many as the next number says, when that
// can be; others are read.
func (r *Recording) count() {
	for i := range r.members {
		m := &r.members[i]
		m.start = r.looks
		last := i+1 == len(r.members)
		if !last {
			if n := r.members[i+1].first - m.first; m.holds(n) {
				r.looks += n
				continue
			}
		}
		n, end, err := r.readThrough(m)
		r.looks += n
		if n > 0 {
			r.end = end
		}
		if last {
			r.unread = err
		}
	}
	for i := 0; i < len(r.members) && r.head == (head{}); i++ {
		reader := r.open(&r.members[i])
		_, _ = reader.next() // of which the first line is enough
		r.head = reader.head
	}
}

// readThrough reads a member for its head, the number of its whole looks and the time of the last one.
func (r *Recording) readThrough(m *member) (looks int, end time.Time, err error) {
	reader := r.open(m)
	for {
		l, err := reader.next()
		if err != nil {
			switch {
			case !errors.Is(err, io.EOF):
			case reader.left() > 0:
				err = errTrailing
			default:
				err = nil
			}
			if r.head == (head{}) {
				r.head = reader.head
			}
			return looks, end, err
		}
		looks++
		end = l.ended()
	}
}

var errTrailing = errors.New("what follows the last look is damaged")

// taken is one look as it was recorded.
type taken struct {
	look
	answers []answer
	// older are the newest answers from before the member, given with its first look; first tells that it is
	// that.
	older []answer
	first bool
}

func (t *taken) began() time.Time { return time.UnixMilli(t.Began).UTC() }

// clock returns the times that the look went by; there is one at least.
func (t *taken) clock() []time.Time {
	all := make([]time.Time, 0, len(t.Clock)+1)
	for _, after := range t.Clock {
		all = append(all, t.began().Add(time.Duration(after)*time.Millisecond))
	}
	if len(all) == 0 {
		all = append(all, t.began())
	}
	return all
}

func (t *taken) ended() time.Time {
	all := t.clock()
	return all[len(all)-1]
}

// memberReader reads the lines of a member.
type memberReader struct {
	lines  *lineReader
	head   head
	bodies [][]byte
	first  bool
	err    error
	// section is the file from the member to the next one, packed what is read of it.
	section *io.SectionReader
	packed  *bufio.Reader
}

func (r *Recording) open(m *member) *memberReader {
	out := &memberReader{first: true, section: io.NewSectionReader(r.file, m.at, m.until-m.at)}
	out.packed = bufio.NewReader(out.section)
	unpacked, err := gzip.NewReader(out.packed)
	if err != nil {
		out.err = err
		return out
	}
	unpacked.Multistream(false)
	out.lines = newLineReader(unpacked)
	return out
}

// next returns the next whole look; io.EOF after the last one of a whole member, else why there are no more.
func (m *memberReader) next() (*taken, error) {
	t := &taken{first: m.first}
	for m.err == nil {
		var raw []byte
		if raw, m.err = m.lines.next(); m.err != nil {
			break
		}
		var l line
		if m.err = json.Unmarshal(raw, &l); m.err != nil {
			break
		}
		switch {
		case l.Head != nil:
			m.head = *l.Head
		case l.Answer != nil:
			if m.err = m.resolve(l.Answer); m.err == nil {
				t.answers = append(t.answers, *l.Answer)
			}
		case l.Look != nil:
			t.look = *l.Look
			if m.first {
				t.splitOlder()
			}
			m.first = false
			return t, nil
		}
	}
	return nil, m.err
}

// splitOlder parts the answers from before the member from those of its first look.
func (t *taken) splitOlder() {
	for i, a := range t.answers {
		if a.At >= t.Began || a.At == 0 {
			t.older, t.answers = t.answers[:i:i], t.answers[i:]
			return
		}
	}
	t.older, t.answers = t.answers, nil
}

// resolve puts the body in place that an answer shares with an earlier one.
func (m *memberReader) resolve(a *answer) error {
	switch {
	case a.Bytes > 0:
		body, err := m.lines.next()
		if err != nil {
			return err
		}
		if len(body) != a.Bytes {
			return errors.New("an answer has not its length")
		}
		a.Body = bytes.Clone(body)
		m.bodies = append(m.bodies, a.Body)
	case a.Same > 0 && a.Same <= len(m.bodies):
		a.Body = m.bodies[a.Same-1]
	case a.Error == nil:
		return errors.New("an answer has no body")
	}
	return nil
}
