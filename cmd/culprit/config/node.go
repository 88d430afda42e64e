package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"culprit/diagnose"
)

// Error is one thing that is wrong in a file.
type Error struct {
	File string
	Line int    // from 1; 0 where it concerns no line
	Key  string // the path of the key, such as contexts.prod.url; empty for the file as a whole
	What string
	Do   string // what to do about it; may be empty
}

func (e *Error) Error() string {
	text := e.File
	if e.Line > 0 {
		text += ":" + strconv.Itoa(e.Line)
	}
	if e.Key != "" {
		text += ": " + e.Key
	}
	text += ": " + e.What
	if e.Do != "" {
		text += "; " + e.Do
	}
	return text
}

// reader collects what is wrong while a file is read, so that all of it is told at once.
type reader struct {
	file  string
	wrong []*Error
}

// err returns what was wrong, in the order of the lines, or nil.
func (r *reader) err() error {
	slices.SortStableFunc(r.wrong, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	all := make([]error, len(r.wrong))
	for i, e := range r.wrong {
		all[i] = e
	}
	return errors.Join(all...)
}

// root reads the text of a file; ok is false where it holds nothing, or nothing that can be read.
func (r *reader) root(text []byte) (n node, ok bool) {
	file, err := parser.ParseBytes(text, 0)
	var known yaml.Error
	switch {
	case errors.As(err, &known):
		line := 0
		if t := known.GetToken(); t != nil {
			line = t.Position.Line
		}
		what := known.GetMessage()
		r.wrong = append(r.wrong, &Error{File: r.file, Line: line, What: what, Do: "write it as YAML"})
		return node{}, false
	case err != nil:
		r.wrong = append(r.wrong, &Error{File: r.file, What: err.Error(), Do: "write it as YAML"})
		return node{}, false
	}
	for i, doc := range file.Docs {
		at := node{r: r, ast: doc.Body}
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.NullType {
			continue
		}
		if i > 0 && ok {
			at.fail("a second document", "keep one")
			continue
		}
		n, ok = at, true
	}
	return n, ok
}

// node is a value of the file and the path of its key.
type node struct {
	r    *reader
	path string
	line int // of the key
	ast  ast.Node
}

func (n node) fail(what, do string) {
	line := n.line
	if line == 0 && n.ast != nil && n.ast.GetToken() != nil {
		line = n.ast.GetToken().Position.Line
	}
	n.r.wrong = append(n.r.wrong, &Error{File: n.r.file, Line: line, Key: n.path, What: what, Do: do})
}

// each calls visit for every key of a mapping, in the order of the file.
func (n node) each(visit func(key string, value node)) {
	var pairs []*ast.MappingValueNode
	switch m := n.ast.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		n.fail("it has no keys below it", "write \"key: value\" lines, further to the right")
		return
	}
	for _, p := range pairs {
		token := p.Key.GetToken()
		path := strings.TrimPrefix(n.path+"."+token.Value, ".")
		value := node{r: n.r, path: path, line: token.Position.Line, ast: p.Value}
		if p.Key.IsMergeKey() {
			value.fail("merge keys are not read", "write the keys out")
			continue
		}
		visit(token.Value, value)
	}
}

// field is a key that a mapping may have, and who reads it.
type field struct {
	name string
	read func(node)
}

// fields hands every key of a mapping to its reader.
func (n node) fields(all []field) {
	n.each(func(key string, value node) {
		for _, f := range all {
			if f.name == key {
				f.read(value)
				return
			}
		}
		names := make([]string, len(all))
		for i, f := range all {
			names[i] = f.name
		}
		value.fail("there is no such key here", advice(key, names))
	})
}

// text returns a single value as it is written.
func (n node) text() (string, bool) {
	switch v := n.ast.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode:
		return v.GetToken().Value, true
	}
	n.fail("it is "+kindOf(n.ast)+", not a text", "write one value, in quotes if it looks like something else")
	return "", false
}

// kindOf says what a value is, in words.
func kindOf(v ast.Node) string {
	switch v.(type) {
	case nil, *ast.NullNode:
		return "empty"
	case *ast.StringNode, *ast.LiteralNode, *ast.IntegerNode, *ast.FloatNode:
		return "a text"
	case *ast.BoolNode:
		return "true or false"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a group of keys"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		return "an anchor, alias or tag, which are not read"
	}
	return "something else"
}

// texts returns a list of values, or a single one as a list.
func (n node) texts() []node {
	list, ok := n.ast.(*ast.SequenceNode)
	if !ok {
		return []node{n}
	}
	out := make([]node, len(list.Values))
	for i, v := range list.Values {
		out[i] = node{r: n.r, path: n.path, line: v.GetToken().Position.Line, ast: v}
	}
	return out
}

func (n node) flag(to *bool) {
	v, ok := n.ast.(*ast.BoolNode)
	if !ok {
		n.fail("it is "+kindOf(n.ast)+", not true or false", "write true or false")
		return
	}
	*to = v.Value
}

// span reads a length of time of at least the given one.
func (n node) span(to *time.Duration, least time.Duration) {
	text, ok := n.text()
	if !ok {
		return
	}
	d, err := diagnose.ParseDuration(text)
	if err != nil || d < least {
		n.fail(fmt.Sprintf("%q is not a duration of at least %s", text, least), "write one such as 5s, 2m or 7d")
		return
	}
	*to = d
}

// word reads one of a list of words.
func (n node) word(to *string, words []string) {
	text, ok := n.text()
	if !ok {
		return
	}
	if !slices.Contains(words, text) {
		n.fail(fmt.Sprintf("%q is not known", text), advice(text, words))
		return
	}
	*to = text
}

// mostListed is how many names an advice lists.
const mostListed = 16

// advice names the word that was probably meant, and the words that there are, if they are few.
func advice(written string, words []string) string {
	var parts []string
	if word, ok := Nearest(written, words); ok {
		parts = append(parts, "did you mean "+word+"?")
	}
	switch {
	case len(words) == 0:
		parts = append(parts, "there are none in this file")
	case len(words) <= mostListed:
		parts = append(parts, "there are "+strings.Join(words, ", "))
	default:
		parts = append(parts, "`culprit config example` lists all")
	}
	return strings.Join(parts, " ")
}

// Nearest returns the word with the fewest changed letters, where that are few.
func Nearest(written string, words []string) (string, bool) {
	best, least := "", max(len(written)/3, 2)+1
	for _, w := range words {
		if d := distance(written, w); d < least {
			best, least = w, d
		}
	}
	return best, best != ""
}

// distance is the Levenshtein distance of two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
