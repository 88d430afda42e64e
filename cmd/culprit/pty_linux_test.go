package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience with a program on a busy machine, under the race detector too. Where all is well nothing waits for
// so long: each wait ends with what it waits for.
const ptyPatience = 3 * time.Minute

// terminal is a real pseudo-terminal with a program on it.
type terminal struct {
	t             *testing.T
	master, slave *os.File
	before        unix.Termios
	cmd           *exec.Cmd
	stderr, log   string
	// folder is where the program runs, cache the user's cache folder.
	folder, cache string
	// pause is how long a byte takes on a slow line; 0 for none.
	pause time.Duration

	mu      sync.Mutex
	all     bytes.Buffer
	changed chan struct{} // has a value when there is more to see
	gone    chan struct{} // closed when nothing more comes
}

// newTerminal opens a terminal of w by h cells.
func newTerminal(t *testing.T, w, h int) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	p := &terminal{
		t: t, master: master, changed: make(chan struct{}, 1), gone: make(chan struct{}),
		folder: t.TempDir(), cache: t.TempDir(),
	}
	fd := int(master.Fd())
	must(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must(t, err)
	p.slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	must(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(h), Col: uint16(w)}))
	p.before = p.modes()
	t.Cleanup(func() {
		_ = p.master.Close()
		_ = p.slave.Close()
	})
	return p
}

// modes are the settings of the line: echo, raw or cooked and so on.
func (p *terminal) modes() unix.Termios {
	p.t.Helper()
	modes, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	must(p.t, err)
	return *modes
}

// start runs this test's own binary as a program of its name, in a session of its own as a shell does.
func (p *terminal) start(program string, args ...string) {
	p.t.Helper()
	self, err := os.Executable()
	must(p.t, err)
	p.run(&exec.Cmd{Path: self, Args: append([]string{program}, args...)})
}

// run runs a command on the terminal; what it says beside the screen is kept in a file.
func (p *terminal) run(cmd *exec.Cmd) {
	p.t.Helper()
	p.stderr = filepath.Join(p.t.TempDir(), "stderr")
	stderr, err := os.Create(p.stderr)
	must(p.t, err)
	p.cmd = cmd
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.slave, p.slave, stderr
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=", "NO_COLOR=", "TMUX=", "STY=",
		"XDG_CACHE_HOME="+p.cache)
	cmd.Dir = p.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	must(p.t, cmd.Start())
	must(p.t, stderr.Close())
	p.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	go p.read()
}

// read takes in what the program writes and answers what it asks, as terminals do.
func (p *terminal) read() {
	defer close(p.gone)
	piece := make([]byte, 1024)
	for {
		n, err := p.master.Read(piece)
		if err != nil {
			return
		}
		if p.pause > 0 {
			time.Sleep(time.Duration(n) * p.pause)
		}
		p.mu.Lock()
		p.all.Write(piece[:n])
		p.mu.Unlock()
		if bytes.Contains(piece[:n], []byte("\x1b]11;?")) {
			_, _ = p.master.WriteString("\x1b]11;rgb:1212/1212/1616\x1b\\")
		}
		if bytes.Contains(piece[:n], []byte("\x1b[6n")) {
			_, _ = p.master.WriteString("\x1b[1;1R")
		}
		select {
		case p.changed <- struct{}{}:
		default:
		}
	}
}

// written returns all that the program wrote.
func (p *terminal) written() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

// await waits until what was written after the first from bytes contains text, and returns how long that
// took.
func (p *terminal) await(text string, from int) time.Duration {
	p.t.Helper()
	begun := time.Now()
	limit := time.After(ptyPatience)
	for !strings.Contains(p.written()[from:], text) {
		select {
		case <-p.changed:
		case <-p.gone:
			p.t.Fatalf("the program ended before it wrote %q; it said %q", text, readFile(p.t, p.stderr))
		case <-limit:
			p.t.Fatalf("no %q in %q", text, p.written())
		}
	}
	return time.Since(begun)
}

// end waits for the program and returns its exit code.
func (p *terminal) end() int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.cmd.Wait() }()
	select {
	case err := <-done:
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			p.t.Fatal(err)
		}
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(ptyPatience):
		p.t.Fatal("the program does not end")
		return -1
	}
}

// drain waits until all that the program wrote has been read; the program has ended.
func (p *terminal) drain() string {
	p.t.Helper()
	must(p.t, p.slave.Close())
	select {
	case <-p.gone:
	case <-time.After(ptyPatience):
		p.t.Fatal("the terminal stays open")
	}
	return p.written()
}

// titleKept asks the terminal to remember its title, titleBack to take it back.
const titleKept, titleBack = "\x1b[22;2t", "\x1b[23;2t"

var modePattern = regexp.MustCompile("\x1b\\[\\?([0-9;]+)([hl])")

// leftOver lists the terminal's modes that a program set or cleared and did not give back, and whether it
// wrote anything after that. The cursor (25) is on by itself, every other mode off.
func leftOver(written string) []string {
	state := map[string]string{}
	var order []string
	for _, m := range modePattern.FindAllStringSubmatch(written, -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			if _, known := state[mode]; !known {
				order = append(order, mode)
			}
			state[mode] = m[2]
		}
	}
	var out []string
	for _, mode := range order {
		if usual := map[bool]string{true: "h", false: "l"}[mode == "25"]; state[mode] != usual {
			out = append(out, "mode "+mode+" is "+state[mode])
		}
	}
	if strings.Count(written, titleKept) != strings.Count(written, titleBack) {
		out = append(out, "the title is not that of before")
	}
	at := strings.LastIndex(written, "\x1b[?1049l")
	if at < 0 {
		return append(out, "the alternate screen was not left")
	}
	rest := strings.ReplaceAll(modePattern.ReplaceAllString(written[at:], ""), titleBack, "")
	if strings.Trim(rest, "\r") != "" {
		out = append(out, fmt.Sprintf("%q was written after it", rest))
	}
	return out
}

// A command that does not open the screen asks the terminal nothing, lest one without an answer hold it up.
func TestOnlyTheScreenAsksTheTerminal(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"demo", "--theme", "pink"}, {"explain"}} {
		p := newTerminal(t, 100, 30)
		p.start("culprit", args...)
		p.end()
		if all := p.drain(); strings.Contains(all, "\x1b") {
			t.Errorf("%v writes %q", args, all)
		}
	}
}
