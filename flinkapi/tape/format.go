package tape

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"culprit/flinkapi"
)

// Format is the version of the format that is written. A reader refuses a newer one: what it means is not
// known.
const Format = 1

// magic marks the extra field of each gzip member; with it the members are found without unpacking any.
const magic = "culprit\x01"

// The extra field of a member's gzip header (RFC 1952, 2.3.1.1): the subfield "CU" with the magic, the
// format, the number of the member's first look and when that look began, in ms since 1970.
const (
	subfield  = "CU"
	extraSize = len(magic) + 1 + 8 + 8
	// magicAt is where the magic stands in a member: after 10 bytes of header, the length of the extra field,
	// the subfield's name and its length.
	magicAt = 10 + 2 + 2 + 2
)

// mark is what the extra field tells.
type mark struct {
	format byte
	first  int
	began  time.Time
}

func (m mark) extra() []byte {
	b := append([]byte(subfield), byte(extraSize), 0)
	b = append(b, magic...)
	b = append(b, m.format)
	b = binary.LittleEndian.AppendUint64(b, uint64(max(m.first, 0))) //nolint:gosec // never negative
	return binary.LittleEndian.AppendUint64(b, uint64(max(m.began.UnixMilli(), 0)))
}

// readMark reads what follows the magic.
func readMark(b []byte) (mark, bool) {
	if len(b) < extraSize-len(magic) {
		return mark{}, false
	}
	first, began := binary.LittleEndian.Uint64(b[1:]), binary.LittleEndian.Uint64(b[9:])
	const most = 1 << 53
	if first > most || began > most {
		return mark{}, false
	}
	return mark{b[0], int(first), time.UnixMilli(int64(began)).UTC()}, true
}

// A member holds lines of JSON, one object each: first a head, then the newest older answers that still
// matter, then looks, each as its answers and the line that ends it. An answer with a body of its own is
// followed by that body as a line, so that a reader which does not need it need not take it apart.
type line struct {
	Head   *head   `json:"head,omitempty"`
	Answer *answer `json:"answer,omitempty"`
	Look   *look   `json:"look,omitempty"`
}

// head says what the recording is of. It is the same in each member.
type head struct {
	Format  int    `json:"format"`
	Program string `json:"program"` // the version that wrote it
	// Target is the address without any login; empty where names are hidden.
	Target string `json:"target,omitempty"`
	// Redaction is what was left out: "secrets" or "names".
	Redaction string `json:"redaction"`
}

// answer is one question and its answer.
type answer struct {
	Pattern string `json:"of"`
	Path    string `json:"path"`
	Query   string `json:"query,omitempty"`
	// At is when it came, in ms since 1970.
	At int64 `json:"at,omitempty"`
	// Body is the reduced answer, which the next line holds in so many Bytes, its end apart. Same, counted from
	// 1, is that of the n-th answer of this member with a body of its own.
	Body  []byte   `json:"-"`
	Bytes int      `json:"bytes,omitempty"`
	Same  int      `json:"same,omitempty"`
	Error *failure `json:"error,omitempty"`
}

// failure is a question that failed.
type failure struct {
	Op     string             `json:"op"`
	Kind   flinkapi.ErrorKind `json:"kind"`
	Status int                `json:"status,omitempty"`
	Detail string             `json:"detail,omitempty"`
	Hint   string             `json:"hint,omitempty"`
	// Late is that of [flinkapi.Error].
	Late bool `json:"late,omitempty"`
}

func (f *failure) err() *flinkapi.Error {
	return &flinkapi.Error{
		Op: f.Op, Kind: f.Kind, Status: f.Status, Detail: f.Detail, Hint: f.Hint, Late: f.Late,
	}
}

// look ends the answers of one look.
type look struct {
	Number int   `json:"number"`
	Began  int64 `json:"began"` // ms since 1970
	// Clock are the times that the look went by, in ms after Began, in order.
	Clock []int64 `json:"clock,omitempty"`
	// Focus is where the look looked, by the names of its fields.
	Focus flinkapi.Focus `json:"focus"`
	Cost  *cost          `json:"cost,omitempty"`
}

type cost struct {
	Requests  int     `json:"requests"`
	Bytes     int64   `json:"bytes"`
	PerSecond float64 `json:"perSecond"`
}

// encode returns one line.
func encode(l line) ([]byte, error) {
	b, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("write a line of the recording: %w", err)
	}
	return append(b, '\n'), nil
}
