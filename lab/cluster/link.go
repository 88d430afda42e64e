package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// link is a slow way to a TaskManager's data port: the TaskManager listens on one port and tells the others
// another one, which is the link's. They ask it for records there, and the records come back over the same
// connection.
type link struct {
	listener net.Listener
	target   string // where the TaskManager listens
	rate     int    // bytes a second in each direction
	pumps    errgroup.Group
	cancel   context.CancelFunc
}

func startLink(ctx context.Context, rate int) (*link, error) {
	ports, err := freePorts(ctx, 1)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "localhost:0")
	if err != nil {
		return nil, fmt.Errorf("open a link: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &link{listener: listener, target: "localhost:" + strconv.Itoa(ports[0]), rate: rate, cancel: cancel}
	l.pumps.Go(func() error { return l.serve(ctx) })
	return l, nil
}

// options are those of the TaskManager behind the link.
func (l *link) options() []string {
	_, outside, _ := net.SplitHostPort(l.listener.Addr().String()) // what Listen made can be split
	_, inside, _ := net.SplitHostPort(l.target)
	return []string{"-Dtaskmanager.data.port=" + outside, "-Dtaskmanager.data.bind-port=" + inside}
}

// close ends all connections and waits until they are gone.
func (l *link) close() {
	l.cancel()
	_ = l.listener.Close() // nothing is lost with it
	_ = l.pumps.Wait()     // how connections end does not matter
}

func (l *link) serve(ctx context.Context) error {
	for {
		caller, err := l.listener.Accept()
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		l.pumps.Go(func() error { return l.join(ctx, caller) })
	}
}

// join carries what the two ends send until one of them has enough.
func (l *link) join(ctx context.Context, caller net.Conn) error {
	var dialer net.Dialer
	worker, err := dialer.DialContext(ctx, "tcp", l.target)
	if err != nil {
		return errors.Join(err, caller.Close())
	}
	stop := context.AfterFunc(ctx, func() {
		_ = errors.Join(caller.Close(), worker.Close()) // so that the pumps end
	})
	defer stop()
	var both errgroup.Group
	both.Go(func() error { return errors.Join(l.pump(ctx, caller, worker), caller.Close(), worker.Close()) })
	both.Go(func() error { return errors.Join(l.pump(ctx, worker, caller), caller.Close(), worker.Close()) })
	return both.Wait()
}

// pump copies pieces of a few ms and waits until each has had its time. What the kernel keeps between the
// ends is made small, as it would hold seconds of data.
func (l *link) pump(ctx context.Context, to, from net.Conn) error {
	const buffer = 32 << 10
	if err := errors.Join(small(from, buffer), small(to, buffer)); err != nil {
		return err
	}
	piece := make([]byte, max(l.rate/100, 1))
	due := time.Now()
	for {
		n, err := from.Read(piece)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the link: %w", err)
		}
		if now := time.Now(); due.Before(now) {
			due = now
		}
		due = due.Add(time.Duration(n) * time.Second / time.Duration(l.rate))
		if err = pauseUntil(ctx, due); err != nil {
			return err
		}
		if _, err = to.Write(piece[:n]); err != nil {
			return fmt.Errorf("send over the link: %w", err)
		}
	}
}

func small(conn net.Conn, buffer int) error {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return fmt.Errorf("unexpected connection %T", conn)
	}
	return errors.Join(tcp.SetReadBuffer(buffer), tcp.SetWriteBuffer(buffer))
}

func pauseUntil(ctx context.Context, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
