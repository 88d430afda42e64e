package config

import (
	"fmt"
	"slices"

	"culprit/tui"
)

// readKeys reads other keys for some actions.
func (f *File) readKeys(n node) {
	f.Screen.Keys = map[tui.ActionID][]string{}
	var names []string
	for _, a := range tui.Actions() {
		if a.ID != tui.ActionAbort {
			names = append(names, string(a.ID))
		}
	}
	n.each(func(action string, value node) {
		switch {
		case action == string(tui.ActionAbort):
			value.fail("it keeps ctrl+c, so that there is always a way out", "leave it out")
		case !slices.Contains(names, action):
			value.fail("no action is called that", advice(action, names))
		default:
			f.readKey(tui.ActionID(action), value)
		}
	})
}

func (f *File) readKey(action tui.ActionID, n node) {
	all := n.texts()
	if len(all) == 0 {
		n.fail("it names no key", "name one, or leave the action out to keep its own")
	}
	for _, item := range all {
		text, ok := item.text()
		if !ok {
			continue
		}
		name, ok := tui.KeyName(text)
		if !ok {
			item.fail(fmt.Sprintf("no terminal sends a key called %q", text),
				"write it like q, Q, space, enter, esc, f5, ctrl+p, alt+x or shift+tab")
			continue
		}
		f.Screen.Keys[action] = append(f.Screen.Keys[action], name)
	}
}

// checkClashes refuses keys that would do two things on the same screen.
func (f *File) checkClashes(n node) {
	if len(f.Screen.Keys) == 0 {
		return
	}
	for _, c := range tui.Clashes(tui.Rebind(tui.Actions(), f.Screen.Keys)) {
		at := n
		n.each(func(action string, value node) {
			if id := tui.ActionID(action); id == c.First || id == c.Second {
				at = value
			}
		})
		at.fail(fmt.Sprintf("the key %q is bound twice: to %s and to %s", c.Key, c.First, c.Second),
			"give one of them another key under keys")
	}
}
