package sim

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The recorded answers of real clusters, by version and scenario. Each folder lists its files with the
// path that was asked.
const recordings = "../testdata/rest"

// notSimulated are metrics of real clusters that the model has no notion of.
func notSimulated() *regexp.Regexp {
	return regexp.MustCompile(`^(mailboxLatencyMs_\w+|numBuffersIn\w+|numBytesIn(Local|Remote)\w*|` +
		`Shuffle\.Netty\.Input\.num\w+|<op>\.split\.\d+\..*)$`)
}

// Every field of a real answer is in the simulator's answer to the same request, and every metric that a
// real task lists.
func TestAnswersHaveTheFieldsOfRealOnes(t *testing.T) {
	for _, version := range []string{"1.20.5", "2.3.0"} {
		folders, err := filepath.Glob(filepath.Join(recordings, version, "*"))
		if err != nil || len(folders) == 0 {
			t.Fatalf("no recordings of %s: %v", version, err)
		}
		for _, folder := range folders {
			s, ok := Lookup(filepath.Base(folder))
			if !ok {
				t.Logf("no scenario %s", folder)
				continue
			}
			t.Run(version+"/"+s.Name, func(t *testing.T) { compareRecording(t, folder, version, s) })
		}
	}
}

type recordedRequest struct {
	File, Path string
	Status     int
}

func compareRecording(t *testing.T, folder, version string, s Scenario) {
	s.Config.Version = version
	c := s.Cluster(noon())
	prime(t, c)
	var requests []recordedRequest
	read(t, filepath.Join(folder, "requests.json"), &requests)
	roles := rolesOf(t, filepath.Join(folder, "job.json"))
	theirs, ours := map[string][]string{}, map[string][]string{}
	for _, r := range requests {
		if r.Status != 200 {
			continue
		}
		var body any
		read(t, filepath.Join(folder, r.File), &body)
		kind := idPattern().ReplaceAllString(r.Path, "<id>")
		theirs[kind] = append(theirs[kind], keysOf(body)...)
		ours[kind] = append(ours[kind], keysOf(get[any](t, c, c.translate(t, r.Path, roles)))...)
	}
	for kind, keys := range theirs {
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			if !slices.Contains(ours[kind], key) && !notSimulated().MatchString(strings.TrimPrefix(key, "[].id=")) {
				t.Errorf("GET %s: no %s", kind, key)
			}
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func idPattern() *regexp.Regexp { return regexp.MustCompile(`[0-9a-f]{32}`) }

// rolesOf tells for each vertex of a recorded job whether it is a source, a sink or something between
// them.
func rolesOf(t *testing.T, file string) map[string]string {
	t.Helper()
	var job struct{ Plan planBody }
	read(t, file, &job)
	roles := map[string]string{}
	for _, n := range job.Plan.Nodes {
		if roles[n.ID] == "" {
			roles[n.ID] = "sink"
		}
		if len(n.Inputs) == 0 {
			roles[n.ID] = "source"
		}
		for _, in := range n.Inputs {
			roles[in.ID] = "middle"
		}
	}
	for _, n := range job.Plan.Nodes {
		if len(n.Inputs) == 0 {
			roles[n.ID] = "source"
		}
	}
	return roles
}

// translate puts the simulator's ids into a recorded path: those of its own source, middle and sink.
func (c *Cluster) translate(t *testing.T, path string, roles map[string]string) string {
	t.Helper()
	j := c.jobs[0]
	own := map[string]string{
		"source": j.vertexIDs[0], "middle": j.vertexIDs[1], "sink": j.vertexIDs[len(j.vertexIDs)-1],
	}
	return idPattern().ReplaceAllStringFunc(path, func(id string) string {
		if role, ok := roles[id]; ok {
			return own[role]
		}
		return j.id
	})
}

// keysOf lists the paths of all fields. Entries of arrays count as one, ids as keys as <id>, and the
// entries of lists of metrics go by the name of the metric.
func keysOf(body any) []string {
	var keys []string
	var walk func(prefix string, x any)
	walk = func(prefix string, x any) {
		switch x := x.(type) {
		case map[string]any:
			if name, ok := x["id"].(string); ok && prefix == "[]" {
				keys = append(keys, "[].id="+metricName(name))
			}
			for k, child := range x {
				key := prefix + "." + idPattern().ReplaceAllString(k, "<id>")
				keys = append(keys, key)
				walk(key, child)
			}
		case []any:
			for _, child := range x {
				walk(prefix+"[]", child)
			}
		}
	}
	walk("", body)
	return keys
}

// metricName is a metric without the number of the subtask, and with <op> for the name of the operator.
func metricName(id string) string {
	id = regexp.MustCompile(`^\d+\.`).ReplaceAllString(id, "")
	first, rest, dotted := strings.Cut(id, ".")
	if !dotted || slices.Contains([]string{"Shuffle", "Status", "buffers"}, first) {
		return id
	}
	return "<op>." + rest
}
