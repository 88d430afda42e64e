package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"culprit/tui"
)

// face is what the flags say about the screen.
type face struct {
	theme string
	ascii bool
}

// bind adds the flags to a command that shows the screen.
func (a *face) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&a.theme, "theme", "", "colours, as `NAME`: "+strings.Join(themeNames(), ", ")+" (CULPRIT_THEME)")
	f.BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters alone")
	// A flag that is bound to a command is there; only a wrong name fails.
	_ = cmd.RegisterFlagCompletionFunc("theme", func(*cobra.Command, []string, string) (
		[]string, cobra.ShellCompDirective,
	) {
		return themeNames(), cobra.ShellCompDirectiveNoFileComp
	})
}

func themeNames() []string {
	var out []string
	for _, t := range tui.Themes() {
		out = append(out, t.Name)
	}
	return out
}

// look is how the screen is drawn: as the terminal can, and as the flags and the environment want.
func (a *face) look(c console) (tui.Look, error) {
	theme := first(a.theme, c.env("CULPRIT_THEME"), tui.ThemeAuto)
	if !slices.Contains(themeNames(), theme) {
		return tui.Look{}, fmt.Errorf("no theme is called %q; there are %s", theme, strings.Join(themeNames(), ", "))
	}
	look := tui.DetectLook(c.out, c.env)
	look.Theme, look.ASCII = theme, look.ASCII || a.ascii
	return look, nil
}
