package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// spools lists the spools of a cache folder.
func spools(t *testing.T, cache string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(cache, "culprit", "spool", "*"))
	must(t, err)
	return all
}

// terminalBeside is a terminal of the same user.
func terminalBeside(t *testing.T, other *terminal) *terminal {
	t.Helper()
	p := newTerminal(t, 100, 30)
	p.cache, p.log = other.cache, filepath.Join(t.TempDir(), "log")
	return p
}

// A key saves what the monitor kept. The spool goes when the program ends, and that of a killed one when the
// next begins; that of one which lives stays.
func TestTheLastHourIsSaved(t *testing.T) {
	t.Parallel()
	killed := newTerminal(t, 100, 30)
	killed.log = filepath.Join(t.TempDir(), "log")
	killed.start("culprit", "demo", "--log", killed.log)
	killed.await("lab-orders", 0)
	left := spools(t, killed.cache)
	if len(left) != 2 {
		t.Fatalf("a running monitor has %q", left)
	}
	must(t, killed.cmd.Process.Signal(syscall.SIGKILL))
	killed.end()

	living := terminalBeside(t, killed)
	living.start("culprit", "demo", "--log", living.log)
	living.await("lab-orders", 0)
	kept := spools(t, living.cache)
	if len(kept) != 2 || kept[0] == left[0] {
		t.Fatalf("after a kill there are %q, of which %q are the killed one's", kept, left)
	}
	without := terminalBeside(t, killed)
	without.start("culprit", "demo", "--log", without.log, "--no-spool")
	without.await("lab-orders", 0)
	without.key("R")
	without.await("not saved: the last hour is not kept", 0)
	if now := spools(t, living.cache); strings.Join(now, " ") != strings.Join(kept, " ") {
		t.Errorf("there are %q, before another one without began %q", now, kept)
	}
	without.key("q")
	without.end()

	living.key("R")
	living.await("saved culprit-", 0)
	before := len(living.written())
	living.key("R")
	living.await("saved culprit-", before)
	living.key("B")
	living.await("made culprit-", 0)
	living.key("q")
	if code := living.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if now := spools(t, living.cache); len(now) > 0 {
		t.Errorf("%q are left", now)
	}
	saved, err := filepath.Glob(filepath.Join(living.folder, "culprit-*.culprit"))
	must(t, err)
	if len(saved) != 2 {
		t.Fatalf("saved %q", saved)
	}
	said := regexp.MustCompile(`saved culprit-[0-9]{8}-[0-9]{6}\.culprit, [0-9.]+ [kM]?B, [0-9:]{8} to [0-9:]{8}`)
	if !said.MatchString(living.drain()) {
		t.Error("the screen does not say the file's name, its size and its span")
	}
	for _, path := range saved {
		whole(t, path)
	}
}

// Where there is no cache folder, that is said once and the monitor goes on.
func TestNoCacheFolder(t *testing.T) {
	t.Parallel()
	p := newTerminal(t, 140, 30)
	p.log = filepath.Join(t.TempDir(), "log")
	p.cache = filepath.Join(p.folder, "file")
	must(t, os.WriteFile(p.cache, nil, 0o600))
	p.start("culprit", "demo", "--log", p.log)
	p.await("the last hour is not kept: make the spool", 0)
	p.await("lab-orders", 0)
	from := len(p.written())
	p.key("R")
	p.await("not saved: the last hour is not kept", from)
	p.key("q")
	if code := p.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
