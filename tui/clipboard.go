package tui

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"culprit/diagnose"
)

// clipboardLimit is the most that terminals and multiplexers take in one piece, in bytes of base64; what is
// longer is dropped by them without a word.
const clipboardLimit = 74_994

// copyVerdict puts the verdict on the clipboard.
func (m *app) copyVerdict() tea.Cmd {
	sc := m.scene()
	report := sc.report
	if list, ok := m.panes[sc.screen].(*jobsPane); ok {
		if j, found := list.current(sc); found {
			report = j.Report
		}
	}
	if report == nil {
		m.say("nothing to copy yet")
		return nil
	}
	return m.copyText("verdict", report.Text())
}

// copyScreen puts what is on the screen on the clipboard, without colours.
func (m *app) copyScreen() tea.Cmd { return m.copyText("screen", PlainText(m.View())) }

// copyRow puts the marked row on the clipboard, its columns apart by tabs.
func (m *app) copyRow() tea.Cmd {
	sc := m.scene()
	text := ""
	if v, ok := sc.selectedVertex(); ok && sc.screen == screenGraph {
		s := v.state
		text = strings.Join([]string{
			v.vertex.Name, fmt.Sprintf("x%d", v.vertex.Parallelism), string(s.Role),
			"busy " + diagnose.FormatRatio(s.Busy), "backpressured " + diagnose.FormatRatio(s.Backpressured),
			"idle " + diagnose.FormatRatio(s.Idle), "in " + strings.TrimSpace(rate(s.RecordsIn)),
			"out " + strings.TrimSpace(rate(s.RecordsOut)),
		}, "\t")
	} else {
		text = m.markedRow(sc)
	}
	if text == "" {
		m.say("no row is marked here; the whole screen can be copied")
		return nil
	}
	return m.copyText("row", text)
}

// rowCells is how wide the pane is drawn for a row that is copied: wide enough for every column.
const rowCells = 400

// markedRow is the row of the pane that the pointer stands at, or nothing.
func (m *app) markedRow(sc *scene) string {
	body := m.panels(sc).Body
	for _, row := range m.panes[sc.screen].Draw(sc, Rect{W: rowCells, H: body.H}, m.theme) {
		text := strings.TrimSpace(ansi.Strip(row))
		if rest, ok := strings.CutPrefix(text, m.theme.pointer); ok {
			return tabbed(rest)
		}
	}
	return ""
}

// tabbed sets a tab for each gap of two blanks or more.
func tabbed(row string) string {
	var out []string
	for _, part := range strings.Split(row, "  ") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\t")
}

// PlainText is a frame without colours and without blanks at the ends of its rows.
func PlainText(frame string) string {
	rows := strings.Split(ansi.Strip(frame), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

// copyText sends a text to the clipboard of the terminal that the user sits at, also over ssh.
func (m *app) copyText(what, text string) tea.Cmd {
	short := fitClipboard(text)
	said := what + " sent to the terminal's clipboard"
	if len(short) < len(text) {
		said = fmt.Sprintf("%s sent to the terminal's clipboard, cut: the first %.3g of %.3g kB", what,
			float64(len(short))/1000, float64(len(text))/1000)
	}
	sequence := osc52.New(short)
	switch {
	case m.opts.Env("TMUX") != "":
		sequence = sequence.Tmux()
	case m.opts.Env("STY") != "":
		sequence = sequence.Screen()
	}
	return m.send(sequence.String(), toastMsg{said}, "not copied")
}

// send writes to the terminal beside the renderer; then comes next, or a word on what went wrong.
func (m *app) send(sequence string, next tea.Msg, failed string) tea.Cmd {
	out := m.opts.Out
	return func() tea.Msg {
		if _, err := io.WriteString(out, sequence); err != nil {
			return toastMsg{failed + ": " + err.Error()}
		}
		return next
	}
}

// fitClipboard returns as much of a text as the clipboard takes, up to the end of a line where there is one.
func fitClipboard(text string) string {
	most := base64.StdEncoding.DecodedLen(clipboardLimit - clipboardLimit%4)
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	if end := strings.LastIndexByte(text[:most], '\n'); end > 0 {
		most = end + 1
	}
	return text[:most]
}
