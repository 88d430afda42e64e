package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// Binary is a built culprit at this path, which is run as any script would.
type Binary string

// Build builds culprit at this path. The current folder is that of the repository.
func Build(ctx context.Context, path string) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "./cmd/culprit")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build culprit: %w\n%s", err, out)
	}
	return nil
}

// Check is a Check. Exit codes 0 to 3 are verdicts, others are errors.
func (b Binary) Check(ctx context.Context, url, job string, watch Watch) (Verdict, error) {
	answer, replay, err := b.check(ctx, url, watch, "--job", job)
	if err != nil {
		return Verdict{}, err
	}
	verdict, err := parseVerdict(answer.out)
	if err != nil {
		return Verdict{}, fmt.Errorf("%w\n%s%s", err, answer.out, answer.complaints)
	}
	verdict.Exit, verdict.Replay = answer.code, replay
	return verdict, nil
}

// CheckAll is a CheckAll.
func (b Binary) CheckAll(ctx context.Context, url string, watch Watch) (Fleet, error) {
	answer, replay, err := b.check(ctx, url, watch)
	if err != nil {
		return Fleet{}, err
	}
	verdicts, err := parseVerdicts(answer.out)
	if err != nil {
		err = fmt.Errorf("%w\n%s%s", err, answer.out, answer.complaints)
	}
	return Fleet{verdicts, string(answer.out), replay}, err
}

// check asks culprit; where a recording is asked for it is made anew and replayed.
func (b Binary) check(ctx context.Context, url string, watch Watch, more ...string) (said, *Replay, error) {
	args := append([]string{
		"check", url, "--for", watch.Most.String(), "--at-least", watch.Least.String(), "--format", "json",
	}, more...)
	if watch.Record == "" {
		answer, err := b.run(ctx, args...)
		return answer, nil, err
	}
	if err := os.Remove(watch.Record); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return said{}, nil, fmt.Errorf("record a check: %w", err)
	}
	answer, err := b.run(ctx, append(args, "--record", watch.Record)...)
	if err != nil {
		return answer, nil, err
	}
	return answer, b.replay(ctx, watch.Record, answer, more...), nil
}

type said struct {
	out, complaints []byte
	code            int
}

// run starts culprit and waits for its end.
func (b Binary) run(ctx context.Context, args ...string) (said, error) {
	cmd := exec.CommandContext(ctx, string(b), args...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return said{}, fmt.Errorf("run culprit: %w", err)
	}
	code := cmd.ProcessState.ExitCode()
	if code < 0 || code > 3 {
		return said{}, fmt.Errorf("culprit check ended with %d: %s", code, complaints.String())
	}
	return said{out.Bytes(), complaints.Bytes(), code}, nil
}
