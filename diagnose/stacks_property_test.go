package diagnose

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
)

// threads are the stacks of the archives, without those that have no input or are held back, and those.
func threads(t *testing.T) (working, victims []flinkapi.Stack) {
	t.Helper()
	tables := newFrameTables()
	for _, file := range []string{"seen", "made"} {
		for _, a := range readArchive(t, "testdata/stacks/"+file+".txtar") {
			k := readThread(a.text)
			if d := tables.sight(&k).does; d == noInput || d == outputBlocked {
				victims = append(victims, k)
			} else {
				working = append(working, k)
			}
		}
	}
	return working, victims
}

// toldOf is what a report says of a culprit whose threads do that.
func toldOf(t *testing.T, stacks []flinkapi.Stack) (reason Reason, operator string, looks []string) {
	t.Helper()
	return toldBy(t, Rules(), stacks)
}

func toldBy(
	t *testing.T, rules []Rule, stacks []flinkapi.Stack,
) (reason Reason, operator string, looks []string) {
	t.Helper()
	w := newWorld(t, "src 2/98 -> slow\nslow 99/0*2 -> sink\nsink 5/0")
	w.engine = newEngine(DefaultOptions(), rules)
	w.worker("tm-1").cores, w.worker("tm-1").known = 1, true
	w.part("slow").title, w.part("slow").stacks = "a -> b -> c", stacks
	w.watch(40 * time.Second)
	if len(w.report.Culprits) != 1 {
		t.Fatalf("%d culprits", len(w.report.Culprits))
	}
	x := w.report.Culprits[0]
	for _, e := range x.Evidence {
		if e.Signal == "stack-looks" {
			looks = append(looks, e.Subject+" "+e.Label+" "+e.Text())
		}
	}
	return x.Reason, x.Operator, looks
}

// The order of the looks means nothing, nor whether equal ones are told one by one.
func TestOrderAndGroupingOfLooksMeanNothing(t *testing.T) {
	t.Parallel()
	all, _ := threads(t)
	reasons := map[string]bool{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		var some, other []flinkapi.Stack
		for range 1 + r.IntN(4) {
			k := all[r.IntN(len(all))]
			k.Subtask, k.Count = r.IntN(2), 1+r.IntN(6)
			some = append(some, k)
			rest := k.Count
			for rest > 0 {
				k.Count = 1 + r.IntN(rest)
				rest -= k.Count
				other = append(other, k)
			}
		}
		r.Shuffle(len(other), func(i, k int) { other[i], other[k] = other[k], other[i] })
		reason, operator, looks := toldOf(t, some)
		reason2, operator2, looks2 := toldOf(t, other)
		if reason != reason2 || operator != operator2 || !slices.Equal(looks, looks2) {
			t.Errorf("seed %d: %v %q %v, in another order %v %q %v",
				seed, reason, operator, looks, reason2, operator2, looks2)
		}
		reasons[reason.Name] = true
	}
	for _, name := range []string{"external-wait", "cpu-bound", "serialization", "undetermined"} {
		if !reasons[name] {
			t.Errorf("%s was never told, of %v", name, reasons)
		}
	}
}

// What a thread does that has no input or is held back gives no reason, and changes none.
func TestVictimsFramesGiveNoReason(t *testing.T) {
	t.Parallel()
	all, victims := threads(t)
	for i := range victims {
		victims[i].Count = 50
	}
	if reason, operator, _ := toldOf(t, victims); reason.Name != "undetermined" || operator != "" {
		t.Errorf("%v %q by threads that do nothing", reason, operator)
	}
	for i := range all {
		one := all[i]
		one.Count = 12
		reason, operator, looks := toldOf(t, []flinkapi.Stack{one})
		reason2, operator2, looks2 := toldOf(t, append(slices.Clone(victims), one))
		if reason != reason2 || operator != operator2 || !slices.Equal(looks, looks2) {
			t.Errorf("%v: %v, with victims %v", one.Frames[0], reason, reason2)
		}
	}
}

// State access has the rules of rung 4; with them silenced it is no computing and no waiting.
func TestStateAccessIsNothingElse(t *testing.T) {
	t.Parallel()
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return r.Stage == StageState })
	frames := wellKnownFrames()
	stacks := []flinkapi.Stack{{Count: 12, State: "RUNNABLE", Frames: []flinkapi.Frame{frames["^rocks"], frames["^emit"]}}}
	reason, _, _ := toldBy(t, rules, stacks)
	if reason.Name != "undetermined" || !strings.Contains(reason.Summary, "accesses state in 48 of 48 looks") {
		t.Errorf("%+v", reason)
	}
}
