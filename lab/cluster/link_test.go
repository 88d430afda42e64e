package cluster

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestLinkCarriesAllAtItsRate sends 100 kB over a link of 200 kB/s and back.
func TestLinkCarriesAllAtItsRate(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	l, err := startLink(ctx, 200_000)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	var config net.ListenConfig
	worker, err := config.Listen(ctx, "tcp", l.target)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Close() }() // nothing is lost with it
	echo := make(chan error, 1)
	go func() {
		caller, failure := worker.Accept()
		if failure == nil {
			_, failure = io.Copy(caller, caller)
		}
		echo <- failure
	}()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", l.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("0123456789"), 10_000)
	began := time.Now()
	go func() { _, _ = conn.Write(sent) }() // what is missing is missed below
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(conn, got); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 400*time.Millisecond {
		t.Errorf("100 kB there and back took %v", took)
	}
	if !bytes.Equal(got, sent) {
		t.Error("what came back is not what was sent")
	}
	_ = conn.Close()
	if err := <-echo; err != nil {
		t.Errorf("the worker's end: %v", err)
	}
}

func TestLinkTellsTheTaskManagerBothPorts(t *testing.T) {
	l, err := startLink(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	all := strings.Join(l.options(), " ")
	_, outside, _ := net.SplitHostPort(l.listener.Addr().String())
	if !strings.Contains(all, "taskmanager.data.port="+outside) ||
		!strings.Contains(all, "taskmanager.data.bind-port=") || strings.Contains(all, "bind-port="+outside) {
		t.Errorf("options %s", all)
	}
}
