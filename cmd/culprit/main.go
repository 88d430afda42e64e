// Command culprit watches an Apache Flink job and names the operator that holds it back.
package main

import (
	"context"
	"os"
)

func main() {
	ctx, stop := untilSignal(context.Background())
	code := run(ctx, os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv})
	stop()
	os.Exit(code)
}
