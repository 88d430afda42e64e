package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"culprit/diagnose"
	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// recordOne records an incident for a time and returns the file and what was seen.
func recordOne(t *testing.T, name string, span time.Duration) (string, []*diagnose.Observation) {
	t.Helper()
	scenario, ok := sim.Lookup(name)
	if !ok {
		t.Fatal(name)
	}
	path := filepath.Join(t.TempDir(), name+".culprit")
	return path, record(t, scenario, path, tape.Options{}).run(t, span)
}

// headlines plays a recording to its end.
func headlines(t *testing.T, path string) []string {
	t.Helper()
	monitor := diagnose.NewMonitor(play(t, path), diagnose.DefaultOptions())
	var all []string
	for {
		obs, err := monitor.Step(t.Context(), diagnose.Ask{})
		switch {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			all = append(all, err.Error())
		default:
			all = append(all, headlineOf(obs))
		}
	}
}

func headlineOf(obs *diagnose.Observation) string {
	if obs == nil || obs.Report == nil {
		return ""
	}
	return obs.Report.Headline
}

// TestCutRecordings cuts a recording at many places: each piece replays to its last whole look.
func TestCutRecordings(t *testing.T) {
	t.Parallel()
	path, live := recordOne(t, "hot-key", 75*time.Second)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	said := make([]string, len(live))
	for i, obs := range live {
		said[i] = headlineOf(obs)
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // places to cut, the same each time
	before, beforeCut := -1, 0
	for range 50 {
		cut := random.IntN(len(whole))
		piece := filepath.Join(t.TempDir(), "cut.culprit")
		if err := os.WriteFile(piece, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		recording, err := tape.Open(piece)
		if err != nil {
			const firstLook = 2000 // what the header and the first look take at most
			if cut > firstLook {
				t.Errorf("cut at %d of %d: %v", cut, len(whole), err)
			}
			continue
		}
		n, ended := recording.Len(), recording.Cut() == nil
		_ = recording.Close()
		if ended && cut < len(whole)-8 {
			t.Errorf("cut at %d of %d, and nothing tells of it", cut, len(whole))
		}
		if before >= 0 && (cut-beforeCut)*(n-before) < 0 {
			t.Errorf("cut at %d there are %d looks, at %d there are %d", cut, n, beforeCut, before)
		}
		before, beforeCut = n, cut
		if diff := cmp.Diff(said[:n], headlines(t, piece)); diff != "" {
			t.Fatalf("cut at %d (-promised +played):\n%s", cut, diff)
		}
	}
}

// TestDamagedRecording breaks a member in the middle: the others are played, and the screen is told.
func TestDamagedRecording(t *testing.T) {
	t.Parallel()
	path, _ := recordOne(t, "healthy", 15*time.Minute)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	marks := bytes.Count(whole, []byte("culprit\x01"))
	if marks < 3 {
		t.Fatalf("the recording has %d members, too few to damage one", marks)
	}
	second := len(whole)/2 - 50
	copy(whole[second:], bytes.Repeat([]byte{0xff}, 100))
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	player := play(t, path)
	monitor := diagnose.NewMonitor(player, diagnose.DefaultOptions())
	looks, told := 0, ""
	for {
		obs, err := monitor.Step(t.Context(), diagnose.Ask{})
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		looks++
		for _, p := range obs.Snapshot.Problems {
			if p.Subject == "the recording" {
				told = p.Err.Detail
			}
		}
	}
	if !strings.HasSuffix(told, " are damaged and were passed over") {
		t.Errorf("the damage is told as %q", told)
	}
	if looks < player.Len()/2 || looks >= player.Len() {
		t.Errorf("%d of %d looks were played", looks, player.Len())
	}
}

// TestOldFormat plays a recording that the first version of the format made.
func TestOldFormat(t *testing.T) {
	t.Parallel()
	all := headlines(t, filepath.Join("testdata", "format-1.culprit"))
	const looks = 60
	if last := all[len(all)-1]; len(all) != looks || !strings.HasPrefix(last, "jdbc-upsert -> warehouse: Writer holds") {
		t.Errorf("%d looks, the last of which says %q", len(all), last)
	}
}

// TestKilledRecorder kills the program itself while it records.
func TestKilledRecorder(t *testing.T) {
	t.Parallel()
	const enough = 15_000
	if got := headlines(t, killedAt(t, serveSimulated(t), enough)); len(got) < 3 {
		t.Errorf("%d looks are left", len(got))
	}
}

// TestMeasureKills kills the recorder at 50 moments, from its first bytes on to some dozens of looks, and
// prints what is left of each recording. Of one that is killed before the end of its first look there is
// nothing to replay, and that is what it has to say; each other one replays.
func TestMeasureKills(t *testing.T) {
	if os.Getenv("CULPRIT_MEASURE") == "" {
		t.Skip("set CULPRIT_MEASURE to 1")
	}
	address := serveSimulated(t)
	t.Log("  bytes  looks  cut off")
	early, replayed := 0, 0
	const kills = 50
	for i := range kills {
		path := killedAt(t, address, int64(1+i*150))
		whole, err := os.ReadFile(path)
		must(t, err)
		recording, err := tape.Open(path)
		if err != nil {
			t.Logf("%7d      -  %v", len(whole), err)
			early++
			if looksIn(whole) > 0 || !strings.Contains(err.Error(), "before the end of its first look") {
				t.Errorf("%d bytes with %d looks cannot be read: %v", len(whole), looksIn(whole), err)
			}
			continue
		}
		t.Logf("%7d  %5d  %v", len(whole), recording.Len(), recording.Cut() != nil)
		got := headlines(t, path)
		must(t, recording.Close())
		if n := looksIn(whole); len(got) != n {
			t.Errorf("%d of %d looks replay", len(got), n)
			continue
		}
		replayed++
	}
	t.Logf("%d of %d kills replay to the last whole look; %d came before the end of the first one", replayed,
		kills, early)
	if replayed+early != kills || replayed < kills/2 {
		t.Error("not all of them do")
	}
}

// looksIn counts the whole looks of a recording without its reader: the lines that end one.
func looksIn(packed []byte) int {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return 0
	}
	all, _ := io.ReadAll(reader) // as far as it goes
	n := 0
	for line := range bytes.Lines(all) {
		if bytes.HasPrefix(line, []byte(`{"look":`)) && bytes.HasSuffix(line, []byte("\n")) {
			n++
		}
	}
	return n
}

// serveSimulated serves a simulated cluster, whose time passes as ours does, and returns its address.
func serveSimulated(t *testing.T) string {
	t.Helper()
	scenario, _ := sim.Lookup("slow-sink")
	cluster := scenario.Cluster(morning)
	advance := cluster.Follow(flinkapi.WallClock, 1)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			advance()
			cluster.Handler().ServeHTTP(w, r)
		}),
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String()
}

// killedAt records a cluster by the program itself, kills it once it has written so many bytes, and returns
// the file.
func killedAt(t *testing.T, address string, enough int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "killed.culprit")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, self, "record", "http://"+address, "-o", path, "--interval", "100ms") //nolint:gosec // this test itself
	program.Env = append(os.Environ(), killed+"=1")
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	for ctx.Err() == nil {
		if info, err := os.Stat(path); err == nil && info.Size() >= enough {
			break
		}
		time.Sleep(5 * time.Millisecond) // until another process has written so much
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait()
	return path
}
