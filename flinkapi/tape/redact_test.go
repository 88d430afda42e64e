package tape_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"culprit/flinkapi"
	"culprit/flinkapi/sim"
	"culprit/flinkapi/tape"
)

// morning is when each simulated cluster is looked at first.
var morning = time.Date(2026, time.January, 2, 8, 0, 0, 0, time.UTC)

// secrets are what must never reach a recording.
func secrets() map[string]string {
	return map[string]string{
		"basic":     "Zm9vOmJhcmJhcjEyMw==",
		"bearer":    "tkn.4711-bearer-secret-9",
		"cookie":    "c00kie-monster-0815",
		"s3":        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"s3 id":     "AKIAIOSFODNN7EXAMPLE",
		"jdbc":      "hunter2jdbc",
		"url":       "hunter2url",
		"thread":    "hunter2thread",
		"plan":      "hunter2plan",
		"sql":       "hunter2sql",
		"jwt":       "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dozjgNryP4J3jVmNHl0w5N",
		"env":       "hunter2env",
		"user conf": "hunter2userconf",
		"unknown":   "hunter2unknown",
		"pem":       "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
		"sasl":      "hunter2sasl",
		"detail":    "hunter2detail",
	}
}

// planter puts secrets wherever a cluster could give them away.
func planter(next http.RoundTripper) http.RoundTripper {
	s := secrets()
	return tripper(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		response.Header.Add("Set-Cookie", "session="+s["cookie"])
		var body any
		if err = json.Unmarshal(raw, &body); err != nil {
			return nil, err
		}
		path := r.URL.Path
		switch top := body.(type) {
		case map[string]any:
			top["environment"] = map[string]any{"DB_PASSWORD": s["env"]}
			top["comment"] = s["unknown"]
			plantObject(path, top, s)
		case []any:
			if path == "/jobmanager/config" {
				top = append(
					top, setting("s3.secret-key", s["s3"]), setting("state.s3.access.key", s["s3 id"]),
					setting("env.java.opts", "-Dpassword="+s["env"]), setting("fs.x.unknown", s["unknown"]),
					setting("state.checkpoints.dir", "s3://u:"+s["url"]+"@bucket/x"),
					setting("pipeline.generic-types", "password="+s["user conf"]),
				)
			} else {
				top = append(top, map[string]any{"id": "text", "value": s["unknown"]})
			}
			body = top
		}
		bent, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		response.Body = io.NopCloser(bytes.NewReader(bent))
		response.ContentLength = int64(len(bent))
		if strings.HasSuffix(path, "/overview") && path != "/jobs/overview" {
			response.StatusCode = http.StatusInternalServerError
			response.Body = io.NopCloser(strings.NewReader(
				`{"errors":["java.sql.SQLException: login as x failed, password=` + s["detail"] + `"]}`))
			response.ContentLength = -1
		}
		return response, nil
	})
}

func setting(key, value string) map[string]any { return map[string]any{"key": key, "value": value} }

func plantObject(path string, top map[string]any, s map[string]string) {
	switch {
	case strings.HasSuffix(path, "/exceptions"):
		trace := "java.sql.SQLException: cannot reach jdbc:postgresql://db:5432/shop?user=app&password=" + s["jdbc"] +
			"\n\tat com.example.Sink.open(Sink.java:7)\nCaused by: java.io.IOException: GET https://joe:" + s["url"] +
			"@example.com/x Authorization: Bearer " + s["bearer"] + "\nCookie: sid=" + s["cookie"] +
			"\nAuthorization: Basic " + s["basic"] + "\naws " + s["s3"] + " of " + s["s3 id"] + " token " + s["jwt"] +
			"\n-----BEGIN PRIVATE KEY-----\n" + s["pem"] + "\n-----END PRIVATE KEY-----\n" +
			`sasl.jaas.config=org.apache.kafka.PlainLoginModule required username="u" password="` + s["sasl"] + `";`
		top["root-exception"] = trace
		top["exceptionHistory"] = map[string]any{"entries": []any{map[string]any{
			"exceptionName": "java.sql.SQLException", "stacktrace": trace, "timestamp": 1, "taskName": "a",
		}}}
	case strings.HasSuffix(path, "/thread-dump"):
		threads, _ := top["threadInfos"].([]any)
		for _, one := range threads {
			thread, _ := one.(map[string]any)
			text, _ := thread["stringifiedThreadInfo"].(string)
			thread["stringifiedThreadInfo"] = text + "\n\t-  waiting for password=" + s["thread"]
		}
		top["threadInfos"] = append(threads, map[string]any{
			"threadName": "login-" + s["thread"], "stringifiedThreadInfo": s["thread"],
		})
	case strings.HasSuffix(path, "/config"):
		top["execution-config"] = map[string]any{
			"job-parallelism": 2, "user-config": map[string]any{"db.password": s["user conf"]},
		}
	case top["plan"] != nil:
		plan, _ := top["plan"].(map[string]any)
		nodes, _ := plan["nodes"].([]any)
		for _, one := range nodes {
			node, _ := one.(map[string]any)
			node["description"] = "Sink(table=[t], 'password' = '" + s["sql"] + "', url=jdbc:mysql://db?password=" +
				s["plan"] + ")<br/>"
			node["optimizer_properties"] = s["unknown"]
		}
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// recordPlanted records a cluster that gives secrets away, and returns all that was written, unpacked.
func recordPlanted(t *testing.T, name string, hide bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planted.culprit")
	file, err := tape.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	scenario, _ := sim.Lookup(name)
	cluster := scenario.Cluster(morning)
	s := secrets()
	recorder := tape.NewRecorder(file, tape.Options{
		Clock: cluster.Now, HideNames: hide, Settings: []string{"pipeline.generic-types", "state.checkpoints.dir"},
	})
	client, err := flinkapi.NewClient(flinkapi.Options{
		URL: "http://sim", Token: s["bearer"], Header: http.Header{"Cookie": {s["cookie"]}},
		Transport: planter(sim.Transport(cluster.Handler(), nil)), Wrap: recorder.Wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	source := recorder.Source(flinkapi.NewCollector(client, flinkapi.CollectorOptions{Clock: recorder.Clock}))
	var focus flinkapi.Focus
	for range 40 {
		snapshot, err := source.Next(t.Context(), focus)
		if err != nil {
			t.Fatal(err)
		}
		if focus.Job == "" {
			focus.Job = snapshot.Jobs[0].ID
		} else {
			focus.Sample = []flinkapi.VertexID{snapshot.Job.Vertices[len(snapshot.Job.Vertices)-1].ID}
			focus.Checkpoint = true
		}
		cluster.Advance(source.Wait())
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	return unpack(t, path)
}

func unpack(t *testing.T, path string) string {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// mustLack holds a recording to lack a text, and shows what is before it.
func mustLack(t *testing.T, written, what, text string) {
	t.Helper()
	if i := strings.Index(written, text); i >= 0 {
		t.Errorf("%s is in the recording: …%s", what, written[max(0, i-200):i+len(text)])
	}
}

func TestPlantedSecretsAreNotRecorded(t *testing.T) {
	t.Parallel()
	for _, hide := range []bool{false, true} {
		t.Run(fmt.Sprintf("names hidden %v", hide), func(t *testing.T) {
			t.Parallel()
			written := recordPlanted(t, "slow-sink", hide) + recordPlanted(t, "restart-loop", hide)
			for _, must := range []string{"thread-dump", "/exceptions", "/jobmanager/config", "SQLException", "details"} {
				if !strings.Contains(written, must) {
					t.Errorf("the recording has no %s: the test plants in vain", must)
				}
			}
			for what, secret := range secrets() {
				mustLack(t, written, what, secret)
			}
			if hide {
				for _, name := range []string{"warehouse", "lab-orders", "tm-1", "clean"} {
					mustLack(t, written, "the name "+name, name)
				}
			}
		})
	}
}
