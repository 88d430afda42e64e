package flinkapi

import (
	"regexp"
	"strings"
	"sync"
)

// Hidden stands where a secret was.
const Hidden = "***"

// actorSystem stands for the @ after the name of one of Flink's actor systems, which looks like a login but
// comes before the host in each address of a TaskManager: pekko.tcp://flink@host:6122/user/rpc/taskmanager_0.
// A control character is in no text that is shown.
const actorSystem = "\x01"

type secretRule struct {
	sign    string // what a text has, in lower case, where the pattern may match; empty for any text
	pattern *regexp.Regexp
	with    string
}

//nolint:gochecknoglobals // constant patterns, in Go's only form for them
var secretRules = sync.OnceValue(func() []secretRule {
	const (
		keys = `(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|api[-_.]?key|access[-_.]?key|` +
			`account[-_.]?key|service[-_.]?key|private[-_.]?key|shared[-_.]?key|auth[-_.]?params|basic[-_.]?auth|` +
			`signature|authorization|session[-_.]?id|sig)`
		quoted = `"(?:[^"\\]|\\.)*"|'[^']*'`
		bare   = `[^\s,;&"'<)}\]|]+`
		scheme = `(?:(?:Bearer|Basic|Digest|Negotiate)\s+)?`
	)
	return []secretRule{
		{"-----begin", regexp.MustCompile(`-----BEGIN[^-]*-----(?s:.*?)(?:-----END[^-]*-----|\z)`), Hidden},
		{"://", regexp.MustCompile(`://(flink(?:-metrics)?)@`), "://${1}" + actorSystem},
		{"://", regexp.MustCompile(`://[^\s/@'"<>]+@`), "://" + Hidden + "@"},
		{"://", regexp.MustCompile(`://[^\s/@'"<>:]+:[^\s'"<>]*@`), "://" + Hidden + "@"},
		{"cookie", regexp.MustCompile(`(?i)(cookie2?["']?\s*[:=]\s*)[^\r\n"']+`), "${1}" + Hidden},
		{
			"", regexp.MustCompile(
				`(?i)(` + keys + `[\w.\-]*["']?\s*(?:=>|=|:)\s*)(?:` + scheme + `(?:` + quoted + `|` + bare + `))`,
			),
			"${1}" + Hidden,
		},
		{
			"", regexp.MustCompile(`(?i)\b(Bearer|Basic|Digest|Negotiate)\s+[\w+/=.~\-]*[\d=][\w+/=.~\-]*`),
			"${1} " + Hidden,
		},
		{"identified by", regexp.MustCompile(`(?i)(identified by\s+)\S+`), "${1}" + Hidden},
		{"", regexp.MustCompile(`\b(?:AKIA|ASIA|AGPA|AROA)[0-9A-Z]{12,}`), Hidden},
		{"eyj", regexp.MustCompile(`eyJ[\w\-]{8,}(?:\.[\w\-]*){0,2}`), Hidden},
	}
})

// longTokens matches what may be a key that nothing introduces.
//
//nolint:gochecknoglobals // a constant pattern, in Go's only form for it
var longTokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/=_\-]{32,}`) })

// HideSecrets hides what looks like a secret in a text of a cluster: logins in addresses, values of keys that
// speak of a secret, login headers, cookies, private keys, and long texts without any sense.
func HideSecrets(text string) string {
	lower := strings.ToLower(text)
	for _, r := range secretRules() {
		if strings.Contains(lower, r.sign) {
			text = r.pattern.ReplaceAllString(text, r.with)
		}
	}
	text = strings.ReplaceAll(text, actorSystem, "@")
	return longTokens().ReplaceAllStringFunc(text, func(token string) string {
		if senseless(token) {
			return Hidden
		}
		return token
	})
}

// HideSecretsInName is HideSecrets for what people named, where "token: Map" is no secret but the first word
// of a name: a colon counts only where no space follows.
func HideSecretsInName(text string) string {
	const apart = "\x00"
	return strings.ReplaceAll(HideSecrets(strings.ReplaceAll(text, ": ", apart)), apart, ": ")
}

// senseless tells whether a long token looks drawn by lot: capitals, small letters, and digits or the signs
// of base 64, often changing. Ids of Flink have one case of letters; in names and paths of classes the case
// changes once a word.
func senseless(token string) bool {
	var others, upper, lower, changes int
	before := 0
	for _, r := range token {
		class := 0
		switch {
		case r >= '0' && r <= '9':
			others, class = others+1, 1
		case r >= 'A' && r <= 'Z':
			upper, class = upper+1, 2
		case r >= 'a' && r <= 'z':
			lower, class = lower+1, 3
		}
		if class == 0 && r != '_' && r != '-' {
			others++
		}
		if before != 0 && class != before {
			changes++
		}
		before = class
	}
	const few = 3
	return others >= few && upper >= few && lower >= few && changes*3 >= len(token)
}
