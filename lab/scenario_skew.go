package lab

// skewed are jobs in which some instances of a vertex have more to do than the others, each for another
// cause; they wait.
func skewed() []Scenario {
	hot := func(vertex, reason string, instances int) Expect {
		return Expect{Culprits: []Culprit{{Vertex: vertex, Reasons: []string{reason}, Instances: instances}}}
	}
	return []Scenario{
		{Name: "key-groups", Class: "KeyGroups", Slots: 4, Expect: hot("customer-totals", "key-groups", 2)},
		{Name: "few-keys", Class: "FewKeys", Slots: 8, Expect: hot("country-totals", "few-keys", 0)},
		{Name: "partition-skew", Class: "PartitionSkew", Slots: 4, Expect: hot("enrich", "partition-skew", 1)},
		{Name: "cost-skew", Class: "CostSkew", Slots: 4, Expect: hot("customer-profile", "cost-skew", 1)},
	}
}
