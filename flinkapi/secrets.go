package flinkapi

import (
	"regexp"
	"slices"
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
	signs   []string // a text has one of them, in lower case, where the pattern may match
	pattern *regexp.Regexp
	with    string
	among   string // where it is not empty, the text has one of these characters as well
}

// may tells whether the rule may match a text, which is in lower case.
func (r secretRule) may(lower string) bool {
	if r.among != "" && !strings.ContainsAny(lower, r.among) {
		return false
	}
	return slices.ContainsFunc(r.signs, func(sign string) bool { return strings.Contains(lower, sign) })
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
	rule := func(pattern, with string, signs ...string) secretRule {
		return secretRule{signs: signs, pattern: regexp.MustCompile(pattern), with: with}
	}
	values := rule(
		`(?i)(`+keys+`[\w.\-]*["']?\s*(?:=>|=|:)\s*)(?:`+scheme+`(?:`+quoted+`|`+bare+`))`,
		"${1}"+Hidden, "pass", "pwd", "secret", "token", "credential", "api", "access", "account", "service",
		"private", "shared", "auth", "session", "sig",
	)
	values.among = "=:"
	return []secretRule{
		rule(`-----BEGIN[^-]*-----(?s:.*?)(?:-----END[^-]*-----|\z)`, Hidden, "-----begin"),
		rule(`://(flink(?:-metrics)?)@`, "://${1}"+actorSystem, "://"),
		rule(`://[^\s/@'"<>]+@`, "://"+Hidden+"@", "://"),
		rule(`://[^\s/@'"<>:]+:[^\s'"<>]*@`, "://"+Hidden+"@", "://"),
		// Flink writes an operator into a metric's id with _ for a colon, a dot and a space.
		rule(`_//[^\s/@'"<>]+@`, "_//"+Hidden+"@", "_//"),
		rule(
			`(?i)(jdbc[:_][a-z0-9]+[:_](?:[a-z0-9]+[:_])?)[^\s/@:'"<>]+/(?:"[^"]*"|[^\s@'"<>]+)@`,
			"${1}"+Hidden+"@", "jdbc",
		),
		rule(`(?i)(cookie2?["']?\s*[:=]\s*)[^\r\n"']+`, "${1}"+Hidden, "cookie"),
		values,
		rule(
			`(?i)\b(Bearer|Basic|Digest|Negotiate)\s+[\w+/=.~\-]*[\d=][\w+/=.~\-]*`, "${1} "+Hidden,
			"bearer", "basic", "digest", "negotiate",
		),
		rule(`(?i)(identified by\s+)\S+`, "${1}"+Hidden, "identified by"),
		rule(`eyJ[\w\-]{8,}(?:\.[\w\-]*){0,2}`, Hidden, "eyj"),
		issuedTokens(),
	}
})

// issuedTokens matches the tokens whose issuer marks them by how they begin: AWS, GitHub, GitLab, Slack,
// Stripe, Google, npm, PyPI, DigitalOcean, Vault, Databricks, SendGrid, and those that begin with sk-.
func issuedTokens() secretRule {
	patterns := []string{
		`(?:AKIA|ASIA|AGPA|AROA)[0-9A-Z]{12,}`,
		`gh[opsru]_[A-Za-z0-9]{16,}`, `github_pat_\w{16,}`,
		`gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-[\w\-]{8,}(?:\.\d\d\.\w+)?`,
		`xox[a-z](?:\.xox[a-z])?-[\w\-]{8,}`, `xapp-\d[\w\-]{8,}`,
		`[rs]k_(?:live|test)_\w{10,}`, `whsec_\w{16,}`,
		`AIza[\w\-]{30,}`, `ya29[._][\w\-]{20,}`,
		`npm_[A-Za-z0-9]{30,}`, `pypi-[\w\-]{30,}`, `do[opr]_v1_[0-9a-f]{32,}`,
		`hv[bsr][._][\w\-]{16,}`, `dapi[0-9a-f]{32}`, `SG[._][\w\-]{16,}[._][\w\-]{16,}`,
		`sk-(?:[a-z]+\d*-)*[A-Za-z0-9]{20,}[\w\-]*`,
	}
	return secretRule{
		signs: []string{
			"akia", "asia", "agpa", "aroa", "gho_", "ghp_", "ghs_", "ghr_", "ghu_", "github_pat_", "gl", "xox",
			"xapp-", "k_live_", "k_test_", "whsec_", "aiza", "ya29", "npm_", "pypi-", "_v1_", "hvb", "hvs", "hvr",
			"dapi", "sg.", "sg_", "sk-",
		},
		pattern: regexp.MustCompile(`(^|[^A-Za-z0-9])(?:` + strings.Join(patterns, "|") + `)`),
		with:    "${1}" + Hidden,
	}
}

// longToken is from how many signs on a text without any sense counts as a key.
const longToken = 32

// longTokens matches what may be a key that nothing introduces.
//
//nolint:gochecknoglobals // a constant pattern, in Go's only form for it
var longTokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/=_\-]{32,}`) })

// HideSecrets hides what looks like a secret in a text of a cluster: logins in addresses, values of keys that
// speak of a secret, login headers, cookies, private keys, and long texts without any sense.
func HideSecrets(text string) string {
	lower := strings.ToLower(text)
	for _, r := range secretRules() {
		if r.may(lower) {
			text = r.pattern.ReplaceAllString(text, r.with)
		}
	}
	text = strings.ReplaceAll(text, actorSystem, "@")
	if len(text) < longToken {
		return text
	}
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
