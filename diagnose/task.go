package diagnose

import (
	"fmt"
	"strconv"
	"strings"
)

// Subtasks are told by their index from 0 everywhere, as in Flink's web UI. Flink's names of tasks count from
// 1 and add the attempt; they are rewritten before anybody reads them.

// TaskOf splits Flink's name of a task, as exceptions and threads give it
// (org.apache.flink.api.common.TaskInfo): "price (2/4)#0" and "price (2/4) - execution #75" are subtask 1
// of price. Other names are no task.
func TaskOf(task string) (vertex string, subtask int, ok bool) {
	i := strings.LastIndex(task, " (")
	if i <= 0 {
		return "", 0, false
	}
	number, rest, _ := strings.Cut(task[i+2:], "/")
	all, attempt, _ := strings.Cut(rest, ")")
	n, err1 := strconv.Atoi(number)
	of, err2 := strconv.Atoi(all)
	attempted := attempt == "" || strings.HasPrefix(attempt, "#") || strings.HasPrefix(attempt, " - execution #")
	if err1 != nil || err2 != nil || n < 1 || n > of || !attempted {
		return "", 0, false
	}
	return task[:i], n - 1, true
}

// TaskText is a task by the index of its subtask: "subtask 1 of price" for Flink's "price (2/4)#0". What is
// no name of a task stays as it is.
func TaskText(task string) string {
	vertex, subtask, ok := TaskOf(task)
	if !ok {
		return task
	}
	return fmt.Sprintf("subtask %d of %s", subtask, vertex)
}

// subtasksOf are subtasks with the indices that there are, so that nobody counts from 1: "subtask 4 (of 0
// to 7)".
func subtasksOf(parallelism int, subtasks ...int) string {
	text := "subtask " + list(subtasks)
	if parallelism < 2 {
		return text
	}
	return text + fmt.Sprintf(" (of 0 to %d)", parallelism-1)
}
