package tape

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"culprit/flinkapi"
)

// reducer takes out of an answer whatever is not on the list of fields, and secrets out of the texts that
// stay.
type reducer struct {
	settings []string
	names    *pseudonyms // nil keeps the names
	cache    map[string]string
}

// cacheLimit bounds the texts whose scrubbed form is remembered; most come again in each look.
const cacheLimit = 20_000

func newReducer(keys []string, hideNames bool) *reducer {
	r := &reducer{settings: slices.Concat(keys, flinkapi.SettingsRead()), cache: map[string]string{}}
	if hideNames {
		r.names = newPseudonyms()
	}
	return r
}

// body reduces an answer of a path; it fails when the answer is no JSON or the path not on the list.
func (r *reducer) body(pattern string, raw []byte) ([]byte, bool) {
	s := shapesOnce()[pattern]
	if s == nil {
		return nil, false
	}
	value, ok := decode(raw)
	if !ok {
		return nil, false
	}
	kept, ok := r.keep(s, value)
	if !ok {
		return nil, false
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(kept) != nil {
		return nil, false
	}
	return bytes.Clone(bytes.TrimRight(out.Bytes(), "\n")), true
}

func decode(raw []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

// keep returns what stays of a value.
func (r *reducer) keep(s *shape, value any) (any, bool) {
	switch s.kind {
	case object:
		return r.keepObject(s, value)
	case dictionary:
		return r.keepDictionary(s, value)
	case list:
		all, ok := value.([]any)
		if !ok {
			return nil, false
		}
		out := make([]any, 0, len(all))
		for _, one := range all {
			if kept, ok := r.keep(s.elem, one); ok {
				out = append(out, kept)
			}
		}
		return out, true
	case settings:
		return r.keepSettings(value)
	case threads:
		return r.keepThreads(value)
	default:
		return r.keepScalar(s.kind, value)
	}
}

func (r *reducer) keepObject(s *shape, value any) (any, bool) {
	if text, is := value.(string); is { // older versions give the plan as a text
		value, _ = decode([]byte(text))
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	out := make(map[string]any, len(s.fields))
	for key, shape := range s.fields {
		if one, there := fields[key]; there {
			if kept, ok := r.keep(shape, one); ok {
				out[key] = kept
			}
		}
	}
	return out, true
}

func (r *reducer) keepDictionary(s *shape, value any) (any, bool) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	out := make(map[string]any, len(fields))
	for key, one := range fields {
		if !patterns().word.MatchString(key) {
			continue
		}
		if kept, ok := r.keep(s.elem, one); ok {
			out[key] = kept
		}
	}
	return out, true
}

func (r *reducer) keepScalar(k kind, value any) (any, bool) {
	text, is := value.(string)
	if !is {
		switch value.(type) {
		case json.Number, bool:
			return value, true
		}
		return nil, false
	}
	switch k {
	case number:
		return text, numeric(text)
	case word, id:
		return text, patterns().word.MatchString(text)
	default:
		return r.text(k, text), true
	}
}

// numeric tells whether a text is a number or truth value as Flink writes it.
func numeric(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil || errors.Is(err, strconv.ErrRange) || text == "true" || text == "false"
}

// text returns a text without secrets and, where names are hidden, without those.
func (r *reducer) text(k kind, text string) string {
	key := string(rune(k)) + text
	if kept, known := r.cache[key]; known {
		return kept
	}
	out := text
	switch k {
	case metric, thread:
		before := given(k, text)
		out = flinkapi.HideSecretsInName(before) + text[len(before):]
	case name, frame:
		out = flinkapi.HideSecretsInName(text)
	case described: // in HTML, whose quotes tell where a secret ends
		out = flinkapi.HideSecrets(strings.ReplaceAll(text, "&quot;", `"`))
	case worker: // an id, which ends up in paths
	case host:
		if strings.Contains(text, "://") { // an address may have a login
			out = flinkapi.HideSecrets(text)
		}
	default:
		out = flinkapi.HideSecrets(text)
	}
	if r.names != nil {
		out = r.names.replace(k, out)
	}
	if len(r.cache) >= cacheLimit {
		clear(r.cache)
	}
	const longest = 1 << 12 // a longer one hardly comes again
	if len(text) <= longest {
		r.cache[key] = out
	}
	return out
}

// given is what people named in a metric's id or in a thread's name: what stands after that is Flink's, and
// is not taken for a part of a secret.
func given(k kind, text string) string {
	if k == thread {
		if at := patterns().task.FindStringIndex(text); at != nil {
			return strings.TrimSuffix(text[:at[0]], " ")
		}
		return text
	}
	for _, s := range flinkapi.Signals() {
		if before, is := s.Info().Before(text); is {
			return strings.TrimSuffix(before, ".")
		}
	}
	return text
}

// path and query return the question as the player will be asked it.
func (r *reducer) path(pattern, path string) string {
	if r.names == nil || !strings.Contains(pattern, "{id}") {
		return path
	}
	segments, want := strings.Split(path, "/"), strings.Split(pattern, "/")
	for i := range min(len(segments), len(want)) {
		if id, err := url.PathUnescape(segments[i]); want[i] == "{id}" && err == nil {
			segments[i] = url.PathEscape(r.text(worker, id))
		}
	}
	return strings.Join(segments, "/")
}

func (r *reducer) query(query string) string {
	names, is := namesOf(query)
	if !is {
		return query
	}
	for i := range names {
		names[i] = url.QueryEscape(r.text(metric, names[i]))
	}
	return "get=" + strings.Join(names, ",")
}

// namesOf returns the metrics that a query asks for.
func namesOf(query string) (names []string, is bool) {
	list, is := strings.CutPrefix(query, "get=")
	if !is {
		return nil, false
	}
	names = strings.Split(list, ",")
	for i := range names {
		if plain, err := url.QueryUnescape(names[i]); err == nil {
			names[i] = plain
		}
	}
	return names, true
}

func (r *reducer) keepSettings(value any) (any, bool) {
	all, ok := value.([]any)
	if !ok {
		return nil, false
	}
	out := []any{}
	for _, one := range all {
		setting, _ := one.(map[string]any)
		key, _ := setting["key"].(string)
		value, _ := setting["value"].(string)
		if slices.Contains(r.settings, key) && flinkapi.KeptSetting(key, value) {
			out = append(out, map[string]any{"key": key, "value": r.text(option, value)})
		}
	}
	return out, true
}

// keepThreads keeps the threads of tasks; others tell nothing about a job, and may hold anything.
func (r *reducer) keepThreads(value any) (any, bool) {
	all, ok := value.([]any)
	if !ok {
		return nil, false
	}
	out := []any{}
	for _, one := range all {
		given, _ := one.(map[string]any)
		name, _ := given["threadName"].(string)
		text, _ := given["stringifiedThreadInfo"].(string)
		if !patterns().task.MatchString(name) {
			continue
		}
		kept := r.text(thread, name)
		if rest, quoted := strings.CutPrefix(text, `"`+name+`"`); quoted {
			text = `"` + kept + `"` + r.text(stack, rest)
		} else {
			text = r.text(stack, text)
		}
		out = append(out, map[string]any{"threadName": kept, "stringifiedThreadInfo": text})
	}
	return out, true
}

type wordPatterns struct{ word, task *regexp.Regexp }

//nolint:gochecknoglobals // constant patterns, in Go's only form for them
var patterns = sync.OnceValue(func() wordPatterns {
	return wordPatterns{
		word: regexp.MustCompile(`^[\w.\-]{0,100}$`),
		task: regexp.MustCompile(`\(\d{1,9}/\d{1,9}\)#\d{1,9}$`),
	}
})
