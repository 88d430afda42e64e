package diagnose

import (
	"strings"
	"testing"
	"time"
)

func TestSenselessThresholdsAreRefused(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ name, value, want string }{
		{"busy", "1.2", `threshold busy: "1.2" is not a number from 0.08 to 1`},
		{"busy", "-0.1", "not a number from 0.08 to 1"},
		{"busy", "NaN", "not a number from 0.08 to 1"},
		{"firm-share", "0", `threshold firm-share: "0" is not a number from 0.3 to 1`},
		{"record-skew", "0.5", "not a number from 1 to 200"},
		{"timers-least", "-1", "not a number from 10 to 10000"},
		{"slot", "1ns", `threshold slot: "1ns" is not a duration from 1s to 5m0s`},
		{"slot", "-10s", "not a duration from 1s to 5m0s"},
		{"slot", "0", "not a duration from 1s to 5m0s"},
		{"repeats", "0", "not a whole number from 1 to 300"},
		{"repeats", "2.5", "not a whole number"},
		{"bussy", "0.5", "no threshold is called"},
	} {
		o := DefaultOptions()
		if err := o.SetThreshold(one.name, one.value); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s=%s: %v", one.name, one.value, err)
		}
	}
}

func TestEveryThresholdHasARangeAroundItsDefault(t *testing.T) {
	t.Parallel()
	limits := defaultThresholds()
	for _, e := range limits.entries() {
		if x := e.number(); e.least <= 0 || e.least > x || e.most < x {
			t.Errorf("%s is %s, and may be from %s", e.name, e.text(), e.bounds())
		}
	}
}

func TestThresholdsThatCrossAreRefused(t *testing.T) {
	t.Parallel()
	o := DefaultOptions()
	if _, err := o.Check(); err != nil {
		t.Fatalf("the defaults: %v", err)
	}
	if err := o.SetThreshold("low", "0.6"); err != nil {
		t.Fatal(err)
	}
	pair, err := o.Check()
	if err == nil || err.Error() != "low is 0.6, which is above high, which is 0.5" || pair != [2]string{"low", "high"} {
		t.Errorf("%v: %v", pair, err)
	}
	if err := o.SetThreshold("high", "0.6"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Check(); err != nil {
		t.Errorf("level ones: %v", err)
	}
	limits := defaultThresholds()
	for _, row := range ascending() {
		for _, name := range row {
			if _, ok := limits.at(name); !ok {
				t.Errorf("no threshold is called %s", name)
			}
		}
	}
}

func TestDurationsHaveDaysAndWeeks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"7d": 168 * time.Hour, "2w": 336 * time.Hour, "1w2d3h30m": 219*time.Hour + 30*time.Minute,
		"1.5d": 36 * time.Hour, "90s": 90 * time.Second, "0": 0, "-5s": -5 * time.Second,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "7", "7x", "3h1d", "1d-5s", "999999999w", "1..5d"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}
