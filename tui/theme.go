package tui

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme is how the screen looks: its colours as ready escape sequences, and its glyphs. Every lipgloss style
// of the program is made here.
type Theme struct {
	// scratch is the row that is being painted, kept so that not each row takes memory anew.
	scratch line
	glyphs
	styles [toneCount]sgr
	help   help.Model
	input  textinput.Model
	// keyLines caches the painted lines of keys, which take longer than the rest of a frame.
	keyLines map[keyLine]string
	// runs are long rows of one glyph each, to take shorter ones from.
	runs map[string]string
}

// sgr is what a style writes before and after a text. Keeping it spares a Render for each span of each frame.
type sgr struct{ before, after string }

// Look pins what is otherwise learned from the terminal.
type Look struct {
	// Theme is the name of a theme, one of [Themes]; empty is [ThemeAuto].
	Theme string
	// Profile is how many colours the terminal has; Dark tells that its background is dark.
	Profile termenv.Profile
	Dark    bool
	// ASCII draws without any character beyond ASCII, for terminals and locales that have no UTF-8.
	ASCII bool
	// Attributes keeps bold, faint and reverse where Profile has no colours, as NO_COLOR asks to drop colours
	// alone.
	Attributes bool
}

// DetectLook asks the terminal and the environment for what they can show. It must run before the program
// starts, because the terminal's answer arrives on the program's input. Nothing is asked before it:
// see [culprit/tui/hush].
func DetectLook(out io.Writer, env func(string) string) Look {
	r := lipgloss.NewRenderer(out)
	// The console of Linux has UTF-8, but its fonts have few of the signs.
	look := Look{Profile: r.ColorProfile(), ASCII: !utf8Locale(env) || env("TERM") == "linux"}
	if look.Profile == termenv.Ascii && multiplexed(env) {
		look.Profile = termenv.ANSI
	}
	look.Attributes = env("TERM") != "dumb"
	look.Dark = look.Profile == termenv.Ascii || r.HasDarkBackground()
	return look
}

// multiplexed tells whether the terminal is screen or tmux by their plain names, which have the 16 colours
// though nothing in the name says so, and colours are not forbidden.
func multiplexed(env func(string) string) bool {
	name := env("TERM")
	return (name == "screen" || name == "tmux") && env("NO_COLOR") == "" && env("CLICOLOR") != "0"
}

// utf8Locale tells whether the locale asks for UTF-8. A locale that is not set at all is taken for UTF-8 on
// systems that have no such variables.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(env(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return os.PathSeparator == '\\' || env("WT_SESSION") != "" || env("TERM_PROGRAM") != ""
}

// NewTheme returns the theme for a look.
func NewTheme(look Look) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	colours, profile := themeNamed(look.Theme).seenWith(look)
	mono := profile == termenv.Ascii
	if mono && look.Attributes {
		profile = termenv.ANSI
	}
	r.SetColorProfile(profile)
	th := &Theme{glyphs: unicodeGlyphs(), keyLines: map[keyLine]string{}}
	if look.ASCII {
		th.glyphs = asciiGlyphs()
	}
	th.runs = longRuns(th.fill, th.empty, th.pressed, th.thin.top, th.heavy.top)
	var styles [toneCount]lipgloss.Style
	for t, k := range colours.inks {
		styles[t] = k.style(r, mono)
		th.styles[t] = cutStyle(styles[t])
	}
	th.help = newHelp(styles, th.ellipsis)
	th.input = newInput(styles)
	return th
}

// longRuns returns a row of each glyph that is as long as a frame is wide, seldom more.
func longRuns(all ...string) map[string]string {
	const long = 256
	out := make(map[string]string, len(all))
	for _, glyph := range all {
		out[glyph] = strings.Repeat(glyph, long)
	}
	return out
}

// run returns n times a glyph.
func (th *Theme) run(glyph string, n int) string {
	size, long := max(n, 0)*len(glyph), th.runs[glyph]
	if size > len(long) {
		return strings.Repeat(glyph, n)
	}
	return long[:size]
}

// newHelp returns the help in the colours of the program.
func newHelp(styles [toneCount]lipgloss.Style, ellipsis string) help.Model {
	m := help.New()
	m.ShortSeparator, m.Ellipsis = "  ", ellipsis
	m.Styles = help.Styles{
		Ellipsis: styles[toneDim], ShortKey: styles[toneKey], ShortDesc: styles[toneDim],
		ShortSeparator: styles[tonePlain], FullKey: styles[toneKey], FullDesc: styles[tonePlain],
		FullSeparator: styles[tonePlain],
	}
	return m
}

// newInput returns the line that a filter is typed in. Its cursor stands still, so that it wakes nobody, and
// no clipboard program is asked: what a terminal pastes arrives as text.
func newInput(styles [toneCount]lipgloss.Style) textinput.Model {
	m := textinput.New()
	m.Prompt, m.CharLimit = "/", filterLimit
	m.PromptStyle, m.TextStyle, m.Cursor.Style = styles[toneKey], styles[toneStrong], styles[tonePlain]
	m.Cursor.SetMode(cursor.CursorStatic)
	m.KeyMap.Paste = key.Binding{}
	return m
}

// takeOver returns the line that is typed in the theme's colours, with what it held.
func (th *Theme) takeOver(old textinput.Model) textinput.Model {
	m := th.input
	m.Width = old.Width
	m.SetValue(old.Value())
	return m
}

// filterLimit bounds a filter, in characters: far more than a name that is worth typing.
const filterLimit = 200

// cutStyle renders a mark and keeps what lipgloss puts around it.
func cutStyle(style lipgloss.Style) sgr {
	before, after, _ := strings.Cut(style.Render("x"), "x")
	return sgr{before, after}
}

func (k ink) style(r *lipgloss.Renderer, mono bool) lipgloss.Style {
	s := r.NewStyle().Bold(k.bold)
	if mono {
		return s.Reverse(k.back != shade{})
	}
	if (k.fore != shade{}) {
		s = s.Foreground(lipgloss.CompleteColor(k.fore))
	}
	if (k.back != shade{}) {
		s = s.Background(lipgloss.CompleteColor(k.back))
	}
	return s
}

// paint returns l as text for the terminal, exactly w cells wide.
func (th *Theme) paint(l line, w int) string {
	th.scratch = fitOnto(th.scratch[:0], l, w, th.ellipsis)
	return th.write(th.scratch)
}

// write returns l as text for the terminal, as wide as it is.
func (th *Theme) write(l line) string {
	var b strings.Builder
	size, last := 0, tonePlain
	for _, s := range l {
		if size += len(s.text); s.tone != last && s.text != "" {
			size += len(th.styles[last].after) + len(th.styles[s.tone].before)
			last = s.tone
		}
	}
	b.Grow(size + len(th.styles[last].after))
	open := tonePlain
	for _, s := range l {
		if s.text == "" {
			continue
		}
		if s.tone != open {
			b.WriteString(th.styles[open].after)
			b.WriteString(th.styles[s.tone].before)
			open = s.tone
		}
		b.WriteString(s.text)
	}
	b.WriteString(th.styles[open].after)
	return b.String()
}
