package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Whatever is damaged in a recording, each output tells of it, once, and tells how many looks were read.
func TestDamageIsTold(t *testing.T) {
	t.Parallel()
	path, _ := recordOne(t, "healthy", 12*time.Minute)
	whole, err := os.ReadFile(path)
	must(t, err)
	const magic = "culprit\x01"
	first := bytes.Index(whole, []byte(magic))
	second := first + 1 + bytes.Index(whole[first+1:], []byte(magic))
	third := second + 1 + bytes.Index(whole[second+1:], []byte(magic))
	if second <= first || third <= second {
		t.Fatal("the recording has too few members")
	}
	last := bytes.LastIndex(whole, []byte(magic))
	for _, c := range []struct {
		name string
		at   int
		note string
	}{
		{"in the first member", second / 2, `^\d+ looks between 08:\d\d:\d\d and 08:\d\d:\d\d are damaged`},
		{"in the first header", 3, `^the recording is damaged at its beginning: \d+ bytes before 08:`},
		{"in the second mark", second + 2, `^\d+ looks between 08:\d\d:\d\d and 08:\d\d:\d\d are damaged`},
		{"in a checksum", second - 16 - 8, `^the looks from 08:00:00 to 08:\d\d:\d\d are damaged: something`},
		{"in the last mark", last + 2, `^the recording is cut off or damaged after 08:`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			broken := bytes.Clone(whole)
			broken[c.at] ^= 0x55
			file := filepath.Join(t.TempDir(), "broken.culprit")
			must(t, os.WriteFile(file, broken, 0o600))
			told := regexp.MustCompile(`(?m)` + c.note)
			for _, format := range []string{"text", "json", "markdown"} {
				var out, said bytes.Buffer
				to := console{out: &out, err: &said, env: func(string) string { return "" }}
				run(t.Context(), []string{"check", "--replay", file, "--format", format, "--utc"}, to)
				all := said.String() + out.String()
				all = strings.NewReplacer("culprit: note: ", "", "note: ", "", "> ", "").Replace(all)
				if n := len(told.FindAllString(all, -1)); n != 1 {
					t.Errorf("%s tells of it %d times:\n%.2000s", format, n, all)
				}
			}
			if c.name != "in the first header" {
				return // the bundle is made the same way of each
			}
			packed := filepath.Join(t.TempDir(), "ticket.zip")
			to := console{out: io.Discard, err: io.Discard, env: func(string) string { return "" }}
			run(t.Context(), []string{"bundle", file, "-o", packed, "--utc"}, to)
			archive, err := zip.OpenReader(packed)
			must(t, err)
			defer func() { _ = archive.Close() }()
			for _, name := range []string{readmeInBundle, textInBundle} {
				in, err := archive.Open(name)
				must(t, err)
				text, err := io.ReadAll(in)
				must(t, err)
				if !strings.Contains(string(text), "the recording is damaged at its beginning") {
					t.Errorf("%s does not tell of it:\n%s", name, text)
				}
			}
		})
	}
}
