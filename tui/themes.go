package tui

import (
	"slices"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The names of the themes.
const (
	ThemeAuto         = "auto"
	ThemeDark         = "dark"
	ThemeLight        = "light"
	ThemeHighContrast = "high-contrast"
	Theme16           = "16-colours"
	ThemeMono         = "monochrome"
)

// ThemeInfo is one entry of the table of themes.
type ThemeInfo struct {
	Name string
	// Does says in one sentence what the theme is for.
	Does string

	dark, light *colours // for the two kinds of background
	most        termenv.Profile
}

// Themes returns the themes, in the order in which a key goes through them. The first is the default.
func Themes() []ThemeInfo {
	dark, light := darkColours(), lightColours()
	darkest, lightest := contrastDark(), contrastLight()
	return []ThemeInfo{
		{ThemeAuto, "dark or light, by the terminal's background", &dark, &light, termenv.TrueColor},
		{ThemeDark, "for a dark background", &dark, &dark, termenv.TrueColor},
		{ThemeLight, "for a light background", &light, &light, termenv.TrueColor},
		{
			ThemeHighContrast, "every text at a contrast of 7 to 1 at least", &darkest, &lightest,
			termenv.TrueColor,
		},
		{Theme16, "the 16 colours that the terminal itself defines", &dark, &light, termenv.ANSI},
		{ThemeMono, "bold and reverse, no colour", &dark, &light, termenv.Ascii},
	}
}

// themeNamed returns the theme of that name, or the default.
func themeNamed(name string) ThemeInfo {
	all := Themes()
	return all[max(slices.IndexFunc(all, func(t ThemeInfo) bool { return t.Name == name }), 0)]
}

// nextTheme is the name of the theme after the one of that name.
func nextTheme(name string) string {
	all := Themes()
	at := slices.IndexFunc(all, func(t ThemeInfo) bool { return t.Name == themeNamed(name).Name })
	return all[(at+1)%len(all)].Name
}

// seenWith returns the colours of a theme on a terminal, and how many of them are used: never more than the
// terminal has. The larger a profile's number, the fewer colours it has.
func (t ThemeInfo) seenWith(look Look) (*colours, termenv.Profile) {
	if look.Dark {
		return t.dark, max(t.most, look.Profile)
	}
	return t.light, max(t.most, look.Profile)
}

// colours are the inks of a theme for one kind of background.
type colours struct {
	// ground is the background that the inks are made for, the least favourable that is common.
	ground string
	inks   [toneCount]ink
}

// ink is how one tone is drawn. A shade that is zero leaves the terminal's own colour.
type ink struct {
	fore, back shade
	bold       bool
}

// shade is one colour in the three depths that terminals have.
type shade lipgloss.CompleteColor

// hues are the colours that a set of inks is mixed from.
type hues struct {
	red, grey, blue, green, violet, amber, cyan, dim, track shade
	// onAlarm and alarm are the fore- and background of what must be found first; onNotice that on amber.
	onAlarm, alarm, onNotice, notice shade
}

// mix follows Flink's own habit: busy red, backpressured grey to black, idle blue. The culprit is the only
// filled one beside notices, so that it is found first.
func (h hues) mix(ground string) colours {
	return colours{ground, [toneCount]ink{
		tonePlain:       {},
		toneDim:         {fore: h.dim},
		toneStrong:      {bold: true},
		toneKey:         {fore: h.cyan, bold: true},
		toneCulprit:     {fore: h.red, bold: true},
		toneCulpritFill: {fore: h.onAlarm, back: h.alarm, bold: true},
		toneBusy:        {fore: h.red},
		toneBack:        {fore: h.grey},
		toneIdle:        {fore: h.blue},
		toneFine:        {fore: h.green},
		toneUnknown:     {fore: h.violet},
		toneWarn:        {fore: h.amber, bold: true},
		toneSelected:    {fore: h.cyan, bold: true},
		toneNotice:      {fore: h.onNotice, back: h.notice, bold: true},
		toneTrack:       {fore: h.track},
		toneJam:         {fore: h.amber},
	}}
}

func darkColours() colours {
	amber := shade{"#e8b341", "179", "11"}
	return hues{
		red: shade{"#ff7a73", "210", "9"}, grey: shade{"#a8a29a", "247", "7"}, blue: shade{"#79b8ff", "111", "6"},
		green: shade{"#7fd88f", "114", "10"}, violet: shade{"#d2a8ff", "183", "13"}, amber: amber,
		cyan: shade{"#5fd7e6", "80", "14"}, dim: shade{"#949aa3", "247", "7"}, track: shade{"#4a4f57", "239", "8"},
		onAlarm: shade{"#ffffff", "231", "15"}, alarm: shade{"#c4161c", "160", "1"},
		onNotice: shade{"#101010", "233", "0"}, notice: amber,
	}.mix("#282c34")
}

func lightColours() colours {
	return hues{
		red: shade{"#c4161c", "160", "1"}, grey: shade{"#3a3a3a", "237", "0"}, blue: shade{"#0a58a8", "25", "4"},
		green: shade{"#1b7a33", "22", "0"}, violet: shade{"#7a33b8", "91", "5"}, amber: shade{"#8a5a00", "94", "1"},
		cyan: shade{"#00717a", "23", "4"}, dim: shade{"#5e656c", "241", "0"}, track: shade{"#c3c7cc", "251", "8"},
		onAlarm: shade{"#ffffff", "231", "15"}, alarm: shade{"#c4161c", "160", "1"},
		onNotice: shade{"#ffffff", "231", "0"}, notice: shade{"#8a5a00", "94", "3"},
	}.mix("#f6f6f6")
}

func contrastDark() colours {
	amber := shade{"#ffd75f", "221", "11"}
	return hues{
		red: shade{"#ff9b94", "217", "9"}, grey: shade{"#d0d0d0", "252", "7"}, blue: shade{"#9ecbff", "153", "6"},
		green: shade{"#8cf09d", "120", "10"}, violet: shade{"#e2c5ff", "225", "13"}, amber: amber,
		cyan: shade{"#7ff0ff", "123", "14"}, dim: shade{"#c6c6c6", "251", "7"}, track: shade{"#8a8a8a", "245", "8"},
		onAlarm: shade{"#ffffff", "231", "15"}, alarm: shade{"#a80000", "88", "1"},
		onNotice: shade{"#000000", "16", "0"}, notice: amber,
	}.mix("#1c1c1c")
}

func contrastLight() colours {
	return hues{
		red: shade{"#920000", "88", "1"}, grey: shade{"#1c1c1c", "234", "0"}, blue: shade{"#003f87", "18", "4"},
		green: shade{"#00501a", "22", "0"}, violet: shade{"#5a1a94", "54", "5"}, amber: shade{"#5f3d00", "52", "1"},
		cyan: shade{"#004b52", "17", "4"}, dim: shade{"#3f4449", "238", "0"}, track: shade{"#767676", "243", "8"},
		onAlarm: shade{"#ffffff", "231", "15"}, alarm: shade{"#920000", "88", "1"},
		onNotice: shade{"#ffffff", "231", "0"}, notice: shade{"#5f3d00", "52", "3"},
	}.mix("#f6f6f6")
}

// dress puts a theme on the screen.
func (m *app) dress(name string) {
	theme := themeNamed(name)
	m.opts.Look.Theme = theme.Name
	m.theme = NewTheme(m.opts.Look)
	m.input = m.theme.takeOver(m.input)
	if m.opts.Look.Profile == termenv.Ascii {
		m.say("theme " + theme.Name + ": nothing changes, as this terminal shows no colours")
		return
	}
	m.say("theme " + theme.Name + ": " + theme.Does)
}
