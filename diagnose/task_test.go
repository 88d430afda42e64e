package diagnose

import "testing"

func TestATaskIsToldByItsIndexFromZero(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"price (2/4)#0":                        "subtask 1 of price",
		"parse (3/4) - execution #75":          "subtask 2 of parse",
		"clean (1/1)":                          "subtask 0 of clean",
		"Window (10 s) -> Map (10/12)#3":       "subtask 9 of Window (10 s) -> Map",
		"Source: orders (v2) (1/2)#0":          "subtask 0 of Source: orders (v2)",
		"flink-pekko.actor.default-dispatcher": "flink-pekko.actor.default-dispatcher",
		"ratio (1/2) of it":                    "ratio (1/2) of it",
		"price (0/4)#0":                        "price (0/4)#0",
		"price (5/4)#0":                        "price (5/4)#0",
		" (1/4)#0":                             " (1/4)#0",
		"price (":                              "price (",
		"":                                     "",
	} {
		if got := TaskText(task); got != want {
			t.Errorf("%q is told as %q, want %q", task, got, want)
		}
	}
}

func TestSubtasksSayWhichIndicesThereAre(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"subtask 4 (of 0 to 7)":    subtasksOf(8, 4),
		"subtask 0, 3 (of 0 to 3)": subtasksOf(4, 0, 3),
		"subtask 0":                subtasksOf(1, 0),
		"subtask 2":                subtasksOf(0, 2), // its parallelism is not known
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
