package tape

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"time"
)

// Loss is a part of a recording that could not be read, or not be trusted.
type Loss struct {
	// Looks is how many looks it holds; 0 where that is not known.
	Looks int
	// Bytes is how much of the file it takes, where no more than that is known of it.
	Bytes int64
	// From is the end of the last look before it, To the beginning of the next one after it; zero beyond the
	// ends of the recording.
	From, To time.Time
	// Doubtful looks were read, but their checksum is wrong: something in them may not be what was recorded.
	Doubtful bool
}

// Text says what was lost, in one sentence with times in a zone.
func (l *Loss) Text(zone *time.Location) string {
	at := func(t time.Time) string { return t.In(zone).Format(time.TimeOnly) }
	switch {
	case l.Doubtful:
		return fmt.Sprintf("the looks from %s to %s are damaged: something in them may be wrong",
			at(l.From), at(l.To))
	case l.To.IsZero():
		return "the recording is cut off or damaged after " + at(l.From) + ": what came later could not be read"
	case l.From.IsZero():
		return fmt.Sprintf("the recording is damaged at its beginning: %d bytes before %s were passed over",
			l.Bytes, at(l.To))
	case l.Looks == 1:
		return fmt.Sprintf("1 look between %s and %s is damaged and was passed over", at(l.From), at(l.To))
	case l.Looks > 1:
		return fmt.Sprintf("%d looks between %s and %s are damaged and were passed over",
			l.Looks, at(l.From), at(l.To))
	}
	return fmt.Sprintf("what was recorded between %s and %s is damaged and was passed over",
		at(l.From), at(l.To))
}

// leastLook is how many bytes a look takes at least: the flush after it takes 5 by itself.
const leastLook = 5

// holds tells whether so many looks have room in a member; a number that is damaged says more, or less than
// one.
func (m *member) holds(looks int) bool { return looks > 0 && int64(looks) <= (m.until-m.at)/leastLook }

// lossAtStart is what stands before the first member; nil for nothing.
func (r *Recording) lossAtStart() []Loss {
	first := &r.members[0]
	if first.at == 0 {
		return nil
	}
	return []Loss{{Bytes: first.at, To: first.began}}
}

// lossAt is what was not read of a member: number is that of the look that would have come next, ended the
// end of the last one that was read, and err why there are no more. It is nil where nothing is lost.
func (r *Recording) lossAt(i, number int, ended time.Time, reader *memberReader, err error) *Loss {
	m := &r.members[i]
	if ended.IsZero() {
		ended = m.began
	}
	last := i+1 == len(r.members)
	missing, to := 0, time.Time{}
	if !last {
		missing, to = r.members[i+1].start-number, r.members[i+1].began
	}
	switch {
	case missing > 0:
		return &Loss{Looks: missing, From: ended, To: to}
	case errors.Is(err, gzip.ErrChecksum):
		return &Loss{Looks: number - m.start, From: m.began, To: ended, Doubtful: true}
	case !errors.Is(err, io.EOF) || reader.left() > 0:
		return &Loss{From: ended, To: to}
	}
	return nil
}

// left is how many bytes of the file follow the member, before the next one or the end.
func (m *memberReader) left() int64 {
	if m.section == nil {
		return 0
	}
	at, err := m.section.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return m.section.Size() - at + int64(m.packed.Buffered())
}
