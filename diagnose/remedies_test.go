package diagnose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"culprit/flinkapi"
)

// lacking names the parts of a remedy that say nothing.
func (r *Remedy) lacking() []string {
	var out []string
	for _, part := range [][2]string{
		{"Do", r.Do}, {"Gain", r.Gain}, {"Risk", r.Risk}, {"Undo", r.Undo}, {"Link", r.Link},
	} {
		if strings.TrimSpace(part[1]) == "" {
			out = append(out, part[0])
		}
	}
	return out
}

// The remedies of the kinds of sinks are whole, whether a story comes to them or not.
func TestTheRemediesOfSinksAreWhole(t *testing.T) {
	t.Parallel()
	for _, kind := range append(sinkKinds(), anySink()) {
		wholeRemedies(t, kind.name, append(slices.Clone(kind.waiting), kind.computing...), []string{aboveSinkDont})
	}
}

// formula is how a gain computes a busy share.
var formula = regexp.MustCompile(`busy about (\d+) % instead of (\d+) % \((\d+) % x (\d+) / (\d+)\)`)

// wholeRemedies checks that each remedy says what it gains and risks, how it is taken back and where it is
// described, that its arithmetic holds, and that what not to do is told beside it.
func wholeRemedies(t *testing.T, where string, all []Remedy, dont []string) {
	t.Helper()
	for i := range all {
		if missing := all[i].lacking(); len(missing) > 0 {
			t.Errorf("%s: %s: no %s", where, all[i].Do, strings.Join(missing, ", "))
		}
		if link := all[i].Link; !strings.HasPrefix(link, "https://") || strings.Contains(link, " ") {
			t.Errorf("%s: %s: the link is %q", where, all[i].Do, link)
		}
		if all[i].To != "" && sameSetting(all[i].From, all[i].To) {
			t.Errorf("%s: %s: %s is so already", where, all[i].Do, all[i].Change())
		}
		mustCompute(t, where, all[i].Gain)
	}
	if slices.ContainsFunc(dont, func(d string) bool { return strings.HasPrefix(strings.ToLower(d), "do not") }) {
		t.Errorf("%s: one of %q repeats the words that it stands behind", where, dont)
	}
	if len(all) > 0 && len(dont) == 0 {
		t.Errorf("%s: it says what to do and not what not to do", where)
	}
}

// mustCompute checks the arithmetic of a gain that tells a busy share.
func mustCompute(t *testing.T, where, gain string) {
	t.Helper()
	m := formula.FindStringSubmatch(gain)
	if m == nil {
		return
	}
	n := make([]float64, len(m))
	for k := range m {
		n[k], _ = strconv.ParseFloat(m[k], 64)
	}
	if want := math.Round(n[3] * n[4] / n[5]); n[2] != n[3] || n[1] != want {
		t.Errorf("%s: %s, which is %.0f %%", where, m[0], want)
	}
}

// The remedies that no story comes to are whole, too: each is written with all its parts at one place. What
// withParallelism completes may leave the link to it.
func TestEveryRemedyIsWrittenWhole(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		completed := map[*ast.CompositeLit]bool{}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				markCompleted(n, completed)
			case *ast.CompositeLit:
				for _, lit := range remedyLiterals(n) {
					if missing := unwritten(lit, completed[lit]); len(missing) > 0 {
						t.Errorf("%s: no %s", fset.Position(lit.Pos()), strings.Join(missing, ", "))
					}
				}
			}
			return true
		})
	}
}

// markCompleted notes the literal that is handed to withParallelism, which fills in the link.
func markCompleted(call *ast.CallExpr, completed map[*ast.CompositeLit]bool) {
	if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "withParallelism" {
		return
	}
	if lit, ok := call.Args[0].(*ast.CompositeLit); ok {
		completed[lit] = true
	}
}

// remedyLiterals are the remedies that a literal writes: itself, or the elements of a list of them.
func remedyLiterals(n *ast.CompositeLit) []*ast.CompositeLit {
	named := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && name.Name == "Remedy"
	}
	if named(n.Type) && len(n.Elts) > 0 {
		return []*ast.CompositeLit{n}
	}
	list, ok := n.Type.(*ast.ArrayType)
	if !ok || !named(list.Elt) {
		return nil
	}
	var out []*ast.CompositeLit
	for _, e := range n.Elts {
		if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
			out = append(out, lit)
		}
	}
	return out
}

// unwritten are the parts that a literal leaves out.
func unwritten(lit *ast.CompositeLit, completed bool) []string {
	missing := []string{"Do", "Gain", "Risk", "Undo", "Link"}
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				missing = slices.DeleteFunc(missing, func(s string) bool { return s == name.Name })
			}
		}
	}
	return slices.DeleteFunc(missing, func(s string) bool { return completed && s == "Link" })
}

// Two things to do that undo each other, or one and a warning of it.
func contradictions() [][2]*regexp.Regexp {
	return [][2]*regexp.Regexp{
		{regexp.MustCompile(`^do: .*more buffers`), regexp.MustCompile(`^do: .*(less data in flight|smaller buffers)`)},
		{regexp.MustCompile(`^do: .*(more heap|fewer subtasks in each)`), regexp.MustCompile(`^do not: more heap`)},
		{regexp.MustCompile(`^do: switch unaligned checkpoints on`), regexp.MustCompile(`^do not: unaligned .* do not help`)},
		{regexp.MustCompile(`^do: .*larger batches`), regexp.MustCompile(`^do: .*smaller batches`)},
		{regexp.MustCompile(`^do: .*in RocksDB`), regexp.MustCompile(`^do: .*on the heap`)},
	}
}

// advised are all things to do and not to do of a report.
func advised(r *Report) []string {
	var out []string
	add := func(remedies []Remedy, dont []string) {
		for i := range remedies {
			out = append(out, "do: "+remedies[i].Do)
		}
		for _, d := range dont {
			out = append(out, "do not: "+d)
		}
	}
	for i := range r.Culprits {
		add(r.Culprits[i].Remedies, r.Culprits[i].Dont)
	}
	for i := range r.Also {
		add(r.Also[i].Remedies, r.Also[i].Dont)
	}
	if r.State != nil {
		add(r.State.Remedies, r.State.Dont)
	}
	return out
}

// What one report advises does not contradict itself, and fits the state backend.
func mustAgree(t *testing.T, where string, w *world) {
	t.Helper()
	said := advised(w.report)
	for _, pair := range contradictions() {
		a, b := slices.IndexFunc(said, pair[0].MatchString), slices.IndexFunc(said, pair[1].MatchString)
		if a >= 0 && b >= 0 {
			t.Errorf("%s: %q beside %q", where, said[a], said[b])
		}
	}
	on := &Case{
		job:      &flinkapi.Job{Checkpoints: w.checkpoints},
		snapshot: &flinkapi.Snapshot{Cluster: flinkapi.Cluster{Settings: w.settings}},
	}
	if on.backend() != backendHeap {
		return
	}
	for _, text := range said {
		if ofDisk := strings.Contains(text, "RocksDB") || strings.Contains(text, "compact"); ofDisk &&
			!strings.Contains(text, "keep this state in RocksDB") {
			t.Errorf("%s: state is on the heap, and it says %q", where, text)
		}
	}
}

func TestARemedyThatDoesNotFitIsNotOffered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fits    fit
		backend string
		version string
		want    bool
	}{
		{fit{}, "", "", true},
		{fit{}, "hashmap", "1.13.6", true},
		{fit{since: 114}, "", "1.13.6", false},
		{fit{since: 114}, "", "1.14.0", true},
		{fit{since: 114}, "", "", true}, // not known
		{fit{backends: backendsOf(backendRocksDB)}, "rocksdb", "", true},
		{fit{backends: backendsOf(backendRocksDB)}, "hashmap", "", false},
		{fit{backends: backendsOf(backendRocksDB)}, "", "", false},
		{fit{backends: backendsOf(backendHeap, backendUnknown)}, "", "", true},
	} {
		s := &flinkapi.Snapshot{Cluster: flinkapi.Cluster{
			Version: c.version, Settings: map[string]string{"state.backend.type": c.backend},
		}}
		got := (&Case{snapshot: s}).open([]Remedy{{Do: "it", fits: c.fits}})
		if (len(got) == 1) != c.want {
			t.Errorf("%+v: offered %v", c, !c.want)
		}
	}
}
