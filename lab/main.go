package lab

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a command of the lab until it is done or somebody interrupts it, prints why it failed, and
// returns the program's exit code. What the command started it must stop when its context ends.
func Main(name string, run func(ctx context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		return 1
	}
	return 0
}
