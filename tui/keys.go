package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
)

// ActionID names something that a key does.
type ActionID string

// The actions.
const (
	ActionUp            ActionID = "up"
	ActionDown          ActionID = "down"
	ActionLeft          ActionID = "left"
	ActionRight         ActionID = "right"
	ActionNext          ActionID = "next"
	ActionPrevious      ActionID = "previous"
	ActionPageUp        ActionID = "page-up"
	ActionPageDown      ActionID = "page-down"
	ActionTop           ActionID = "top"
	ActionBottom        ActionID = "bottom"
	ActionOpen          ActionID = "open"
	ActionBack          ActionID = "back"
	ActionEvidence      ActionID = "evidence"
	ActionWhyNot        ActionID = "why-not"
	ActionCheckpoints   ActionID = "checkpoints"
	ActionWorkers       ActionID = "taskmanagers"
	ActionSources       ActionID = "sources"
	ActionEvents        ActionID = "events"
	ActionEarlier       ActionID = "earlier"
	ActionLater         ActionID = "later"
	ActionCopy          ActionID = "copy"
	ActionView          ActionID = "view"
	ActionZoomIn        ActionID = "zoom-in"
	ActionZoomOut       ActionID = "zoom-out"
	ActionFit           ActionID = "fit"
	ActionPanLeft       ActionID = "pan-left"
	ActionPanDown       ActionID = "pan-down"
	ActionPanUp         ActionID = "pan-up"
	ActionPanRight      ActionID = "pan-right"
	ActionMap           ActionID = "map"
	ActionFollow        ActionID = "follow"
	ActionFold          ActionID = "fold"
	ActionNextMatch     ActionID = "next-match"
	ActionPreviousMatch ActionID = "previous-match"
	ActionDescribe      ActionID = "describe"
	ActionSort          ActionID = "sort"
	ActionReverse       ActionID = "reverse"
	ActionColumnsLeft   ActionID = "columns-left"
	ActionColumnsRight  ActionID = "columns-right"
	ActionFilter        ActionID = "filter"
	ActionFreeze        ActionID = "freeze"
	ActionRefresh       ActionID = "refresh"
	ActionClusters      ActionID = "clusters"
	ActionHelp          ActionID = "help"
	ActionSuspend       ActionID = "suspend"
	ActionQuit          ActionID = "quit"
	ActionAbort         ActionID = "abort"
)

// Scope says on which screens an action is offered.
type Scope uint8

// The scopes; an action may have several.
const (
	ScopeGraph Scope = 1 << iota
	ScopeSubtasks
	ScopeText
	ScopeJobs
	ScopeClusters
	// ScopeSubtask comes with ScopeText.
	ScopeSubtask
	// ScopePick is a text with lines that can be opened.
	ScopePick
	// ScopeReplay comes with others and limits them to recordings.
	ScopeReplay
	ScopeAlways = ScopeGraph | ScopeSubtasks | ScopeText | ScopeJobs | ScopeClusters | ScopePick
	// scopeJob are the screens about one job.
	scopeJob = ScopeGraph | ScopeSubtasks | ScopeText | ScopePick
)

// Action is one entry of the key table, which feeds the footer, the help screen and the documents.
type Action struct {
	ID ActionID
	// Binding holds the keys, and what the footer says of them.
	Binding key.Binding
	Scope   Scope
	// Footer is where the action stands in the footer: the lowest first, 0 for not at all.
	Footer int
	// Shown limits the scopes whose footer shows it; 0 is all of Scope.
	Shown Scope
	// Does says in one sentence what the action does.
	Does string
}

// Actions returns the key table, in the order of the help screen.
func Actions() []Action {
	return slices.Concat(
		moves(), views(), errands(), graphMoves(), manners(), keeps(), comparings(), practice(), winds(),
	)
}

// moves are the actions that move a selection or a page.
func moves() []Action {
	return []Action{
		{ActionUp, bind("↑/k", "up", "up", "k"), ScopeAlways, 0, 0, "select the vertex above, or scroll up"},
		{
			ActionDown, bind("↓/j", "down", "down", "j"), ScopeAlways, 0, 0,
			"select the vertex below, or scroll down",
		},
		{ActionLeft, bind("←/h", "left", "left", "h"), ScopeGraph, 0, 0, "select the vertex on the left"},
		{ActionRight, bind("→/l", "right", "right", "l"), ScopeGraph, 0, 0, "select the vertex on the right"},
		{
			ActionNext, bind("tab", "next", "tab"), ScopeGraph | ScopeSubtasks | ScopeSubtask, 10, 0,
			"go to the next vertex in the order of the data, or the next subtask of the list",
		},
		{
			ActionPrevious, bind("shift+tab", "previous", "shift+tab"),
			ScopeGraph | ScopeSubtasks | ScopeSubtask, 0, 0,
			"go to the previous vertex, or the previous subtask of the list",
		},
		{ActionPageUp, bind("pgup", "page up", "pgup", "ctrl+b"), ScopeAlways, 0, 0, "go up by a page"},
		{ActionPageDown, bind("pgdn", "page down", "pgdown", "ctrl+f"), ScopeAlways, 0, 0, "go down by a page"},
		{ActionTop, bind("home/g", "top", "home", "g"), ScopeAlways, 0, 0, "go to the first line"},
		{
			ActionBottom, bind("end/G", "bottom", "end", "G"), ScopeAlways, 0, 0,
			"go to the last line; from an earlier moment back to live, from the graph to the end of a recording",
		},
	}
}

// graphMoves are the actions that change what is seen of the graph.
func graphMoves() []Action {
	return []Action{
		{
			ActionZoomIn, bind("+", "larger", "+", "="), ScopeGraph, 0, 0,
			"show more of each vertex of the graph: dot, line, small box, box",
		},
		{
			ActionZoomOut, bind("-", "smaller", "-"), ScopeGraph, 0, 0,
			"show less of each vertex, and so more of the graph",
		},
		{
			ActionFit, bind("0", "fit", "0"), ScopeGraph, 0, 0,
			"draw the graph as large as it fits, as at the start, and take back what was changed by hand",
		},
		{
			ActionPanLeft, bind("H", "move left", "H", "shift+left"), ScopeGraph, 0, 0,
			"move the window on a large graph to the left; also with shift and an arrow, as the next three",
		},
		{ActionPanDown, bind("J", "move down", "J", "shift+down"), ScopeGraph, 0, 0, "move it down"},
		{ActionPanUp, bind("K", "move up", "K", "shift+up"), ScopeGraph, 0, 0, "move it up"},
		{ActionPanRight, bind("L", "move right", "L", "shift+right"), ScopeGraph, 0, 0, "move it to the right"},
		{
			ActionMap, bind("M", "map", "M"), ScopeGraph, 0, 0,
			"show or hide the small map of a graph that is larger than the screen",
		},
		{
			ActionFollow, bind("f", "follow", "f"), ScopeGraph, 19, 0,
			"select the culprit and keep it in sight, also when it changes, until another vertex is selected",
		},
		{
			ActionFold, bind("z", "fold", "z"), ScopeGraph, 20, 0,
			"draw each line of victims as one box, or all vertices again; enter opens one of the boxes",
		},
		{
			ActionNextMatch, bind("n", "next match", "n"), ScopeGraph, 0, 0,
			"select the next vertex whose name contains what was typed after /",
		},
		{ActionPreviousMatch, bind("N", "previous match", "N"), ScopeGraph, 0, 0, "select the previous one"},
		{
			ActionDescribe, bind("d", "describe", "d"), scopeJob, 21, 0,
			"show the whole name of the selected vertex, its operators and the plan's description",
		},
	}
}

// errands are all other actions.
func errands() []Action {
	return []Action{
		{
			ActionOpen, bind("enter", "open", "enter"),
			ScopeGraph | ScopeSubtasks | ScopeJobs | ScopeClusters | ScopePick, 1, 0,
			"open the selected line: a job, a cluster, a vertex, a subtask, a checkpoint, a rule, an event",
		},
		{
			ActionSort, bind("s", "sort", "s"), ScopeSubtasks | ScopeJobs, 2, 0,
			"sort the subtasks by the next column; the jobs by verdict, name, state, lag or age",
		},
		{
			ActionReverse, bind("S", "reverse", "S"), ScopeSubtasks | ScopeJobs, 12, ScopeSubtasks,
			"reverse the order of the list",
		},
		{
			ActionColumnsLeft, bind("<", "columns left", "<", "left"), ScopeSubtasks, 0, 0,
			"scroll the columns of the subtasks to the left",
		},
		{
			ActionColumnsRight, bind(">", "more columns", ">", "right"), ScopeSubtasks, 3, 0,
			"scroll the columns of the subtasks to the right, to those that do not fit",
		},
		{
			ActionBack, bind("esc", "back", "esc", "backspace"), ScopeAlways, 3,
			ScopeSubtasks | ScopeText | ScopeClusters | ScopePick,
			"go back; from a job to the list of jobs",
		},
		{ActionHelp, bind("?", "keys", "?"), ScopeAlways, 5, 0, "show all keys, and what the signs mean"},
		{ActionQuit, bind("q", "quit", "q"), ScopeAlways, 6, 0, "quit"},
		{
			ActionFreeze, bind("space", "freeze", " "), ScopeAlways, 8, 0,
			"hold the picture, or show the newest again; data is still collected meanwhile",
		},
		{
			ActionEarlier, bind("[", "earlier", "["), ScopeAlways, 17, 0,
			"show how it was a moment earlier, up to an hour back",
		},
		{
			ActionLater, bind("]", "later", "]"), ScopeAlways, 18, 0,
			"show how it was a moment later, up to the newest",
		},
		{
			ActionCopy, bind("y", "copy", "y"), ScopeAlways, 9, 0,
			"copy the verdict as text to the clipboard of this terminal",
		},
		{
			ActionFilter, bind("/", "filter", "/"), ScopeGraph | ScopeSubtasks | ScopeJobs, 11, 0,
			"show only the lines that contain what is typed; on the graph, mark the vertices",
		},
		{ActionRefresh, bind("r", "refresh", "r"), ScopeAlways, 12, 0, "read everything from the cluster now"},
		{
			ActionView, bind("v", "graph/list", "v"), ScopeGraph, 13, 0,
			"switch between the job graph and the list of vertices",
		},
		{
			ActionSuspend, bind("ctrl+z", "suspend", "ctrl+z"), ScopeAlways, 0, 0,
			"suspend the program; fg brings it back",
		},
		{ActionAbort, bind("ctrl+c", "quit", "ctrl+c"), ScopeAlways, 0, 0, "quit at once, also while typing"},
	}
}

// views are the actions that open a screen and close it again.
func views() []Action {
	return []Action{
		{
			ActionEvidence, bind("e", "evidence", "e"), scopeJob, 4, 0,
			"show every number for or against the verdict, the ladder and every check; there: the rule's page",
		},
		{
			ActionWhyNot, bind("w", "why not another", "w"), scopeJob, 7, 0,
			"show why no other vertex is the culprit",
		},
		{
			ActionCheckpoints, bind("c", "checkpoints", "c"), scopeJob, 14, 0,
			"show the history of the checkpoints, part by part; enter: one by vertex, then by subtask",
		},
		{
			ActionWorkers, bind("t", "TaskManagers", "t"), scopeJob, 15, 0,
			"show CPU, garbage collection, heap and tasks of every TaskManager",
		},
		{
			ActionSources, bind("o", "sources", "o"), scopeJob, 15, 0,
			"show lag, rate, watermark and event-time lag of every source",
		},
		{
			ActionEvents, bind("x", "events", "x"), scopeJob, 16, 0,
			"show restarts, exceptions, failed checkpoints, changes of the verdict; enter: the stack trace",
		},
		{
			ActionClusters, bind("C", "clusters", "C"), ScopeAlways, 4, ScopeJobs,
			"show the clusters of the config file, to switch to another one",
		},
	}
}

// The actions about the program itself.
const (
	ActionCopyRow    ActionID = "copy-row"
	ActionCopyScreen ActionID = "copy-screen"
	ActionPalette    ActionID = "palette"
	ActionTheme      ActionID = "theme"
)

// manners are the actions about the program itself.
func manners() []Action {
	return []Action{
		{
			ActionCopyRow, bind("Y", "copy row", "Y"), ScopeAlways, 0, 0,
			"copy the marked row, with tabs between its columns",
		},
		{
			ActionCopyScreen, bind("ctrl+y", "copy screen", "ctrl+y"), ScopeAlways, 0, 0,
			"copy the whole screen as text",
		},
		{
			ActionPalette, bind(":", "commands", ":", "ctrl+p"), ScopeAlways, 6, 0,
			"find anything that can be done here by a few letters of its name: actions, vertices, themes",
		},
		{
			ActionTheme, bind("T", "theme", "T"), ScopeAlways, 0, 0,
			"take the next theme: dark, light, high contrast, 16 colours, monochrome",
		},
	}
}

func bind(label, help string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, help))
}

// footerOf returns the bindings that the footer of a scope shows, the most useful first.
func footerOf(actions []Action, scope Scope) []key.Binding {
	shown := slices.DeleteFunc(slices.Clone(actions), func(a Action) bool {
		return a.Footer == 0 || a.Scope&scope == 0 || a.Shown != 0 && a.Shown&scope == 0
	})
	slices.SortStableFunc(shown, func(a, b Action) int { return a.Footer - b.Footer })
	out := make([]key.Binding, 0, len(shown))
	for _, a := range shown {
		b := a.Binding
		if pair, ok := pairs()[a.ID]; ok {
			before, after := keyOf(actions, pair.before), keyOf(actions, a.ID)
			if before != "" && after != "" {
				b = bind(before+" "+after, pair.does, after)
			}
		}
		out = append(out, b)
	}
	return out
}

// pair is an action that goes the other way of another one, and what both do.
type pair struct {
	before ActionID
	does   string
}

// pairs are the actions that the footer shows together, by the one that has a place in it.
func pairs() map[ActionID]pair {
	return map[ActionID]pair{
		ActionSeekOn:     {ActionSeekBack, "10 s"},
		ActionNextChange: {ActionPreviousChange, "changes"},
		ActionFaster:     {ActionSlower, "speed"},
	}
}
