package diagnose

import (
	"slices"
	"strings"
)

// keyedOperation is what the first operator of a keyed vertex does, as the plan's description and its name
// tell.
type keyedOperation struct {
	// by are the columns of the key, as the plan of a query names them; empty where it does not.
	by string
	// join and ordered are operations whose result cannot be combined from parts.
	join, ordered bool
	// aggregate is an aggregation of a query; twoPhase one that is already done in two phases, distinct one over
	// distinct values.
	aggregate, twoPhase, distinct bool
}

func (c *Case) operation(v int) keyedOperation {
	text, _, _ := strings.Cut(c.vertex(v).Description, "\n")
	name, _, _ := strings.Cut(c.vertex(v).Name, " -> ")
	text += " " + name
	mentions := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	out := keyedOperation{
		join:      strings.Contains(strings.ToLower(text), "join"),
		ordered:   mentions("Rank(", "Deduplicate(", "OverAggregate(", "Match(", "CepOperator"),
		aggregate: mentions("GroupAggregate(", "WindowAggregate("),
		twoPhase:  mentions("GlobalGroupAggregate(", "GlobalWindowAggregate(", "IncrementalGroupAggregate("),
		distinct:  mentions("DISTINCT"),
	}
	for _, before := range []string{"groupBy=[", "partitionBy=[", "key=["} {
		if _, rest, ok := strings.Cut(text, before); ok && out.by == "" {
			out.by, _, _ = strings.Cut(rest, "]")
		}
	}
	return out
}
