package sim

import (
	"strings"
	"testing"
	"time"
)

// Over many dumps a task thread stands in each activity as long as its gauges say.
func TestThreadDumpsAgreeWithTheGauges(t *testing.T) {
	t.Parallel()
	c := asyncFull().Cluster(time.Time{})
	looks := map[string]int{}
	const dumps = 200
	for range dumps {
		c.Advance(time.Second)
		body := get[threadDumpBody](t, c, "/taskmanagers/tm-1/thread-dump")
		for _, thread := range body.Threads {
			for _, what := range []string{"addToWorkQueue", "requestMemorySegmentBlocking"} {
				if strings.Contains(thread.Text, what) {
					looks[thread.Name+" "+what]++
				}
			}
			if strings.Contains(thread.Text, "addToWorkQueue") &&
				strings.Count(thread.Text, "pushToOperator") != 1 {
				t.Fatalf("the second operator of the chain shows as\n%s", thread.Text)
			}
		}
	}
	if n := looks["normalize -> exchange-rates -> mask (1/2)#0 addToWorkQueue"]; n < dumps*9/10 {
		t.Errorf("the culprit was seen waiting for its queue %d times of %d", n, dumps)
	}
	if n := looks["parse (1/2)#0 requestMemorySegmentBlocking"]; n < dumps*8/10 {
		t.Errorf("the victim was seen blocked %d times of %d", n, dumps)
	}
	if n := looks["parse (1/2)#0 addToWorkQueue"]; n > 0 {
		t.Errorf("the victim was seen waiting for a queue that it does not have, %d times", n)
	}
}
