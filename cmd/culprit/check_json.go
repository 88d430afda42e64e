package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"culprit/diagnose"
	"culprit/flinkapi"
)

// The shapes of `check --format json`. People script against them: fields may be added, never renamed.
type (
	jsonCheck struct {
		Schema       int               `json:"schema"`
		Job          *jsonJob          `json:"job"`
		Severity     string            `json:"severity"`
		Headline     string            `json:"headline"`
		Firm         bool              `json:"firm"`
		State        *jsonFinding      `json:"state"`
		Culprits     []jsonCulprit     `json:"culprits"`
		Also         []jsonFinding     `json:"also"`
		Silenced     []jsonSilenced    `json:"silenced"`
		Ladder       []jsonRung        `json:"ladder"`
		Undetermined *jsonUndetermined `json:"undetermined"`
		Vertices     []jsonShares      `json:"vertices"`
		Checkpoint   *jsonCheckpoint   `json:"checkpoint"` // the newest that completed; null for none
		Data         jsonData          `json:"data"`
	}
	// jsonCheckpoint is how long a checkpoint took, end to end; its longest parts are null where it was not
	// looked into, as it is when checkpoints are slow.
	jsonCheckpoint struct {
		ID         int64    `json:"id"`
		Seconds    float64  `json:"seconds"`
		StateBytes *float64 `json:"stateBytes"`
		jsonParts
	}
	// jsonParts are the parts of a checkpoint's time.
	jsonParts struct {
		StartDelay *float64 `json:"startDelaySeconds"`
		Alignment  *float64 `json:"alignmentSeconds"`
		Sync       *float64 `json:"syncSeconds"`
		Async      *float64 `json:"asyncSeconds"`
	}
	// jsonShares is how a vertex spends its time: the largest share over its subtasks, each by itself. The
	// records are a second over all of them. What Flink does not tell is null.
	jsonShares struct {
		Vertex        jsonVertex `json:"vertex"`
		Role          string     `json:"role"`
		Busy          *float64   `json:"busy"`
		Backpressured *float64   `json:"backpressured"`
		Idle          *float64   `json:"idle"`
		RecordsIn     *float64   `json:"recordsInPerSecond"`
		RecordsOut    *float64   `json:"recordsOutPerSecond"`
	}
	jsonJobs struct {
		Schema   int         `json:"schema"`
		Severity string      `json:"severity"`
		Jobs     []jsonCheck `json:"jobs"`
	}
	jsonJob struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		State string `json:"state"`
	}
	jsonVertex struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	jsonReason struct {
		Code    string `json:"code"`
		Name    string `json:"name"`
		Summary string `json:"summary"`
		Open    bool   `json:"open"` // of a culprit: not firm, looks at its threads could change it
		// Silenced is the rule that would have given the reason of a culprit; left out where that is none.
		Silenced string `json:"silenced,omitempty"`
	}
	jsonCulprit struct {
		Vertex       jsonVertex     `json:"vertex"`
		Operator     *string        `json:"operator"`
		Subtasks     []int          `json:"subtasks"`
		Parallelism  int            `json:"parallelism"`
		TaskManagers []string       `json:"taskManagers"`
		Reason       jsonReason     `json:"reason"`
		Confidence   string         `json:"confidence"`
		Pattern      string         `json:"pattern"`
		Since        string         `json:"since"`
		SinceEarlier bool           `json:"sinceEarlier"` // it may have begun before since
		Evidence     []jsonEvidence `json:"evidence"`
		Remedies     []jsonRemedy   `json:"remedies"`
		Dont         []string       `json:"dont"`
		Victims      []jsonVictim   `json:"victims"`
		RunnersUp    []jsonRunnerUp `json:"runnersUp"`
		Next         *jsonNext      `json:"next"`
		Ladder       []jsonRung     `json:"ladder"` // the first culprit's is the report's, too
	}
	// jsonNext is who limits the job after the culprit, at factor times today's throughput.
	jsonNext struct {
		Vertex jsonVertex `json:"vertex"`
		Factor float64    `json:"factor"`
	}
	jsonFinding struct {
		Vertex      *jsonVertex    `json:"vertex"`
		Subtasks    []int          `json:"subtasks"`
		TaskManager *string        `json:"taskManager"`
		Reason      jsonReason     `json:"reason"`
		Severity    string         `json:"severity"`
		Consequence bool           `json:"consequence"`
		Evidence    []jsonEvidence `json:"evidence"`
		Remedies    []jsonRemedy   `json:"remedies"`
		Dont        []string       `json:"dont"`
	}
	// jsonSilenced is a silenced rule; where it fires, with what it would have said and how grave it would be.
	jsonSilenced struct {
		Rule     string      `json:"rule"`
		Fires    bool        `json:"fires"`
		Severity *string     `json:"severity"`
		Vertex   *jsonVertex `json:"vertex"`
		Summary  *string     `json:"summary"`
	}
	jsonEvidence struct {
		Signal     string   `json:"signal"`
		Label      string   `json:"label"`
		Subject    string   `json:"subject"`
		Value      *float64 `json:"value"`
		Unit       string   `json:"unit"`
		For        bool     `json:"for"`
		AgeSeconds float64  `json:"ageSeconds"`
		Note       string   `json:"note,omitempty"`
		Neutral    bool     `json:"neutral,omitempty"`
	}
	jsonRemedy struct {
		Do   string  `json:"do"`
		Key  *string `json:"key"`
		From string  `json:"from"`
		To   string  `json:"to"`
		Gain string  `json:"gain"`
		Risk string  `json:"risk"`
		Undo string  `json:"undo,omitempty"`
		Link string  `json:"link,omitempty"`
	}
	jsonVictim struct {
		Vertex jsonVertex `json:"vertex"`
		Why    string     `json:"why"`
	}
	jsonRunnerUp struct {
		Vertex jsonVertex `json:"vertex"`
		WhyNot string     `json:"whyNot"`
	}
	jsonRung struct {
		Rung     int    `json:"rung"`
		Question string `json:"question"`
		State    string `json:"state"`
		Why      string `json:"why"`
	}
	jsonUndetermined struct {
		Why     string   `json:"why"`
		Missing []string `json:"missing"`
	}
	jsonData struct {
		FlinkVersion        string   `json:"flinkVersion"`
		ObservedSeconds     float64  `json:"observedSeconds"`
		SubtasksKnown       int      `json:"subtasksKnown"`
		SubtasksTotal       int      `json:"subtasksTotal"`
		MetricAgeSeconds    *float64 `json:"metricAgeSeconds"`
		Requests            int      `json:"requests"`
		Bytes               int64    `json:"bytes"`
		FirstVerdictSeconds *float64 `json:"firstVerdictSeconds"`
		FirmVerdictSeconds  *float64 `json:"firmVerdictSeconds"`
	}
)

func printJSON(w io.Writer, o *outcome) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(o.json()); err != nil {
		return fmt.Errorf("write the verdict: %w", err)
	}
	return o.exit()
}

func (o *outcome) json() any {
	if o.err != nil {
		return jsonFailure(o)
	}
	all := make([]jsonCheck, len(o.reports))
	for i, r := range o.reports {
		all[i] = o.jsonReport(r)
	}
	if len(all) == 1 {
		return all[0]
	}
	return jsonJobs{Schema: 1, Severity: o.severity().String(), Jobs: all}
}

// jsonFailure is a check that could not read the cluster.
func jsonFailure(o *outcome) jsonCheck {
	return jsonCheck{
		Schema: 1, Severity: o.severity().String(), Headline: o.err.Error(),
		Culprits: []jsonCulprit{}, Also: []jsonFinding{}, Silenced: []jsonSilenced{}, Ladder: []jsonRung{},
		Vertices:     []jsonShares{},
		Undetermined: &jsonUndetermined{Why: o.err.Error(), Missing: []string{"answers of the cluster"}},
		Data:         jsonData{Requests: o.cost.Requests, Bytes: o.cost.Bytes},
	}
}

func (o *outcome) jsonReport(r *diagnose.Report) jsonCheck {
	out := jsonCheck{
		Schema: 1, Job: &jsonJob{string(r.Job.ID), r.Job.Name, string(r.Job.State)},
		Severity: r.Severity.String(), Headline: r.Headline, Firm: r.Firm,
		Culprits: each(r.Culprits, culpritJSON), Also: each(r.Also, findingJSON),
		Silenced: each(r.Silenced, silencedJSON),
		Ladder:   each(r.Ladder, rungJSON),
		Vertices: each(r.Vertices, sharesJSON), Checkpoint: checkpointJSON(r.Checkpoints),
		Data: jsonData{
			FlinkVersion: r.Data.FlinkVersion, ObservedSeconds: r.Data.Observed.Round(time.Millisecond).Seconds(),
			SubtasksKnown: r.Data.SubtasksKnown, SubtasksTotal: r.Data.SubtasksTotal,
			MetricAgeSeconds: number(r.Data.MetricAge), Requests: o.cost.Requests, Bytes: o.cost.Bytes,
			FirstVerdictSeconds: seconds(o.first, r.Job.ID), FirmVerdictSeconds: seconds(o.firm, r.Job.ID),
		},
	}
	if r.State != nil {
		state := findingJSON(r.State)
		out.State = &state
	}
	if r.Undetermined != nil {
		out.Undetermined = &jsonUndetermined{r.Undetermined.Why, each(r.Undetermined.Missing, same)}
	}
	return out
}

func culpritJSON(x *diagnose.Culprit) jsonCulprit {
	return jsonCulprit{
		Vertex:       vertexJSON(x.Vertex),
		Operator:     text(x.Operator),
		Subtasks:     each(x.Subtasks, same),
		Parallelism:  x.Parallelism,
		TaskManagers: each(x.TaskManagers, func(id *flinkapi.TaskManagerID) string { return string(*id) }),
		Reason:       jsonReason(x.Reason),
		Confidence:   string(x.Confidence),
		Pattern:      string(x.Pattern),
		Since:        x.Since.UTC().Format(time.RFC3339),
		SinceEarlier: x.Earlier,
		Evidence:     each(x.Evidence, evidenceJSON),
		Remedies:     each(x.Remedies, remedyJSON),
		Dont:         each(x.Dont, same),
		Victims: each(
			x.Victims,
			func(v *diagnose.Victim) jsonVictim { return jsonVictim{vertexJSON(v.Vertex), v.Why} },
		),
		RunnersUp: each(
			x.RunnersUp,
			func(u *diagnose.RunnerUp) jsonRunnerUp { return jsonRunnerUp{vertexJSON(u.Vertex), u.WhyNot} },
		),
		Next:   nextJSON(x.Next),
		Ladder: each(x.Ladder, rungJSON),
	}
}

func silencedJSON(s *diagnose.Silenced) jsonSilenced {
	out := jsonSilenced{Rule: s.Rule, Fires: s.Fires, Summary: text(s.Summary)}
	if s.Fires {
		grade := s.Severity.String()
		out.Severity = &grade
	}
	if s.Vertex.ID != "" {
		v := vertexJSON(s.Vertex)
		out.Vertex = &v
	}
	return out
}

func rungJSON(x *diagnose.Rung) jsonRung {
	return jsonRung{x.Number, x.Question, string(x.State), x.Why}
}

func nextJSON(n *diagnose.NextLimit) *jsonNext {
	if n == nil {
		return nil
	}
	return &jsonNext{vertexJSON(n.Vertex), n.Factor}
}

func findingJSON(f *diagnose.Finding) jsonFinding {
	out := jsonFinding{
		Subtasks: each(f.Subject.Subtasks, same), TaskManager: text(string(f.Subject.TaskManager)),
		Reason:   jsonReason{Code: f.Code, Name: f.Rule, Summary: f.Summary},
		Severity: f.Severity.String(), Consequence: f.Consequence,
		Evidence: each(f.Evidence, evidenceJSON), Remedies: each(f.Remedies, remedyJSON), Dont: each(f.Dont, same),
	}
	if f.Subject.Vertex != "" {
		out.Vertex = &jsonVertex{string(f.Subject.Vertex), f.Subject.Name}
	}
	return out
}

func checkpointJSON(all *diagnose.CheckpointOutlook) *jsonCheckpoint {
	if all == nil {
		return nil
	}
	i := slices.IndexFunc(all.History, func(x flinkapi.Checkpoint) bool {
		return x.Status == flinkapi.CheckpointCompleted
	})
	if i < 0 {
		return nil
	}
	x := &all.History[i]
	out := &jsonCheckpoint{ID: x.ID, Seconds: x.Duration.Seconds(), StateBytes: number(x.StateBytes)}
	longest := func(known **float64, d time.Duration) {
		if *known == nil || d.Seconds() > **known {
			s := d.Seconds()
			*known = &s
		}
	}
	for v := range x.Vertices {
		for _, p := range x.Vertices[v].Parts {
			longest(&out.StartDelay, p.StartDelay)
			longest(&out.Alignment, p.Alignment)
			longest(&out.Sync, p.Sync)
			longest(&out.Async, p.Async)
		}
	}
	return out
}

func sharesJSON(v *diagnose.VertexState) jsonShares {
	return jsonShares{
		vertexJSON(v.Vertex), string(v.Role), number(v.Busy), number(v.Backpressured), number(v.Idle),
		number(v.RecordsIn), number(v.RecordsOut),
	}
}

func vertexJSON(v diagnose.VertexRef) jsonVertex { return jsonVertex{string(v.ID), v.Name} }

func evidenceJSON(e *diagnose.Evidence) jsonEvidence {
	return jsonEvidence{
		e.Signal,
		e.Label,
		e.Subject,
		number(e.Value),
		string(e.Unit),
		e.For,
		e.Age.Round(time.Millisecond).Seconds(),
		e.Note,
		e.Neutral,
	}
}

func remedyJSON(r *diagnose.Remedy) jsonRemedy {
	return jsonRemedy{r.Do, text(r.Key), r.From, r.To, r.Gain, r.Risk, r.Undo, r.Link}
}

// each turns every element; an empty list stays a list, never null.
func each[T, U any](all []T, turn func(*T) U) []U {
	out := make([]U, len(all))
	for i := range all {
		out[i] = turn(&all[i])
	}
	return out
}

func same[T any](x *T) T { return *x }

// text is a string that is null when empty.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// number is a value that is null when it is not known.
func number(v flinkapi.Value) *float64 {
	x, ok := v.Float()
	if !ok {
		return nil
	}
	return &x
}

func seconds(at map[flinkapi.JobID]time.Duration, id flinkapi.JobID) *float64 {
	d, ok := at[id]
	if !ok {
		return nil
	}
	s := d.Round(time.Millisecond).Seconds()
	return &s
}
