package sim

import (
	"slices"
	"strings"
)

type planBody struct {
	ID    string     `json:"jid"`
	Name  string     `json:"name"`
	Type  string     `json:"type"`
	Nodes []planNode `json:"nodes"`
}

type planNode struct {
	ID               string      `json:"id"`
	Parallelism      int         `json:"parallelism"`
	Operator         string      `json:"operator"`
	OperatorStrategy string      `json:"operator_strategy"`
	Description      string      `json:"description"`
	Inputs           []planInput `json:"inputs,omitempty"`
	Properties       struct{}    `json:"optimizer_properties"`
}

type planInput struct {
	Num      int    `json:"num"`
	ID       string `json:"id"`
	Ship     Ship   `json:"ship_strategy"`
	Exchange string `json:"exchange"`
}

// makePlan lists the vertices with their inputs, receivers before senders.
func (j *job) makePlan() planBody {
	p := planBody{ID: j.id, Name: j.spec.Name, Type: j.jobType()}
	for _, v := range slices.Backward(j.net.order) {
		vx := &j.net.vertices[v]
		n := planNode{ID: j.vertexIDs[v], Parallelism: vx.Parallelism, Description: describe(vx.Name)}
		for num, e := range vx.in {
			edge := &j.net.edges[e]
			in := planInput{num, j.vertexIDs[edge.From], edge.Ship, "pipelined_bounded"}
			if edge.Blocking {
				in.Exchange = "blocking"
			}
			n.Inputs = append(n.Inputs, in)
		}
		p.Nodes = append(p.Nodes, n)
	}
	return p
}

// describe writes a chain as Flink's plan does: a tree in escaped HTML.
func describe(chain string) string {
	var b strings.Builder
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	for depth, op := range operators(chain) {
		if depth > 0 {
			b.WriteString(strings.Repeat("   ", depth-1) + "+- ")
		}
		b.WriteString(escape.Replace(op) + "<br/>")
	}
	return b.String()
}

// operators splits the name of a chain.
func operators(chain string) []string { return strings.Split(chain, " -> ") }
