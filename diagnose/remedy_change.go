package diagnose

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"culprit/flinkapi"
)

// defaultMark follows a value that was not read from the cluster, but is what Flink, or a connector, takes
// where nothing is set.
const defaultMark = " (default)"

// givenMark follows a value that the user gave.
const givenMark = " (as given)"

// byDefault is a value of a setting that cannot be read from the cluster, such as one of a client.
func byDefault(value string) string { return value + defaultMark }

// now says what a setting is now: "now 100" where that was read from the cluster, "instead of 100 (default)"
// where it was not.
func (r *Remedy) now() string {
	if strings.HasSuffix(r.From, defaultMark) || strings.HasSuffix(r.From, givenMark) {
		return "instead of " + r.From
	}
	return "now " + r.From
}

// from is a setting's value now, for a remedy; empty where the configuration was not read.
func (c *Case) from(key, normally string) string {
	value, set, known := c.setting(key)
	switch {
	case set:
		return withUnit(key, value)
	case known:
		return byDefault(normally)
	}
	return ""
}

// withUnit writes the value of a setting with its unit, where that is a length of time as a bare number,
// which Flink reads as milliseconds (TimeUtils).
func withUnit(key, value string) string {
	for _, end := range []string{"timeout", "interval", "ttl"} {
		if !strings.HasSuffix(key, end) {
			continue
		}
		if _, err := strconv.Atoi(value); err == nil {
			return value + " ms"
		}
	}
	return value
}

// scaled is a setting's value now and that times a factor, in the same unit; to is that of the default where
// the configuration was not read.
func (c *Case) scaled(key, normally string, factor float64) (from, to string) {
	from = c.from(key, normally)
	value := strings.TrimSuffix(from, defaultMark)
	if value == "" {
		value = normally
	}
	return from, multiplied(value, factor)
}

// multiplied multiplies an amount as Flink writes it ("64 mb", "0.4", "8"); empty where it is none.
func multiplied(value string, factor float64) string {
	n, unit, ok := amount(value)
	if !ok {
		return ""
	}
	n *= factor
	if size := unitSize(strings.ToLower(unit)); size.of == "memory" && n != math.Trunc(n) {
		n, unit = math.Round(n*size.size/1024), "kb" // Flink reads whole numbers of bytes only
	}
	const places = 1e3
	number := strconv.FormatFloat(math.Round(n*places)/places, 'f', -1, 64)
	if spaced := strings.TrimLeft(value, "0123456789."); strings.HasPrefix(spaced, " ") {
		number += " "
	}
	return number + unit
}

// amount splits an amount into its number and its unit.
func amount(value string) (n float64, unit string, ok bool) {
	value = strings.TrimSpace(value)
	unit = strings.TrimLeft(value, "0123456789.")
	n, err := strconv.ParseFloat(strings.TrimSuffix(value, unit), 64)
	return n, strings.TrimSpace(unit), err == nil
}

// fit is on which clusters a remedy makes sense; the zero value is all of them.
type fit struct {
	// backends are the state backends; none stands for any. One that is not known is one of them only where
	// that is said.
	backends backendSet
	// since is the first release that can do it, such as 114 for 1.14; 0 for any.
	since int
}

// backendSet holds kinds of state backends.
type backendSet uint8

func backendsOf(all ...backendKind) backendSet {
	var out backendSet
	for _, k := range all {
		out |= 1 << k
	}
	return out
}

func (s backendSet) has(k backendKind) bool { return s == 0 || s&(1<<k) != 0 }

// suits tells whether a remedy makes sense on this cluster, as far as that is known.
func (c *Case) suits(r *Remedy) bool {
	version := c.version()
	return (version == 0 || version >= r.fits.since) && r.fits.backends.has(c.backend())
}

// open are those of the remedies that change something: what a setting is now is filled in where a rule left
// it out, and a setting that has the wanted value already is no remedy, nor is what the cluster cannot do.
func (c *Case) open(all []Remedy) []Remedy {
	out := slices.DeleteFunc(slices.Clone(all), func(r Remedy) bool { return !c.suits(&r) })
	for i := range out {
		if r := &out[i]; r.From == "" && r.Key != "" {
			value, _, _ := c.setting(r.Key)
			r.From = withUnit(r.Key, value)
		}
	}
	return slices.DeleteFunc(out, func(r Remedy) bool { return r.To != "" && sameSetting(r.From, r.To) })
}

// fewerSlots is how many slots each TaskManager has, and half of them; to is empty where they have different
// numbers, or one.
func (c *Case) fewerSlots() (from, to string) {
	all := c.snapshot.TaskManagers
	if len(all) == 0 || all[0].Slots < 1 ||
		slices.ContainsFunc(all, func(t flinkapi.TaskManager) bool { return t.Slots != all[0].Slots }) {
		return "", ""
	}
	if from = strconv.Itoa(all[0].Slots); all[0].Slots > 1 {
		to = strconv.Itoa(all[0].Slots / 2)
	}
	return from, to
}

// sameSetting tells whether two values of a setting mean the same, as Flink reads them: small and capital
// letters, blanks before units, and the units of memory and of time.
func sameSetting(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSuffix(a, defaultMark)), strings.ToLower(b)
	if strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "") {
		return true
	}
	n, unitOfA, okA := amount(a)
	m, unitOfB, okB := amount(b)
	x, y := unitSize(unitOfA), unitSize(unitOfB)
	return okA && okB && x.of == y.of && x.of != "" && n*x.size == m*y.size
}

// sizeOf is a unit's size in bytes or in milliseconds.
type sizeOf struct {
	of   string
	size float64
}

// unitSize knows the units of org.apache.flink.configuration.MemorySize and of TimeUtils, in small letters.
func unitSize(unit string) sizeOf {
	switch unit {
	case "b", "bytes":
		return sizeOf{"memory", 1}
	case "k", "kb", "kibibytes":
		return sizeOf{"memory", 1 << 10}
	case "m", "mb", "mebibytes":
		return sizeOf{"memory", 1 << 20}
	case "g", "gb", "gibibytes":
		return sizeOf{"memory", 1 << 30}
	case "ms", "milli", "millis":
		return sizeOf{"time", 1}
	case "s", "sec", "second", "seconds":
		return sizeOf{"time", 1e3}
	case "min", "minute", "minutes":
		return sizeOf{"time", 60e3}
	case "h", "hour", "hours":
		return sizeOf{"time", 3600e3}
	case "d", "day", "days":
		return sizeOf{"time", 86400e3}
	case "":
		return sizeOf{"number", 1}
	}
	return sizeOf{}
}
