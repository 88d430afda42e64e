package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"culprit/cmd/culprit/config"
	"culprit/flinkapi"
	"culprit/tui"
)

// face is what the flags say about the screen.
type face struct {
	theme  string
	ascii  bool
	wall   bool
	notify string
	mouse  bool
	debug  bool
}

// bind adds the flags to a command that shows the screen.
func (a *face) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&a.theme, "theme", "", "`NAME` of the colours: "+
		strings.Join(themeNames(), ", ")+" (CULPRIT_THEME)")
	f.BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters alone")
	f.BoolVar(&a.mouse, "mouse", false,
		"let clicks select and open and the wheel scroll; text is then selected with shift held down")
	f.StringVar(&a.notify, "notify", "", "when the verdict changes: `HOW` is "+
		strings.Join(tui.Notifications(), ", ")+" (CULPRIT_NOTIFY)")
	f.BoolVar(&a.wall, "wall", false, "show the verdict alone in large letters, for a pane on a wall; q quits")
	f.BoolVar(&a.debug, "debug-overlay", false,
		"show in a corner what the program itself takes: time, requests, goroutines, memory")
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

// dress says how the screen is drawn and what its keys are: as the terminal can, and as the flags, the
// environment and the configuration want.
func (a *face) dress(c console, file *config.File, o *tui.Options) error {
	conf := file.Screen
	theme := first(a.theme, c.env("CULPRIT_THEME"), conf.Theme, tui.ThemeAuto)
	if !slices.Contains(themeNames(), theme) {
		return unknownName("theme", theme, themeNames(), "there are "+strings.Join(themeNames(), ", "))
	}
	o.Notify = first(a.notify, c.env("CULPRIT_NOTIFY"), conf.Notify, tui.NotifyOff)
	if !slices.Contains(tui.Notifications(), o.Notify) {
		return fmt.Errorf("--notify %q is not known; there are %s", o.Notify,
			strings.Join(tui.Notifications(), ", "))
	}
	o.Look = tui.DetectLook(c.out, c.env)
	o.Look.Theme, o.Look.ASCII = theme, o.Look.ASCII || a.ascii || conf.ASCII
	o.Mouse = a.mouse || conf.Mouse
	o.Wall = a.wall
	o.DebugOverlay, o.Machine, o.Stopwatch = a.debug, machine, flinkapi.WallClock
	o.Actions = tui.Rebind(tui.Actions(), conf.Keys)
	return nil
}
