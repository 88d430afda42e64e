package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"culprit/flinkapi"
)

// Panicked is a defect of the program that ended it: a panic, caught so that the terminal could be given back
// before anything is said about it.
type Panicked struct {
	// During says what was being done, such as "drawing".
	During string
	// Reason is what the panic said, in one sanitised line.
	Reason string
	// Stack is the stack of the goroutine that panicked.
	Stack string
}

// Error returns one line: what happened and what to do.
func (p *Panicked) Error() string {
	return "the program failed while " + p.During + ": " + p.Reason +
		"; this is a defect of the program, please report it"
}

// net is below everything that the program does. The first panic that it catches ends the program in order.
type net struct {
	end    context.CancelFunc
	mu     sync.Mutex
	caught *Panicked
}

// catch must be deferred by what may panic.
func (n *net) catch(during string) {
	r := recover() //nolint:revive // catch is what is deferred
	if r == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.caught == nil {
		n.caught = &Panicked{during, flinkapi.Sanitize(fmt.Sprint(r)), string(debug.Stack())}
	}
	n.end()
}

// failure returns the panic that was caught, if any.
func (n *net) failure() *Panicked {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.caught
}

// below returns a command with the net below it, and below those that it gives back.
func (n *net) below(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer n.catch("reading the cluster")
		msg = cmd()
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = n.below(all[i])
			}
		}
		return msg
	}
}

// guarded is the model with a net below it. Bubble Tea has one of its own, but that writes to the screen that
// is about to vanish, and forgets the reason.
type guarded struct {
	model tea.Model
	net   *net
}

// Init starts the model.
func (g guarded) Init() (cmd tea.Cmd) {
	defer g.net.catch("starting")
	return g.net.below(g.model.Init())
}

// Update hands a message on.
func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer g.net.catch("taking in a message")
	_, cmd = g.model.Update(msg)
	return g, g.net.below(cmd)
}

// View returns the frame.
func (g guarded) View() (frame string) {
	defer g.net.catch("drawing")
	return g.model.View()
}
