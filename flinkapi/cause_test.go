package flinkapi

import (
	"strings"
	"testing"
)

func TestTheFirstUsefulLineOfAnException(t *testing.T) {
	cases := []struct{ name, trace, want string }{
		{"one line", "java.lang.IllegalStateException: boom", "IllegalStateException: boom"},
		{"no message", "java.lang.NullPointerException\n\tat a.B.c(B.java:1)", "NullPointerException"},
		{
			"causes",
			"org.apache.flink.runtime.JobException: Recovery is suppressed by NoRestartBackoffTimeStrategy\n" +
				"\tat org.apache.flink.A.b(A.java:1)\nCaused by: java.lang.RuntimeException: outer\n\t... 5 more\n" +
				"Caused by: java.io.IOException: disk full: /data\n\tat a.B.c(B.java:2)\n\t... 9 more\n",
			"IOException: disk full: /data",
		},
		{
			"suppressed ones do not count",
			"a.b.Outer: x\n\tat a.B\n\tSuppressed: c.d.E: y\n\t\tat c\n\tCaused by: e.f.G: not this\n" +
				"Caused by: g.h.Inner: z\n",
			"Inner: z",
		},
		{
			"a circle", "a.b.Outer: x\nCaused by: c.d.E: y\nCaused by: [CIRCULAR REFERENCE: a.b.Outer: x]",
			"E: y",
		},
		{
			"server side",
			"<Exception on server side:\na.b.C: bad\n\tat a\n\nEnd of exception on server side>",
			"C: bad",
		},
		{"server side in one line", "<Exception on server side:x.Y: z", "Y: z"},
		{"inner class", "com.acme.Job$Boom: x", "Job$Boom: x"},
		{"no class", "Job 00 not found: see http://x.y/z", "Job 00 not found: see http://x.y/z"},
		{"frames only", "\tat a.b.C.d(C.java:1)\n\t... 3 more", ""},
		{"hostile", "a.B: \x1b[31mred\x1b[0m\u202e", "B: red"},
		{"empty", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := rootCause(c.trace); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzRootCause(f *testing.F) {
	f.Add("a.b.C: d\n\tat e.f(G.java:1)\nCaused by: h.I")
	f.Add("Caused by: \nCaused by:")
	f.Fuzz(func(t *testing.T, trace string) {
		line := rootCause(trace)
		if line != Sanitize(line) || strings.Contains(line, "\n") {
			t.Errorf("%q gave %q, which is not one safe line", trace, line)
		}
	})
}
