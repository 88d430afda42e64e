package lab

import (
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"culprit/lab/rest"
)

func TestWithinHoldsEachVertexToItsBand(t *testing.T) {
	proof := within(
		band{"enrich", [2]float64{0.6, 0.9}, [2]float64{0.1, 0.4}},
		band{"score", [2]float64{saturated, 1}, [2]float64{0, 0.1}},
	)
	tests := map[string]struct {
		vertices []vertexShare
		want     bool
	}{
		"as built":          {[]vertexShare{{"enrich", 75, 25}, {"score", 100, 0}, {"archive", 1, 0}}, true},
		"the upper is idle": {[]vertexShare{{"enrich", 30, 25}, {"score", 100, 0}, {"archive", 1, 0}}, false},
		"held back more":    {[]vertexShare{{"enrich", 60, 40}, {"score", 80, 20}, {"archive", 1, 0}}, false},
		"a third is busy":   {[]vertexShare{{"enrich", 75, 25}, {"score", 100, 0}, {"archive", 60, 0}}, false},
		"one is missing":    {[]vertexShare{{"enrich", 75, 25}, {"archive", 1, 0}}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			before, after := row(t, tc.vertices...)
			ok, seen, err := proof(t.Context(), Evidence{Before: before, After: after})
			if err != nil || ok != tc.want {
				t.Errorf("got %v, want %v: %s, %v", ok, tc.want, seen, err)
			}
		})
	}
}

func TestBandsRefuseTheUnknown(t *testing.T) {
	if in(math.NaN(), [2]float64{0, 1}) || !in(0, [2]float64{0, 0}) || in(0.2, [2]float64{0, 0.1}) {
		t.Error("a share beyond its band was taken, or one within it was not")
	}
}

func TestTurnsComeAndGo(t *testing.T) {
	tests := map[string]struct {
		shares      []float64
		come, going bool
	}{
		"comes and goes": {[]float64{0.02, 0.52, 0.04}, true, true},
		"always":         {[]float64{0.9, 1, 0.8}, true, false},
		"never":          {[]float64{0.1, 0, 0.1}, false, true},
		"nothing known":  {nil, false, false},
	}
	for name, tc := range tests {
		if comes(tc.shares) != tc.come || goes(tc.shares) != tc.going {
			t.Errorf("%s: comes %v, goes %v", name, comes(tc.shares), goes(tc.shares))
		}
	}
}

func TestPendingRecordsAreThoseOfTheSource(t *testing.T) {
	var asked, answer string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path
		_, _ = w.Write([]byte(answer)) // a broken connection fails the test by itself
	}))
	defer server.Close()
	e := Evidence{Client: rest.Client{URL: server.URL}, Job: "j"}
	e.After.Vertices = []rest.Vertex{{ID: "sink", Inputs: []string{"source"}}, {ID: "source"}}
	for text, want := range map[string]float64{`[{"id": "x", "sum": 42.0}]`: 42, `[]`: math.NaN()} {
		answer = text
		got, err := pendingRecords(t.Context(), e)
		if err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s gives %v, %v", text, got, err)
		}
		if asked != "/jobs/j/vertices/source/subtasks/metrics" {
			t.Errorf("asked %s", asked)
		}
	}
}
