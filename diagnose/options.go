package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"culprit/flinkapi"
)

// Options is what a user may set about the diagnosis. Make it with [DefaultOptions].
type Options struct {
	limits   thresholds
	silenced []string
	// LogRetention is how long the log behind the sources keeps a record; 0 where nobody has said.
	LogRetention time.Duration
	// Stopwatch is the clock that the stages of a step are measured with, for those who look at the program
	// itself; nil measures nothing. No verdict depends on it.
	Stopwatch flinkapi.Clock
}

// DefaultOptions are those of someone who sets nothing.
func DefaultOptions() Options { return Options{limits: defaultThresholds()} }

// SetThreshold overrides one threshold. The value is a duration ("45s"), a share or a ratio ("0.8"), or a
// count ("3"), as the threshold is.
func (o *Options) SetThreshold(name, value string) error {
	limits := o.limits
	e, ok := limits.at(name)
	if !ok {
		var names []string
		for _, t := range Thresholds() {
			names = append(names, t.Name)
		}
		return fmt.Errorf("no threshold is called %q; there are %s", name, strings.Join(names, ", "))
	}
	if err := e.set(value); err != nil {
		return fmt.Errorf("threshold %s: %w", name, err)
	}
	o.limits = limits
	return nil
}

// at returns the entry of that name, pointing into t, and leaves t's values as they are.
func (t *thresholds) at(name string) (entry, bool) {
	values := *t
	all := t.entries()
	*t = values
	i := slices.IndexFunc(all, func(e entry) bool { return e.name == name })
	if i < 0 {
		return entry{}, false
	}
	return all[i], true
}

// Check tells whether the thresholds make sense beside each other: it returns an error about the first two of
// which one must not be above the other, and their names.
func (o *Options) Check() (pair [2]string, err error) {
	limits := o.limits
	for _, row := range ascending() {
		for i := range row[1:] {
			low, _ := limits.at(row[i])
			high, _ := limits.at(row[i+1])
			if low.number() > high.number() {
				return [2]string{low.name, high.name}, fmt.Errorf("%s is %s, which is above %s, which is %s", low.name,
					low.text(), high.name, high.text())
			}
		}
	}
	return pair, nil
}

// number is the value for comparing it with others of its kind.
func (e entry) number() float64 {
	switch {
	case e.span != nil:
		return float64(*e.span)
	case e.ratio != nil:
		return *e.ratio
	}
	return float64(*e.count)
}

func (e entry) set(value string) error {
	switch {
	case e.span != nil:
		d, err := ParseDuration(value)
		if err != nil || !e.allows(float64(d)) {
			return fmt.Errorf("%q is not a duration from %s, such as %s", value, e.bounds(), e.text())
		}
		*e.span = d
	case e.ratio != nil:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !e.allows(x) {
			return fmt.Errorf("%q is not a number from %s, such as %s", value, e.bounds(), e.text())
		}
		*e.ratio = x
	default:
		n, err := strconv.Atoi(value)
		if err != nil || !e.allows(float64(n)) {
			return fmt.Errorf("%q is not a whole number from %s, such as %s", value, e.bounds(), e.text())
		}
		*e.count = n
	}
	return nil
}

// allows tells whether a value is within what users may set; NaN is not.
func (e entry) allows(x float64) bool { return x >= e.least && x <= e.most }

// bounds says what users may set: "1s to 5m0s", "0.3 to 1".
func (e entry) bounds() string {
	if e.span != nil {
		return time.Duration(e.least).String() + " to " + time.Duration(e.most).String()
	}
	return strconv.FormatFloat(e.least, 'g', -1, 64) + " to " + strconv.FormatFloat(e.most, 'g', -1, 64)
}

// ParseDuration reads a length of time as Go writes it, such as "90s" or "1h30m", with days and weeks before
// it: "7d", "2w", "1d12h".
func ParseDuration(text string) (time.Duration, error) {
	long := map[byte]time.Duration{'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour}
	rest, whole := text, time.Duration(0)
	for {
		i := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if i <= 0 || long[rest[i]] == 0 {
			break
		}
		n, err := strconv.ParseFloat(rest[:i], 64)
		const most = 1e6 // hours, far below what a duration holds
		if err != nil || n*long[rest[i]].Hours() > most {
			return 0, fmt.Errorf("%q is not a duration", text)
		}
		whole += time.Duration(n * float64(long[rest[i]]))
		if rest = rest[i+1:]; rest == "" {
			return whole, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || whole > 0 && d < 0 {
		return 0, fmt.Errorf("%q is not a duration", text)
	}
	return whole + d, nil
}

// text is the value as [Options.SetThreshold] takes it.
func (e entry) text() string {
	switch {
	case e.span != nil:
		return e.span.String()
	case e.ratio != nil:
		return strconv.FormatFloat(*e.ratio, 'g', -1, 64)
	}
	return strconv.Itoa(*e.count)
}

// Threshold is one line of the reference of thresholds.
type Threshold struct {
	Name, Default, Means string
	// Range is what may be set: "1s to 5m0s".
	Range string
}

// Thresholds are all thresholds with their defaults, in the order of the reference.
func Thresholds() []Threshold {
	var t thresholds
	all := t.entries()
	out := make([]Threshold, len(all))
	for i, e := range all {
		out[i] = Threshold{e.name, e.text(), e.means, e.bounds()}
	}
	return out
}

// Silence keeps a rule from alarming: it is asked, and what it says is told in one line and moves neither the
// severity nor the headline. Where it is the reason of a culprit no other reason is given. The rule is given
// by its name or by its code.
func (o *Options) Silence(nameOrCode string) error {
	rule, ok := RuleNamed(nameOrCode)
	switch {
	case !ok:
		return fmt.Errorf("no rule is called %q; `culprit explain` lists them", nameOrCode)
	case rule.indispensable():
		return fmt.Errorf("%s cannot be silenced: without it there is no verdict", rule.Name)
	}
	if !o.silences(rule.Name) {
		o.silenced = append(o.silenced, rule.Name)
	}
	return nil
}

// silences tells whether the rule of that name is silenced.
func (o *Options) silences(rule string) bool { return slices.Contains(o.silenced, rule) }
