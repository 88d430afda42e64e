package diagnose

import "testing"

// With the default of burstiness a burst is busy for half of the time at most, so that burst-mean counts only
// where a user has lowered it.
func TestTheMeanOfABurstCounts(t *testing.T) {
	t.Parallel()
	const story = `
src 5/0 -> windows
windows 4/0

again 6 set src 2/98; set windows 99/0; watch 30s; set src 5/0; set windows 4/0; watch 20s
`
	for most, want := range map[string]string{"0.5": "fine", "0.7": "fires"} {
		options := DefaultOptions()
		for name, value := range map[string]string{"burstiness": "1.2", "burst-mean": most} {
			if err := options.SetThreshold(name, value); err != nil {
				t.Fatal(err)
			}
		}
		w := runScriptOf(t, options, Rules(), story)
		f, asked := (&script{t: t, w: w}).verdict("burst")
		if got := verdictWord(&f, asked); got != want {
			t.Errorf("up to %s: %s, want %s", most, got, want)
		}
	}
}
