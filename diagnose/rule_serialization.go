package diagnose

import "fmt"

func serializationRule() Rule {
	return Rule{
		ID: "FD0804", Name: "serialization", Title: "the operator spends its time serializing records",
		Stage: StageNature, Needs: natureSignals(), Check: checkSerialization,
	}
}

func checkSerialization(c *Case) Finding {
	j := c.nature()
	if !j.byLooks {
		return cannotTell("only its threads can tell whether they serialize", j.looks.missing())
	}
	if j.kind != serializes {
		return j.other()
	}
	l, v := j.looks, c.subject()
	of := []activity{serializing, pythonProcess}
	f := Finding{
		Verdict: Firing, Operator: c.operatorOf(v, l, of...),
		Dont: []string{"more parallelism buys the same waste again: first make a record cheaper"},
	}
	if l.most(of...) == pythonProcess {
		f.Summary = "it hands its records to a Python process and waits for it (" + l.told(l.count(of...)) +
			"): each is serialized there and back; whether the Python code itself is slow cannot be seen from here"
		f.Evidence = c.looksEvidence(l, of...) // its TaskManager's CPU does not tell of a Python process
		f.Remedies = c.pythonThread()
		return f
	}
	f.Evidence = c.natureEvidence(&j, false, of...)
	kryo := l.countIf(func(s *sighting) bool { return s.does == serializing && s.kryo })
	copies := l.countIf(func(s *sighting) bool { return s.does == serializing && s.copies })
	within := l.countIf(func(s *sighting) bool { return s.does == serializing && s.inState })
	f.Summary = "it copies, writes or reads records most of the time (" + l.told(l.count(of...)) + ")"
	if kryo > 0 {
		f.Summary += fmt.Sprintf(", %d of them in Kryo, which serves types that Flink does not know", kryo)
	}
	if within > 0 {
		f.Summary += fmt.Sprintf("; %d while state is read or written", within)
	}
	if 2*kryo > l.count(serializing) {
		f.Remedies = append(f.Remedies, c.noKryo()...)
	}
	if copies > 0 {
		f.Remedies = append(f.Remedies, c.objectReuse())
	}
	f.Remedies = append(f.Remedies, Remedy{
		Do:   "make records smaller: keep only the fields that are read below, as early as the source",
		Gain: "serializing gets cheaper with each field that goes", Risk: "none",
		Undo: undoCode, Link: typesLink,
	})
	return f
}

// noKryo replaces Kryo's serializers.
func (c *Case) noKryo() []Remedy {
	types := typesLink
	register := Remedy{
		Do: "until then register the type with Kryo, which then writes a number instead of the class's name",
		// FLIP-398 put one setting in the place of pipeline.registered-kryo-types,
		// pipeline.default-kryo-serializers and pipeline.registered-pojo-types, which 2.0 took away.
		Key:  "pipeline.serialization-config",
		Gain: "less to write and read for each record",
		Risk: "state that was written without it may need migration",
		Undo: "take the entry out",
		Link: types,
	}
	if v := c.version(); v > 0 && v < 119 {
		register.Key = "pipeline.registered-kryo-types"
	}
	return []Remedy{
		{
			Do: "make the type one that Flink knows: a POJO (public, constructor without arguments, accessible " +
				"fields), or give its TypeInformation; without generic types a test names each that is left",
			Key:  c.key("pipeline.generic-types"),
			From: c.from("pipeline.generic-types", "true"),
			To:   "false",
			Gain: "Flink's own serializers need a fraction of Kryo's time",
			Risk: "the job does not start while a generic type is left; state that Kryo wrote needs migration",
			Undo: c.undo(c.key("pipeline.generic-types")),
			Link: types,
		},
		register,
	}
}

// pythonThread runs Python functions inside of the TaskManager's process.
func (c *Case) pythonThread() []Remedy {
	const mode = "python.execution-mode"
	batches := Remedy{
		Do:   "use Python functions that take many rows at a time (pandas UDFs), or larger bundles",
		Key:  "python.fn-execution.bundle.size",
		Gain: "the way to Python and back is paid once for many records",
		Risk: "records wait for their bundle to fill",
		Undo: c.undo("python.fn-execution.bundle.size"),
		Link: docRoot + "dev/python/python_config/",
	}
	return []Remedy{
		{
			Do:   "run the Python functions inside of the TaskManager's process",
			Key:  mode,
			From: c.from(mode, "process"),
			To:   "thread",
			Gain: "records are no longer serialized for another process: about twice the throughput in Flink's own " +
				"measurement",
			Risk: "needs Python 3.8 or newer and functions that thread mode supports; the interpreter's " +
				"lock is shared by the slots of a TaskManager",
			Undo: c.undo(mode),
			Link: docRoot + "dev/python/python_execution_mode/",
		},
		batches,
	}
}
