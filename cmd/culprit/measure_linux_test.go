package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi/sim"
)

// measured builds the program as it is shipped; such tests take minutes and run where CULPRIT_MEASURE is set.
func measured(t *testing.T) string {
	t.Helper()
	if os.Getenv("CULPRIT_MEASURE") == "" {
		t.Skip("set CULPRIT_MEASURE to measure")
	}
	path := filepath.Join(t.TempDir(), "culprit")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// Over a line of 20 kB a second a key is answered soon, also while numbers change.
func TestMeasureSlowLink(t *testing.T) {
	path := measured(t)
	const bytesPerSecond, refreshes = 20_000, 10
	p := newTerminal(t, 120, 36)
	p.pause = time.Second / bytesPerSecond
	p.run(exec.CommandContext(t.Context(), path, "demo", "--log", "off"))
	first := p.await("CULPRIT", 0)
	p.await("held back", 0)
	before := len(p.written())
	time.Sleep(refreshes * time.Second)
	each := (len(p.written()) - before) / refreshes
	t.Logf("the verdict after %v; %d bytes a second with a look at the job each second", first, each)
	if each > bytesPerSecond/4 {
		t.Errorf("%d bytes a second leave too little of a line of %d", each, bytesPerSecond)
	}
	var worst time.Duration
	for _, k := range [][2]string{{"?", "show all keys"}, {"?", "ladder"}, {"e", "for "}, {"e", "ladder"}} {
		at := len(p.written())
		p.key(k[0])
		took := p.await(k[1], at)
		t.Logf("%q is on the screen after %v", k[0], took)
		worst = max(worst, took)
	}
	if worst > 2*time.Second {
		t.Errorf("a key is answered after %v", worst)
	}
	p.key("q")
	if code := p.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A screen that nobody touches, on a cluster that is watched, takes less than 1 % of a core.
func TestMeasureIdle(t *testing.T) {
	path := measured(t)
	p := newTerminal(t, 120, 36)
	scenario, _ := sim.Lookup("slow-sink")
	cluster := scenario.Cluster(time.Now())
	follow := cluster.Follow(time.Now, 1) // in this process: its work is not the monitor's
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		follow()
		cluster.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.run(exec.CommandContext(t.Context(), path, server.URL, "--log", "off"))
	p.await("CULPRIT", 0)
	// What else runs on the machine makes the same work dearer, so a second minute may show it cheaper.
	const span, most, tries = time.Minute, 0.01, 2
	share := 1.0
	for n := 1; n <= tries && share > most; n++ {
		before := cpu(t, p.cmd.Process.Pid)
		time.Sleep(span)
		used := cpu(t, p.cmd.Process.Pid) - before
		share = used.Seconds() / span.Seconds()
		t.Logf("minute %d: %v of CPU in %v: %.2f %% of a core", n, used, span, 100*share)
	}
	if share > most {
		t.Errorf("%.2f %% of a core, want less than 1", 100*share)
	}
	p.key("q")
	p.end()
}

// cpu is the time that a process has computed so far, in user and in system mode.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat := readFile(t, filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	var ticks int
	for _, f := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(f)
		must(t, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
