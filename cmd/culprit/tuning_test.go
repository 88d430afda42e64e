package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A flag that makes no sense is refused with its name, its value and what is allowed.
func TestSenselessFlagsAreRefused(t *testing.T) {
	t.Parallel()
	conf := filepath.Join(t.TempDir(), "culprit.yaml")
	if err := os.WriteFile(conf, []byte("thresholds:\n  low: 0.7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`--threshold: threshold busy: "1.2" is not a number from 0.08 to 1`: {"--threshold", "busy=1.2"},
		`"-5s" is not a duration from 1s`:                                   {"--threshold", "slot=-5s"},
		"--threshold: low is 0.6, which is above high, which is 0.5":        {"--threshold", "low=0.6"},
		conf + ": low is 0.7, which is above high, which is 0.5":            {"--config", conf},
		`--retention: "0" is not a duration above 0, such as 24h or 7d`:     {"--retention", "0"},
		`"7x" is not a duration above 0`:                                    {"--retention", "7x"},
		`no rule is called "b"`:                                             {"--silence", "burst,b"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"check", "--demo", "healthy"}, args...),
			console{out: &out, err: &errs, env: func(string) string { return "" }})
		if code == 0 || !strings.Contains(errs.String()+out.String(), want) {
			t.Errorf("%v: exit code %d: %s%s", args, code, out.String(), errs.String())
		}
	}
}

func TestFlagsTakeDaysAndLists(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{
		"check", "--demo", "healthy", "--retention", "7d", "--silence", "burst, heap-full", "--silence", "network",
		"--threshold", "low=0.6", "--threshold", "high=0.6",
	}, console{out: &out, err: &errs, env: func(string) string { return "" }})
	if code != 0 || errs.Len() > 0 {
		t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
	}
}

// A flag that would have no effect is refused, and so is help about what there is not.
func TestFlagsWithoutEffectAreRefused(t *testing.T) {
	t.Parallel()
	healthy := []string{"check", "--demo", "healthy"}
	for want, args := range map[string][]string{
		"--context has no effect: the cluster is simulated": append(healthy[:3:3], "--context", "x"),
		"--token-file has no effect":                        append(healthy[:3:3], "--token-file", "x"),
		"http://a:1 has no effect beside --demo healthy":    append(healthy[:3:3], "http://a:1"),
		"--redact has no effect without --record":           append(healthy[:3:3], "--redact", "names"),
		`--threshold: threshold firm-share: "0" is not a number`: append(healthy[:3:3],
			"--threshold", "firm-share=0"),
		"--apply has no effect beside --list":              {"demo", "--list", "--apply", "x"},
		`no command is called "nosuch"`:                    {"help", "nosuch"},
		`no command is called "chek"; did you mean check?`: {"help", "chek"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, console{out: &out, err: &errs, env: func(string) string { return "" }})
		if code == 0 || !strings.Contains(errs.String()+out.String(), want) {
			t.Errorf("%v: exit code %d: %s%s", args, code, out.String(), errs.String())
		}
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"help", "check"}, console{out: &out, err: &errs})
	if code != 0 || !strings.Contains(out.String(), "--at-least") {
		t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
	}
}

// A file without contexts says that it has none.
func TestAConfigurationWithoutContextsSaysSo(t *testing.T) {
	t.Parallel()
	conf := filepath.Join(t.TempDir(), "culprit.yaml")
	if err := os.WriteFile(conf, []byte("current-context: prod\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"config", "check", conf},
		console{out: &out, err: &errs, env: func(string) string { return "" }})
	if code == 0 || !strings.Contains(errs.String(), "there are none in this file") {
		t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
	}
}
