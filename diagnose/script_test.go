package diagnose

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// A script is a story about one hand-made job: first its graph (see newWorld), then, after an empty line,
// what happens and what is expected. Each line is a command; "#" begins a comment.
//
//	age 40s                       the job has been running for so long at the first look
//	set parse 20/0*4              the subtasks spend their time so from now on
//	in totals 60 20 20            records read per second, by subtask or as a whole; likewise out
//	place totals tm-1 tm-2        where the subtasks run
//	cpu tm-1 0.2                  cores in use
//	lag orders 5000 20            records that wait at a source, and how many more each second
//	pool totals 1 0               input and output buffers in use
//	look 10s, watch 60s           one look after that time; looks every fetch interval for that long
//	again 5 set a 9/0; watch 30s  commands between semicolons, so many times
//	want …                        see expectations
//
//	signal sink send-time 0.2..0.4 @warehouse      a signal over the subtasks, of one operator
//	metric tm-1 gc-share 0.6                       a signal of a TaskManager
//	checkpointing interval=10s timeout=1m          and checkpoint, acked: see their methods
//	stack sink 0 20 RUNNABLE a.B.c:12 d.E.f:3       what a thread is seen to do, innermost frame first
//
// The others are in the tables of scriptCommands and signalCommands.
type script struct {
	t    testing.TB
	w    *world
	line string
}

// runScript runs a story and returns the world at its end.
func runScript(t testing.TB, text string) *world {
	t.Helper()
	return runScriptOf(t, DefaultOptions(), Rules(), text)
}

// runScriptOf runs a story with other thresholds and rules.
func runScriptOf(t testing.TB, options Options, rules []Rule, text string) *world {
	t.Helper()
	graph, story, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	s := &script{t: t, w: newWorldWith(t, options, rules, uncommented(graph))}
	commands := scriptCommands()
	maps.Copy(commands, signalCommands())
	maps.Copy(commands, clusterCommands())
	for line := range strings.Lines(uncommented(story)) {
		s.run(commands, line)
	}
	return s.w
}

// run runs one line.
func (s *script) run(commands map[string]func(s *script, args []string), line string) {
	s.t.Helper()
	s.line = strings.TrimSpace(line)
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	if words[0] == "again" {
		times := int(*s.number(words[1]))
		for range times {
			for one := range strings.SplitSeq(strings.Join(words[2:], " "), ";") {
				s.run(commands, one)
			}
		}
		return
	}
	run, ok := commands[words[0]]
	if !ok {
		s.t.Fatalf("no command %q", words[0])
	}
	run(s, words[1:])
}

func uncommented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "#")
		if strings.Contains(line, "#>") {
			code = strings.TrimSuffix(line, "\n")
		}
		b.WriteString(code + "\n")
	}
	return b.String()
}

// archived is one story of an archive.
type archived struct {
	name, text string
}

// readArchive reads the stories of a file in the txtar format: each begins with a line "-- name --".
func readArchive(t testing.TB, file string) []archived {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []archived
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line)
		if name, begins := strings.CutPrefix(text, "-- "); begins && strings.HasSuffix(name, " --") {
			out = append(out, archived{name: strings.TrimSuffix(name, " --")})
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no story", file)
	}
	return out
}

// runArchives runs every story of the archives that match.
func runArchives(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	for _, file := range files {
		group := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, a := range readArchive(t, file) {
			t.Run(group+"/"+a.name, func(t *testing.T) {
				t.Parallel()
				runScript(t, a.text)
			})
		}
	}
}

func (s *script) errorf(format string, args ...any) {
	s.t.Helper()
	s.t.Errorf("%s: %s", s.line, fmt.Sprintf(format, args...))
}

func (s *script) duration(text string) time.Duration {
	s.t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		s.t.Fatalf("%s: %v", s.line, err)
	}
	return d
}

func (s *script) number(text string) *float64 {
	s.t.Helper()
	x := s.w.number(text)
	return &x
}

// scriptCommands are the commands of a script by their first word.
func scriptCommands() map[string]func(s *script, args []string) {
	return map[string]func(s *script, args []string){
		"want":  func(s *script, args []string) { s.want(args[0], args[1:]) },
		"look":  func(s *script, args []string) { s.w.look(s.duration(args[0])) },
		"watch": func(s *script, args []string) { s.w.watch(s.duration(args[0])) },

		"age":     func(s *script, args []string) { s.w.age = s.duration(args[0]) },
		"fetch":   func(s *script, args []string) { s.w.fetch = s.duration(args[0]) },
		"gauges":  func(s *script, _ []string) { s.w.gauges = true },
		"untimed": func(s *script, _ []string) { s.w.untimed = true },
		"freeze":  func(s *script, _ []string) { s.w.frozen = true },
		"thaw":    func(s *script, _ []string) { s.w.frozen = false },

		"set":   func(s *script, args []string) { s.w.set(args[0], args[1:]...) },
		"in":    func(s *script, args []string) { s.flow(args, func(k *task) *float64 { return &k.in }) },
		"out":   func(s *script, args []string) { s.flow(args, func(k *task) *float64 { return &k.out }) },
		"place": (*script).place,
		"lag": func(s *script, args []string) {
			p := s.w.part(args[0])
			p.lag, p.growth = s.number(args[1]), s.number(args[2])
		},
		"pool": func(s *script, args []string) {
			s.w.part(args[0]).spread = map[flinkapi.Signal]flinkapi.Spread{
				flinkapi.InPoolUsage:  {Max: flinkapi.Known(*s.number(args[1]))},
				flinkapi.OutPoolUsage: {Max: flinkapi.Known(*s.number(args[2]))},
			}
		},
		"hold":    func(s *script, args []string) { s.w.part(args[0]).held = true },
		"release": func(s *script, args []string) { s.w.part(args[0]).held = false },
		"attempts": func(s *script, args []string) {
			for _, k := range s.w.part(args[0]).tasks {
				k.others = int(*s.number(args[1]))
			}
		},
		"uncounted": func(s *script, args []string) {
			for _, k := range s.w.part(args[0]).tasks {
				k.uncounted = true
			}
		},
		"rescale": func(s *script, args []string) { s.w.scale(s.w.part(args[0]), args[1:]) },
		"restart": func(s *script, _ []string) { s.w.restart() },

		"cpu": func(s *script, args []string) {
			m := s.w.worker(args[0])
			m.cores, m.known = *s.number(args[1]), true
		},
		"silence": func(s *script, args []string) { s.w.worker(args[0]).silent = true },
		"unlist":  func(s *script, args []string) { s.w.worker(args[0]).unlisted = true },
		"return": func(s *script, args []string) {
			s.w.worker(args[0]).silent, s.w.worker(args[0]).unlisted = false, false
		},

		// "entered RESTARTING 2s": the job came into that state so long ago.
		"entered": func(s *script, args []string) {
			s.w.job.EnteredAt[flinkapi.JobState(args[0])] = s.w.now.Add(-s.duration(args[1]))
		},
		"state":     func(s *script, args []string) { s.w.job.State = flinkapi.JobState(args[0]) },
		"type":      func(s *script, args []string) { s.w.job.Type = flinkapi.JobType(strings.Join(args, "")) },
		"restarts":  func(s *script, args []string) { s.w.job.Restarts = flinkapi.Known(*s.number(args[0])) },
		"exception": (*script).exception,
		"others":    func(s *script, args []string) { s.w.others = int(*s.number(args[0])) },
	}
}

// flow sets records per second: one number for the vertex as a whole, or one by subtask.
func (s *script) flow(args []string, field func(*task) *float64) {
	s.t.Helper()
	p, all := s.w.part(args[0]), repeated(args[1:])
	if len(all) != 1 && len(all) != len(p.tasks) {
		s.t.Fatalf("%s: %s has %d subtasks", s.line, p.name, len(p.tasks))
	}
	for i, k := range p.tasks {
		if len(all) == 1 {
			*field(k) = *s.number(all[0]) / float64(len(p.tasks))
		} else {
			*field(k) = *s.number(all[i])
		}
	}
}

func (s *script) place(args []string) {
	s.t.Helper()
	p, all := s.w.part(args[0]), repeated(args[1:])
	if len(all) != len(p.tasks) {
		s.t.Fatalf("%s: %s has %d subtasks", s.line, p.name, len(p.tasks))
	}
	for i, k := range p.tasks {
		k.worker = s.w.worker(all[i]).id
	}
}

// exception adds one to the history: how long ago, in which task ("-" for none), and its root cause.
func (s *script) exception(args []string) {
	s.t.Helper()
	e := flinkapi.Exception{
		Name: "org.apache.flink.runtime.JobException",
		Root: strings.Join(args[2:], " "),
		At:   s.w.now.Add(-s.duration(args[0])),
	}
	if args[1] != "-" {
		e.Task = args[1]
	}
	s.w.job.Exceptions = append([]flinkapi.Exception{e}, s.w.job.Exceptions...)
}
