package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// However the program ends, the terminal is as it was before, and why it ended is on standard error and in
// the log.
func TestTheTerminalIsGivenBack(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		args    []string
		shown   string // what the screen shows before the end
		end     func(*terminal)
		code    int
		says    string // on standard error; nothing where empty
		logged  string
	}{
		"q": {
			"culprit", []string{"demo"}, "lab-orders", func(p *terminal) { p.key("q") }, 0, "", "the user quit",
		},
		"ctrl+c": {
			"culprit", []string{"demo"}, "lab-orders", func(p *terminal) { p.key("\x03") }, 0, "", "the user quit",
		},
		"kill -TERM": {
			"culprit", []string{"demo"}, "lab-orders", signalled(syscall.SIGTERM), 143, "terminated", "terminated",
		},
		"kill -HUP": {
			"culprit", []string{"demo"}, "lab-orders", signalled(syscall.SIGHUP), 129, "hangup", "hangup",
		},
		"kill -INT": {
			"culprit", []string{"demo"}, "lab-orders", signalled(syscall.SIGINT), 130, "interrupt", "interrupt",
		},
		"kill -QUIT": {
			"culprit", []string{"demo"}, "lab-orders", signalled(syscall.SIGQUIT), 131, "quit", "quit",
		},
		"kill -ABRT": {
			"culprit", []string{"demo"}, "lab-orders", signalled(syscall.SIGABRT), 134, "aborted", "aborted",
		},
		"panic in a command": {
			"culprit-breaks", []string{"step"}, "NO ANSWER", nil, 3, "reading the cluster: a step that fails", "badly",
		},
		"panic in the loop": {
			"culprit-breaks", []string{"answer"}, "NO ANSWER", nil, 3, "taking in a message: runtime error", "nil pointer",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTerminal(t, 100, 30)
			p.log = filepath.Join(t.TempDir(), "log")
			args := append(c.args, p.log)
			if c.program == "culprit" {
				args = append(c.args, "--log", p.log)
			}
			p.start(c.program, args...)
			p.await(c.shown, 0)
			if c.end != nil {
				c.end(p)
			}
			if code := p.end(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if after := p.modes(); after != p.before {
				t.Errorf("the line's modes are %+v, were %+v", after, p.before)
			}
			written := p.drain()
			for _, what := range leftOver(written) {
				t.Error(what)
			}
			if strings.Contains(written, "goroutine") {
				t.Error("a stack was written to the screen")
			}
			told(t, p, c.says, c.logged)
		})
	}
}

// A terminal that is closed, as when a connection breaks, ends the program.
func TestClosedTerminalEndsTheProgram(t *testing.T) {
	t.Parallel()
	p := newTerminal(t, 100, 30)
	p.log = filepath.Join(t.TempDir(), "log")
	p.start("culprit", "demo", "--log", p.log)
	p.await("lab-orders", 0)
	must(t, p.master.Close())
	if code := p.end(); code != 129 {
		t.Errorf("exit code %d, want that of a hangup", code)
	}
	told(t, p, "hangup", "hangup")
}

// told checks what standard error and the log say.
func told(t *testing.T, p *terminal, says, logged string) {
	t.Helper()
	stderr := readFile(t, p.stderr)
	if says == "" && stderr != "" || !strings.Contains(stderr, says) || strings.Contains(stderr, "\x1b") {
		t.Errorf("standard error says %q, want %q", stderr, says)
	}
	lines := strings.Split(strings.TrimSpace(readFile(t, p.log)), "\n")
	var last map[string]any
	for _, l := range lines {
		last = nil
		if err := json.Unmarshal([]byte(l), &last); err != nil {
			t.Fatalf("the log holds %q: %v", l, err)
		}
	}
	if reason, _ := last["reason"].(string); !strings.Contains(reason, logged) {
		t.Errorf("the log ends with %v, want %q", last, logged)
	}
	if stack, _ := last["stack"].(string); last["msg"] == "failed" && !strings.Contains(stack, "goroutine") {
		t.Errorf("the log has no stack of the defect: %v", last)
	}
}

// key types on the terminal.
func (p *terminal) key(text string) {
	p.t.Helper()
	_, err := p.master.WriteString(text)
	must(p.t, err)
}

func signalled(s os.Signal) func(*terminal) {
	return func(p *terminal) { must(p.t, p.cmd.Process.Signal(s)) }
}
