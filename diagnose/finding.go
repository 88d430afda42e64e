package diagnose

import "culprit/flinkapi"

// Verdict is the outcome of one rule on one subject. A tool's failure is never a finding: it is Unknown.
type Verdict int

// The verdicts of a rule.
const (
	Fine Verdict = iota
	Firing
	Unknown
	NotApplicable
)

// SubjectKind says what a finding is about.
type SubjectKind int

// The kinds of subject.
const (
	SubjectJob SubjectKind = iota
	SubjectVertex
	SubjectSubtask
	SubjectTaskManager
)

// Subject is what a finding is about, typed so that a screen can jump to it.
type Subject struct {
	Kind        SubjectKind
	Vertex      flinkapi.VertexID
	Name        string
	Subtasks    []int
	TaskManager flinkapi.TaskManagerID
}

// Finding is what a rule says about one subject.
type Finding struct {
	// Rule is the name of the rule and Code its stable code; the engine fills both in.
	Rule string
	Code string
	// Title is the rule's title.
	Title    string
	Verdict  Verdict
	Severity Severity
	Subject  Subject
	// Summary is one sentence with the numbers.
	Summary string
	// Operator is the operator inside the chain that takes the time; empty when it is not known.
	Operator string
	Evidence []Evidence
	Remedies []Remedy
	Dont     []string
	// Explains are the vertices whose symptoms this cause accounts for.
	Explains []flinkapi.VertexID
	// Consequence is set by the engine when an earlier finding explains this one's subject, or a culprit that
	// stands is its cause: it goes when that is cured.
	Consequence bool
	// Silenced is true where a user has silenced the rule: what it says alarms nobody.
	Silenced bool
	// Why says why the verdict is Unknown or NotApplicable; of one that is Fine what was found, where its rung
	// tells that.
	Why string
	// Missing names the data that would have allowed a verdict.
	Missing []string
	// causedBy is the culprit that this comes from, though it is not about what that one holds back; empty for
	// none.
	causedBy flinkapi.VertexID
	// same is the rule that tells of the same condition, with what helps; empty for none. Who silences that one
	// silences this finding as well.
	same string
	// follows is the rule of whose finding this one is a consequence where that fires; empty for none.
	follows string
	// byCPU is true where what a culprit does was told by CPU alone, so that looks at its threads may say
	// otherwise; several where CPU alone leaves more than one reason, however long it is watched.
	byCPU, several bool
	// doubtful tells, in a culprit's reason, that another vertex may be behind it: whom it names is then not
	// firm.
	doubtful bool
	// loss says when data will be lost, for the headline; empty where none will.
	loss string
}
