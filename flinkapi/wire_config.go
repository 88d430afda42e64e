package flinkapi

import (
	"slices"
	"strings"
	"time"
)

// wireSettings is /jobmanager/config (…rest.messages.ConfigurationInfo): only keys that were set, secrets
// masked.
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobmanager-config
type wireSettings []struct {
	Key   text `json:"key"`
	Value text `json:"value"`
}

func (w wireSettings) recognised() bool { return w != nil }

// fetchIntervalKey is how often the JobManager collects metrics; 0 switches that off.
const fetchIntervalKey = "metrics.fetcher.update-interval"

func (w wireSettings) fetchInterval() (time.Duration, bool) {
	for _, setting := range w {
		if setting.Key == fetchIntervalKey {
			return parseDuration(string(setting.Value))
		}
	}
	return 0, false
}

// parseDuration reads a duration as Flink's configuration spells it (org.apache.flink.util.TimeUtils): a
// number and a unit, with or without a space between; a bare number is ms.
func parseDuration(s string) (time.Duration, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(s)
	}
	x, known := parseNumber(s[:digits]).Float()
	if !known {
		return 0, false
	}
	units := map[string]time.Duration{
		"":  time.Millisecond,
		"d": 24 * time.Hour, "day": 24 * time.Hour,
		"h": time.Hour, "hour": time.Hour,
		"m": time.Minute, "min": time.Minute, "minute": time.Minute,
		"s": time.Second, "sec": time.Second, "second": time.Second,
		"ms": time.Millisecond, "milli": time.Millisecond, "millisecond": time.Millisecond,
		"µs": time.Microsecond, "micro": time.Microsecond, "microsecond": time.Microsecond,
		"ns": time.Nanosecond, "nano": time.Nanosecond, "nanosecond": time.Nanosecond,
	}
	name := strings.TrimSpace(s[digits:])
	unit, ok := units[name]
	if !ok {
		unit, ok = units[strings.TrimSuffix(name, "s")] // days, millis
	}
	const longest = float64(365 * 24 * time.Hour)
	if !ok || x*float64(unit) > longest {
		return 0, false
	}
	return time.Duration(x * float64(unit)), true
}

// longestSetting bounds a setting that is kept, in bytes: what is longer is a list of paths or a script.
const longestSetting = 200

// SettingsRead are the keys of the cluster's options that a [Collector] itself goes by.
func SettingsRead() []string { return []string{fetchIntervalKey, flameSetting} }

// settings keeps what the diagnosis may name, by its key: the keys wanted, or all where wanted is nil.
func (w wireSettings) settings(wanted []string) map[string]string {
	kept := make(map[string]string, len(w))
	for _, setting := range w {
		key, value := setting.Key.line(), setting.Value.line()
		if wanted != nil && !slices.Contains(wanted, key) && !slices.Contains(SettingsRead(), key) {
			continue
		}
		if KeptSetting(key, value) {
			kept[key] = value
		}
	}
	return kept
}

// KeptSetting tells whether an option of the cluster may be kept: it says how jobs run, holds no secret and
// is not too long.
func KeptSetting(key, value string) bool {
	return telling(key) && !secret(key, value) && len(value) <= longestSetting
}

// telling tells whether an option says something about how jobs run.
func telling(key string) bool {
	families := []string{
		"state.", "execution.", "pipeline.", "taskmanager.", "jobmanager.", "metrics.", "table.",
		"restart-strategy", "cluster.", "heartbeat.",
	}
	single := []string{
		"rest.flamegraph.enabled", "web.checkpoints.history", "parallelism.default", "kubernetes.cluster-id",
		"kubernetes.taskmanager.cpu.amount", "kubernetes.taskmanager.cpu.limit-factor",
	}
	return slices.Contains(single, key) ||
		slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(key, family) })
}

// secret recognises an option that may hold a secret, masked or not
// (org.apache.flink.configuration.GlobalConfiguration.SENSITIVE_KEYS), and an address with a login.
func secret(key, value string) bool {
	signs := []string{
		"password", "secret", "credential", "token", "apikey", "api-key", "access-key", "account.key",
		"service-key", "auth-params", "basic-auth", "jaas.config", "http-headers",
	}
	key = strings.ToLower(key)
	login := strings.Contains(value, "://") && strings.Contains(value, "@")
	return login || value == "******" ||
		slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(key, sign) })
}

// wireJobConfig is /jobs/:jobid/config (…rest.messages.JobConfigInfo).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-config
type wireJobConfig struct {
	ID        text `json:"jid"`
	Execution struct {
		Parallelism number `json:"job-parallelism"` // -1 where none is set
		ObjectReuse flag   `json:"object-reuse-mode"`
	} `json:"execution-config"`
}

func (w wireJobConfig) recognised() bool { return w.ID.hex() != "" }

func (w wireJobConfig) parallelism() Value { return w.Execution.Parallelism.nonNegative() }

func (w wireJobConfig) objectReuse() Value { return w.Execution.ObjectReuse.value() }
