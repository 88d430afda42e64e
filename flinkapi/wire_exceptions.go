package flinkapi

// wireExceptions is /jobs/:jobid/exceptions (…rest.messages.JobExceptionsInfoWithHistory).
// https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/#jobs-jobid-exceptions
type wireExceptions struct {
	History *struct {
		Entries []struct {
			Name     text   `json:"exceptionName"`
			Trace    text   `json:"stacktrace"`
			At       number `json:"timestamp"`
			Task     text   `json:"taskName"`
			Location text   `json:"location"` // host:port, to 1.20
			Endpoint text   `json:"endpoint"` // host:port, from 1.19
		} `json:"entries"`
	} `json:"exceptionHistory"`
}

func (w wireExceptions) recognised() bool { return w.History != nil }

// exceptions lists the history, newest first as Flink gives it.
func (w wireExceptions) exceptions() []Exception {
	all := make([]Exception, 0, len(w.History.Entries))
	for _, e := range w.History.Entries {
		all = append(all, Exception{
			Name: className(e.Name.line()), Root: orElse(rootCause(string(e.Trace)), className(e.Name.line())),
			Trace: sanitizeLines(HideSecrets(limited(string(e.Trace), maxTrace)), maxTrace),
			At:    e.At.instant(), Task: e.Task.name(), Host: firstText(e.Endpoint, e.Location).line(),
		})
	}
	return all
}
