package diagnose

import (
	"testing"

	"culprit/flinkapi"
)

func TestASettingThatIsSetAlreadyIsNoRemedy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set, from, to string
		offered       bool
		now           string
	}{
		{"", "", "true", true, ""},
		{"true", "", "true", false, ""},
		{"TRUE", "", "true", false, ""},
		{"false", "", "true", true, "false"},
		{"64 mb", "", "64mb", false, ""},
		{"65536 kb", "", "64 mb", false, ""},
		{"60 s", "", "1 min", false, ""},
		{"60000", "", "60 s", true, "60000"}, // without a unit it may be another one
		{"", "1" + defaultMark, "1", false, ""},
		{"", "1", "2", true, "1"},
		{"true", "false", "true", true, "false"}, // the job says otherwise than the cluster
		{"2", "", "", true, "2"},
	} {
		s := &flinkapi.Snapshot{Cluster: flinkapi.Cluster{Settings: map[string]string{"other": "1"}}}
		if c.set != "" {
			s.Cluster.Settings["a.b"] = c.set
		}
		rule := Rule{Check: func(*Case) Finding {
			return Finding{Remedies: []Remedy{{Do: "set it", Key: "a.b", From: c.from, To: c.to}}}
		}}
		f := ask(&rule, &Case{snapshot: s})
		if offered := len(f.Remedies) == 1; offered != c.offered {
			t.Errorf("%+v: offered %v", c, offered)
		} else if offered && f.Remedies[0].From != c.now {
			t.Errorf("%+v: now it is %q", c, f.Remedies[0].From)
		}
	}
}

func TestAmountsAreMultipliedInTheirUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value  string
		factor float64
		want   string
	}{
		{"4", 2, "8"},
		{"0.4", 1.5, "0.6"},
		{"64 mb", 0.5, "32 mb"},
		{"64mb", 2, "128mb"},
		{"1 s", 2, "2 s"},
		{"65 mb", 0.5, "33280 kb"},
		{"s3://bucket", 2, ""},
		{"", 2, ""},
	} {
		if got := multiplied(c.value, c.factor); got != c.want {
			t.Errorf("%q times %g is %q, want %q", c.value, c.factor, got, c.want)
		}
	}
}

func TestFewerSlotsAreHalfOfWhatAllHave(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slots    []int
		from, to string
	}{
		{nil, "", ""}, {[]int{8, 8}, "8", "4"}, {[]int{3}, "3", "1"}, {[]int{1}, "1", ""}, {[]int{4, 2}, "", ""},
	} {
		s := &flinkapi.Snapshot{}
		for _, n := range c.slots {
			s.TaskManagers = append(s.TaskManagers, flinkapi.TaskManager{Slots: n})
		}
		if from, to := (&Case{snapshot: s}).fewerSlots(); from != c.from || to != c.to {
			t.Errorf("%v: from %q to %q", c.slots, from, to)
		}
	}
}
