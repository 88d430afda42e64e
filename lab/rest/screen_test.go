package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// serve answers each path, without its query, with a text.
func serve(t *testing.T, answers map[string]string) Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text)) // a broken connection fails the test by itself
	}))
	t.Cleanup(server.Close)
	return Client{URL: server.URL}
}

func TestScreenReadsTheGaugesInTheOrderOfTheFlow(t *testing.T) {
	client := serve(t, map[string]string{
		"/jobs/j": `{"vertices": [{"id": "c", "name": "sink"}, {"id": "a", "name": "orders"}, {"id": "b", "name": "parse"}],
			"plan": {"nodes": [{"id": "c", "inputs": [{"id": "b"}]}, {"id": "b", "inputs": [{"id": "a"}]}, {"id": "a"}]}}`,
		"/jobs/j/vertices/a/subtasks/metrics": `[{"id": "busyTimeMsPerSecond", "max": "NaN"},
			{"id": "backPressuredTimeMsPerSecond", "max": 998.6}]`,
		"/jobs/j/vertices/b/subtasks/metrics": `[{"id": "busyTimeMsPerSecond", "max": 1000.0},
			{"id": "backPressuredTimeMsPerSecond", "max": 0.0}]`,
		"/jobs/j/vertices/c/subtasks/metrics": `[]`,
	})
	got, err := client.Screen(t.Context(), "j")
	if err != nil {
		t.Fatal(err)
	}
	nearlyAll, all, none := 99.9, 100.0, 0.0
	want := Screen{
		{ID: "a", Name: "orders", Backpressured: &nearlyAll},
		{ID: "b", Name: "parse", Inputs: []string{"a"}, Busy: &all, Backpressured: &none},
		{ID: "c", Name: "sink", Inputs: []string{"b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestScreenIsAnErrorWithoutAnswers(t *testing.T) {
	if screen, err := serve(t, nil).Screen(t.Context(), "j"); err == nil {
		t.Errorf("got %v", screen)
	}
}

func TestFeedsFollowsTheEdgesDown(t *testing.T) {
	screen := Screen{
		{ID: "a", Name: "orders"},
		{ID: "b", Name: "parse", Inputs: []string{"a"}},
		{ID: "c", Name: "sink", Inputs: []string{"b"}},
		{ID: "d", Name: "side", Inputs: []string{"a"}},
	}
	for _, tc := range []struct {
		id, name string
		want     bool
	}{{"a", "sink", true}, {"b", "sink", true}, {"c", "sink", false}, {"d", "sink", false}, {"c", "orders", false}} {
		if got := screen.Feeds(tc.id, tc.name); got != tc.want {
			t.Errorf("%s feeds %s: %v, want %v", tc.id, tc.name, got, tc.want)
		}
	}
}
