package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"culprit/flinkapi"
)

// palette is the list of everything that can be done here, found by a few letters of its name.
type palette struct {
	title  string
	input  textinput.Model
	all    commands
	found  []int // indices into all, the best match first
	at     int
	scroll scroll
	// whole is set where the words of an entry are what one chooses by: they take as many rows as they need.
	whole bool
}

// command is one entry of the palette.
type command struct {
	name string // what is matched
	does string
	key  string // the key that does the same; may be empty
	run  func(*app) tea.Cmd
}

// commands can be searched.
type commands []command

// String is the text of an entry that is searched.
func (c commands) String(i int) string { return clean(c[i].name) }

// Len is the number of entries.
func (c commands) Len() int { return len(c) }

// openPalette shows the palette of the screen.
func (m *app) openPalette() {
	p := &palette{input: m.theme.input, title: "commands", all: m.commands()}
	p.input.Prompt = ":"
	p.input.Focus()
	p.search()
	m.palette = p
}

// commands are what can be done on the screen: its actions, the most useful first, the vertices, the themes
// and the clusters.
func (m *app) commands() commands {
	var out commands
	scope, actions := m.screen().scope(), slices.Clone(m.actions)
	const last = 1000 // for those that the footer never shows
	rank := func(a Action) int {
		if a.Footer == 0 {
			return last
		}
		return a.Footer
	}
	slices.SortStableFunc(actions, func(a, b Action) int { return rank(a) - rank(b) })
	for _, a := range actions {
		if a.Scope&scope == 0 || a.ID == ActionPalette || a.ID == ActionAbort {
			continue
		}
		out = append(out, command{
			a.Binding.Help().Desc, a.Does, a.Binding.Help().Key, func(m *app) tea.Cmd { return m.act(a.ID) },
		})
	}
	sc := m.scene()
	for _, v := range sc.vertices() {
		out = append(out, command{
			"vertex " + v.vertex.Name, "select the vertex in the job graph; it is " + string(v.state.Role), "",
			func(m *app) tea.Cmd { m.selectVertex(v.vertex.ID); return nil },
		})
	}
	for _, t := range Themes() {
		out = append(out, command{
			"theme " + t.Name, t.Does, "", func(m *app) tea.Cmd { m.dress(t.Name); return nil },
		})
	}
	out = append(out, command{
		"debug overlay", "show or hide what the program itself takes: time, requests, goroutines, memory", "",
		func(m *app) tea.Cmd { m.debug.toggle(); return nil },
	})
	for i, t := range m.opts.Targets {
		if t.URL != m.opts.Target {
			out = append(out, command{
				"cluster " + t.Name, "switch to " + t.URL, "", func(m *app) tea.Cmd { return m.switchTo(i) },
			})
		}
	}
	return out
}

// selectVertex goes to the job graph with a vertex selected.
func (m *app) selectVertex(id flinkapi.VertexID) {
	m.choose(id)
	m.stack = nil
	m.input.Reset()
}

// search finds the entries whose names hold what is typed in one piece, then those whose descriptions do,
// then those whose names hold its letters in their order.
func (p *palette) search() {
	p.found, p.at = p.found[:0], 0
	if p.input.Value() == "" {
		for i := range p.all {
			p.found = append(p.found, i)
		}
		return
	}
	typed, scattered := strings.ToLower(p.input.Value()), []int(nil)
	holds := func(text string) bool { return strings.Contains(strings.ToLower(text), typed) }
	for _, match := range fuzzy.FindFrom(p.input.Value(), p.all) {
		if holds(p.all[match.Index].name) {
			p.found = append(p.found, match.Index)
		} else {
			scattered = append(scattered, match.Index)
		}
	}
	for i := range p.all {
		if holds(p.all[i].does) && !holds(p.all[i].name) {
			p.found = append(p.found, i)
			scattered = slices.DeleteFunc(scattered, func(k int) bool { return k == i })
		}
	}
	p.found = append(p.found, scattered...)
}

// paletteKey applies a key to the open palette.
func (m *app) paletteKey(msg tea.KeyMsg) tea.Cmd {
	p := m.palette
	switch msg.Type {
	case tea.KeyEsc, tea.KeyCtrlP:
		m.palette = nil
	case tea.KeyEnter:
		m.palette = nil
		if p.at < len(p.found) {
			return p.all[p.found[p.at]].run(m)
		}
	case tea.KeyUp, tea.KeyShiftTab:
		p.at = max(p.at-1, 0)
	case tea.KeyDown, tea.KeyTab:
		p.at = max(min(p.at+1, len(p.found)-1), 0)
	default:
		before := p.input.Value()
		msg.Runes = []rune(clean(string(msg.Runes)))
		p.input, _ = p.input.Update(msg)
		if p.input.Value() != before {
			p.search()
		}
	}
	return nil
}

// rect is where the palette stands on a screen of w by h cells.
func (p *palette) rect(w, h int) Rect {
	const words = 116 // the cells in which the words on each entry are whole
	width, height := max(w*2/3, min(w, words)), min(h, max(h/2, 12))
	if p.whole {
		each := step(w, 3, 60, 2) // rows of an entry
		height = min(h, max(h/2, 15), each*len(p.all)+4)
	}
	return Rect{(w - width) / 2, (h - height) / 3, width, height}
}

// draw returns the palette as a box that fills r.
func (p *palette) draw(r Rect, th *Theme) []string {
	inner := max(r.W-4, 0)
	b := boxed{
		border: th.heavy, tone: toneKey, title: line{say(toneStrong, p.title)}, innerBlank: 1,
		foot: line{say(toneDim, "enter does it  esc closes")},
	}
	if len(p.found) < len(p.all) {
		b.right = line{say(toneDim, fmt.Sprintf("%d of %d", len(p.found), len(p.all)))}
	}
	out := th.fillRect(th.box(b, r), r)
	if r.H < 3 || inner == 0 {
		return out
	}
	p.input.Width = max(inner-3, 1)
	p.input.SetCursor(p.input.Position()) // which brings the cursor in sight
	rows := []string{exact(p.input.View(), inner, th.ellipsis)}
	if p.whole && len(p.found) > 0 {
		rows = append(rows, p.wholeRows(inner, r.H-3, th)...)
	} else {
		rows = append(rows, p.scroll.around(len(p.found), p.at, inner, r.H-3, func(i int) string {
			return th.paint(p.row(i, inner, th), inner)
		})...)
	}
	if len(p.found) == 0 && len(rows) > 1 {
		rows[1] = th.paint(line{say(toneDim, "nothing is called like this")}, inner)
	}
	side := th.paint(line{say(b.tone, b.border.side)}, 1)
	for y := range min(len(rows), r.H-2) {
		out[y+1] = side + " " + rows[y] + " " + side
	}
	return out
}

// wholeRows are h rows of the entries that were found, with all of their words.
func (p *palette) wholeRows(w, h int, th *Theme) []string {
	const beside = 50 // the cells from which on the words stand beside the name
	page := &paper{w: w, th: th}
	name := 0
	for _, c := range p.all {
		name = max(name, cells(c.name))
	}
	for i, at := range p.found {
		c := p.all[at]
		page.item(counted(i))
		column := min(name, w/3)
		text := pad(cutMiddle(c.name, column, th.ellipsis), column, "")
		head := line{say(tonePlain, "  "), say(tonePlain, text+" ")}
		if w < beside {
			page.add(line{say(tonePlain, "  "), say(tonePlain, cutMiddle(c.name, w-2, th.ellipsis))})
			head = nil
		}
		page.entry(head, 4, toneDim, c.does)
	}
	page.close()
	chosen := page.items[p.at]
	page.rows[chosen.from] = th.paint(pointed(chosen.first, th), w)
	p.scroll.load(page.rows, w, h)
	p.scroll.reveal(chosen.from, chosen.to)
	return p.scroll.shown()
}

// row is the i-th entry that was found.
func (p *palette) row(i, w int, th *Theme) line {
	c := p.all[p.found[i]]
	mark, t := "  ", tonePlain
	if i == p.at {
		mark, t = th.pointer+" ", toneSelected
	}
	keys := line{say(toneKey, c.key)}
	room := w - cells(mark) - keys.width() - 1
	name := min(room, max(cells(c.name), 18))
	left := line{say(toneSelected, mark), say(t, pad(cutMiddle(c.name, name, th.ellipsis), name, ""))}
	if rest := room - name - 2; rest >= 12 {
		left = append(left, say(toneDim, "  "+cut(c.does, rest, th.ellipsis)))
	}
	return spread(left, keys, w, th.ellipsis)
}
