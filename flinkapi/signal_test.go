package flinkapi

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheCatalogueIsComplete(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Signals() {
		info := s.Info()
		unnamed := info.Name == "" || info.Label == "" || info.Metric == ""
		if unnamed || info.Unit == "" || info.Scale == 0 || info.Since < 113 {
			t.Errorf("signal %d is incomplete: %+v", int(s), info)
		}
		if names[info.Name] {
			t.Errorf("two signals are called %s", info.Name)
		}
		names[info.Name] = true
		if s.String() != info.Name {
			t.Errorf("%s prints as %s", info.Name, s)
		}
	}
	if got := signalCount.String(); !strings.HasPrefix(got, "signal(") {
		t.Errorf("no signal prints as %q", got)
	}
}

// TestEverySignalIsInTheAnswersOfRealClusters finds each metric id in what both recorded versions gave.
func TestEverySignalIsInTheAnswersOfRealClusters(t *testing.T) {
	bodies := recordedBodies(t)
	for _, version := range []string{"1.20.5", "2.3.0"} {
		all := map[string]bool{}
		for file, body := range bodies {
			if strings.Contains(file, "/"+version+"/") {
				var tree any
				if err := json.Unmarshal(body, &tree); err != nil {
					t.Fatal(err)
				}
				collectNames(tree, all)
			}
		}
		for _, s := range Signals() {
			// Only operators with asynchronous state have the first, only connectors that were not recorded the
			// others.
			optional := s == AsyncStateInFlight || s >= KafkaSendRate && s <= PaimonCommitTime
			if metric := s.Info().Metric; !optional && !all[metric] && !someOperatorHas(all, s) {
				t.Errorf("%s: no answer holds %s", version, metric)
			}
		}
	}
}

// The metrics of connectors that were not recorded are told as their code registers them: below the operator,
// in groups.
func TestMetricsOfSinkKindsAreFoundInTheirGroups(t *testing.T) {
	for id, want := range map[string]struct {
		signal   Signal
		operator string
	}{
		"out__Writer.KafkaProducer.record-send-rate":          {KafkaSendRate, "out__Writer.KafkaProducer"},
		"out__Writer.KafkaProducer.produce-throttle-time-avg": {KafkaThrottleTime, "out__Writer.KafkaProducer"},
		"out__Writer.KafkaProducer.bufferpool-wait-ratio":     {KafkaBufferWait, "out__Writer.KafkaProducer"},
		"out__Writer.KafkaProducer.record-queue-time-avg":     {KafkaQueueTime, "out__Writer.KafkaProducer"},
		"commit.IcebergFilesCommitter.table.db_orders.lastCommitDurationMs": {
			IcebergCommitTime, "commit.IcebergFilesCommitter.table.db_orders",
		},
		"write.IcebergStreamWriter.table.db_orders.lastFlushDurationMs": {
			IcebergFlushTime, "write.IcebergStreamWriter.table.db_orders",
		},
		"commit.paimon.table.orders.commit.lastCommitDuration": {
			PaimonCommitTime, "commit.paimon.table.orders.commit",
		},
	} {
		for _, s := range Signals() {
			operator, is := s.Info().operatorOf(id)
			if is != (s == want.signal) || is && operator != want.operator {
				t.Errorf("%s: %s: %v of %q", id, s, is, operator)
			}
		}
	}
}

func someOperatorHas(all map[string]bool, s Signal) bool {
	endpoint := s.Info().Endpoint
	for id := range all {
		if _, is := s.Info().operatorOf(id); is && (endpoint == OperatorMetrics || endpoint == CoordinatorMetrics) {
			return true
		}
	}
	return false
}

// collectNames notes the keys and the metric ids of an answer.
func collectNames(node any, all map[string]bool) {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			collectNames(child, all)
		}
	case map[string]any:
		for key, child := range n {
			all[key] = true
			if id, is := child.(string); is && key == "id" {
				all[id] = true
			}
			collectNames(child, all)
		}
	}
}
