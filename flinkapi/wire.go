package flinkapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unmarshal decodes leniently: a field of an unexpected type stays empty and costs nothing else.
func unmarshal(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return nil
	}
	return err
}

// number is a JSON number, a numeric string or "NaN". Anything else, null included, is missing.
type number struct{ Value }

// UnmarshalJSON implements [json.Unmarshaler]; it never fails.
func (n *number) UnmarshalJSON(b []byte) error {
	*n = number{parseNumber(strings.Trim(string(b), `"`))}
	return nil
}

// parseNumber reads a metric's value as Flink writes it.
func parseNumber(s string) Value {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err == nil:
		return Known(x)
	case errors.Is(err, strconv.ErrRange):
		return NaN()
	}
	return Value{}
}

// count returns a small whole number, or fallback when there is none.
func (n number) count(fallback int) int {
	x, known := n.Float()
	if !known || math.Abs(x) > math.MaxInt32 {
		return fallback
	}
	return int(x)
}

// nonNegative returns the number unless it is one of Flink's negative marks for "none".
func (n number) nonNegative() Value {
	if x, known := n.Float(); known && x < 0 {
		return Value{}
	}
	return n.Value
}

// maxMillis bounds epoch times and durations: the year 5138. Flink writes 9223372036854775807 for "never".
const maxMillis = 1e14

// instant returns the point in time of an epoch in ms; zero for 0, -1 and what is no time.
func (n number) instant() time.Time {
	x, known := n.Float()
	if !known || x <= 0 || x > maxMillis {
		return time.Time{}
	}
	return time.UnixMilli(int64(x)).UTC()
}

// duration returns a duration given in ms; 0 when there is none or it means "never".
func (n number) duration() time.Duration {
	x, known := n.Float()
	if !known || x <= 0 || x > maxMillis/1000 {
		return 0
	}
	return time.Duration(x * float64(time.Millisecond))
}

// text is a JSON string; a number or truth value gives its spelling, anything else stays empty.
type text string

// UnmarshalJSON implements [json.Unmarshaler]; it never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	if body, simple := simpleString(b); simple {
		*t = text(body)
		return nil
	}
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = text(s)
	case bytes.ContainsAny(b[:1], "{["):
		*t = ""
	default:
		*t = text(b)
	}
	return nil
}

// simpleString returns what a JSON string holds that is all printable ASCII and line breaks or tabs, as
// nearly all are; it is several times faster than the general way.
func simpleString(b []byte) (body string, simple bool) {
	if len(b) < 2 || b[0] != '"' {
		return "", false
	}
	b = b[1 : len(b)-1]
	if !printable(b) {
		return "", false
	}
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b), true
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			out = append(out, b[i])
			continue
		}
		if i++; i == len(b) {
			return "", false
		}
		switch b[i] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case '"', '\\', '/':
			out = append(out, b[i])
		default:
			return "", false
		}
	}
	return string(out), true
}

func (t text) line() string { return Sanitize(string(t)) }

// name returns what people named, as one line without secrets. A metric's id and a thread's name hold the
// same names: whatever is compared has gone through here on both sides, and requests have what Flink gave.
func (t text) name() string { return Sanitize(HideSecretsInName(limited(string(t), maxLine))) }

// id returns an id as given, or nothing when it holds what no id may hold. Ids go back into paths, so they
// are not shortened or altered.
func (t text) id() string {
	if validID(textID, string(t)) && Sanitize(string(t)) == string(t) {
		return string(t)
	}
	return ""
}

// hex returns an id of 32 hexadecimal digits, or nothing.
func (t text) hex() string {
	if validID(hexID, string(t)) {
		return string(t)
	}
	return ""
}

// state returns the name of a job's or task's state.
func (t text) state() string { return strings.ToUpper(t.line()) }

// flag is a JSON truth value that may be absent.
type flag int8

const (
	flagAbsent flag = iota
	flagFalse
	flagTrue
)

// UnmarshalJSON implements [json.Unmarshaler]; it never fails.
func (f *flag) UnmarshalJSON(b []byte) error {
	switch strings.Trim(string(b), `"`) {
	case "true":
		*f = flagTrue
	case "false":
		*f = flagFalse
	default:
		*f = flagAbsent
	}
	return nil
}

// value returns 1 or 0; missing where the flag is absent.
func (f flag) value() Value {
	switch f {
	case flagTrue:
		return Known(1)
	case flagFalse:
		return Known(0)
	default:
		return Value{}
	}
}

// firstText returns the first that is not empty: fields that changed their spelling between versions.
func firstText(spellings ...text) text {
	if i := slices.IndexFunc(spellings, func(t text) bool { return t != "" }); i >= 0 {
		return spellings[i]
	}
	return ""
}

// firstNumber returns the first that is there.
func firstNumber(spellings ...number) number {
	if i := slices.IndexFunc(spellings, func(n number) bool { return n != number{} }); i >= 0 {
		return spellings[i]
	}
	return number{}
}
