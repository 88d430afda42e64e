package flinkapi

import (
	"encoding/json"
	"testing"
)

// The short way of reading a string gives what the general one gives.
func TestTheShortWayOfReadingAString(t *testing.T) {
	t.Parallel()
	simple := 0
	for _, raw := range []string{
		`""`, `"Source: orders"`, `"a\nb\tc"`, `"a\"b\\c\/d"`, `"\\"`, `"\\n"`, `"\r"`, `"\u0041"`, `"\ud83d\ude00"`, `"ü"`, `"日本"`,
		`"a\u001bb"`, "\"\x7f\"", "\"\xff\"",
	} {
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		if got, is := simpleString([]byte(raw)); is {
			simple++
			if got != want {
				t.Errorf("%s is read as %q, want %q", raw, got, want)
			}
		}
		var got text
		if err := json.Unmarshal([]byte(raw), &got); err != nil || string(got) != want {
			t.Errorf("%s decodes to %q, want %q (%v)", raw, got, want, err)
		}
	}
	if simple != 6 {
		t.Errorf("%d are read the short way, want 6", simple)
	}
	for _, raw := range []string{`7`, `true`, `{}`, `null`} {
		if got, is := simpleString([]byte(raw)); is {
			t.Errorf("%s is no string, but is read as %q", raw, got)
		}
	}
}
