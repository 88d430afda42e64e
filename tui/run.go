package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	_ "culprit/tui/hush" // before Bubble Tea begins
)

// Options says what the screen shows and where.
type Options struct {
	// Monitor is the line from the source to the verdict.
	Monitor Monitor
	// Job is the id or name of the job to open; empty for the only running one, or the list of jobs.
	Job string
	// Mode is the word for the source: "live", ModeDemo or ModeReplay.
	Mode string
	// Target is the address or the scenario, as the screen names it.
	Target string
	// Targets are the clusters that the screen can switch to, in the order of the config file; the one whose
	// URL is Target is the one on the screen.
	Targets []Target
	// Actions is the key table; nil is that of [Actions].
	Actions []Action
	// Notify is one of [Notifications]; empty is NotifyOff.
	Notify string
	// Wall shows the verdict alone, in large letters, and takes no keys but those that end the program.
	Wall bool
	// Replay is the recording that Monitor plays; nil for any other source.
	Replay Replay
	// Keeper keeps what the source answers; nil where nothing is to be kept, as of a recording.
	Keeper Keeper
	// Incident is the simulated incident that Monitor watches; nil for any other source.
	Incident Incident
	// Notices are said when the screen opens.
	Notices []string
	// Clock is the clock of the ages on the screen.
	Clock func() time.Time
	// Stopwatch is the clock that drawing is measured with for the debug overlay, which a recording does not
	// set back; nil is Clock.
	Stopwatch func() time.Time
	// DebugOverlay shows at the start what the program itself takes; the list of commands shows and hides it
	// too.
	DebugOverlay bool
	// Machine reads what the program takes of its machine; it may be nil, which leaves that unknown.
	Machine func() Machine
	// Zone is the time zone of the times on the screen; nil is UTC.
	Zone *time.Location
	// In and Out are the terminal. A nil In reads no keys.
	In  io.Reader
	Out io.Writer
	// Env reads the environment; nil for none.
	Env func(string) string
	// Look is how the terminal draws; DetectLook finds it out.
	Look Look
	// Mouse lets clicks select and the wheel scroll; the terminal's own selection of text then needs shift.
	Mouse bool
	// Width and Height are the size before the terminal tells it, in cells; 0 asks the terminal.
	Width, Height int
}

// ModeReplay is the mode of a recording: the screen then says of when it is.
const ModeReplay = "recording"

// ModeDemo is the mode of a simulated cluster.
const ModeDemo = "demo"

// framesPerSecond bounds how often the screen is written. It is also how late a key may be seen.
const framesPerSecond = 20

// Run shows the screen until the user quits, ctx ends or the program fails; the terminal is given back in
// each case. A context that ends is not an error. A panic is one: *Panicked.
func Run(ctx context.Context, opts Options) error { return newProgram(ctx, opts).run() }

// program is the app on its terminal.
type program struct {
	*tea.Program
	app *app
	ctx context.Context //nolint:containedctx // ends with the program
	net *net
}

// newProgram returns the program, so that tests can send it messages. More options may be given to it.
// Signals are the caller's: they end ctx.
func newProgram(ctx context.Context, opts Options, more ...tea.ProgramOption) *program {
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	if opts.Width == 0 {
		opts.Width, opts.Height = sizeOf(opts.Out)
	}
	opts.Out = lock(opts.Out)
	p := &program{net: &net{}}
	p.ctx, p.net.end = context.WithCancel(ctx)
	p.app = newApp(p.ctx, opts)
	settings := append([]tea.ProgramOption{
		tea.WithContext(p.ctx), tea.WithInput(opts.In), tea.WithOutput(opts.Out), tea.WithAltScreen(),
		tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler(),
	}, more...)
	if opts.Mouse {
		settings = append(settings, tea.WithMouseCellMotion())
	}
	p.Program = tea.NewProgram(guarded{p.app, p.net}, settings...)
	return p
}

// run shows a program to its end.
func (p *program) run() error {
	defer p.net.end() // a step that still hangs is given up
	if takesTitle(p.app.opts.Env) {
		_, _ = io.WriteString(p.app.opts.Out, pushTitle) // a terminal that is gone fails in Run, too
		defer func() { _, _ = io.WriteString(p.app.opts.Out, popTitle) }()
	}
	_, err := p.Run()
	if failure := p.net.failure(); failure != nil {
		return failure
	}
	if errors.Is(err, tea.ErrProgramKilled) && p.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("show the screen: %w", err)
	}
	return nil
}

// IsTerminal tells whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// sizeOf asks the terminal for its size; 0, 0 when out is none.
func sizeOf(out io.Writer) (w, h int) {
	f, ok := out.(term.File)
	if !ok {
		return 0, 0
	}
	w, h, err := term.GetSize(f.Fd())
	if err != nil {
		return 0, 0
	}
	return w, h
}

// locked is the one way to the terminal: the renderer and the clipboard share it, so that neither cuts the
// other in two.
type locked struct {
	mu  sync.Mutex
	out io.Writer
}

// Write hands p on in one piece.
func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

// lockedFile is a locked terminal that still shows its file descriptor, which the renderer asks for its size.
type lockedFile struct {
	*os.File
	locked
}

// Write hands p on in one piece.
func (l *lockedFile) Write(p []byte) (int, error) { return l.locked.Write(p) }

// WriteString hands s on in one piece.
func (l *lockedFile) WriteString(s string) (int, error) { return l.locked.Write([]byte(s)) }

func lock(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); ok {
		return &lockedFile{f, locked{out: f}}
	}
	return &locked{out: out}
}
