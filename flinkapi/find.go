package flinkapi

import (
	"fmt"
	"strings"
)

// FindJob returns the job with the given id or name. Of several jobs of that name the one that is not over
// is meant; several of those are an error of
// [KindSeveralJobs] that lists their ids with state and start; none is one of [KindNoJob].
func FindJob(jobs []JobSummary, idOrName string) (JobID, error) {
	var named, live []JobSummary
	shown := text(idOrName).name() // as the summaries have it
	for _, j := range jobs {
		if string(j.ID) == idOrName {
			return j.ID, nil
		}
		if j.Name != idOrName && j.Name != shown {
			continue
		}
		named = append(named, j)
		if !j.State.Over() {
			live = append(live, j)
		}
	}
	switch {
	case len(live) == 1:
		return live[0].ID, nil
	case len(live) == 0 && len(named) > 0:
		return named[0].ID, nil
	case len(live) > 1:
		return "", &Error{
			Op: "find the job", Kind: KindSeveralJobs,
			Detail: fmt.Sprintf("%d running jobs are called %q", len(live), shown),
			Hint:   "give the id of one of them: " + ids(live),
		}
	}
	return "", &Error{
		Op: "find the job", Kind: KindNoJob,
		Detail: fmt.Sprintf("the cluster knows no job with the id or name %q", shown),
		Hint:   "it knows " + names(jobs),
	}
}

func ids(jobs []JobSummary) string {
	out := make([]string, len(jobs))
	for i, j := range jobs {
		out[i] = fmt.Sprintf("%s (%s, started %s)", j.ID, j.State, j.StartedAt.UTC().Format("Jan 02 15:04:05 MST"))
	}
	return strings.Join(out, ", ")
}

// names lists the first few jobs by name.
func names(jobs []JobSummary) string {
	const most = 5
	var out []string
	for _, j := range jobs[:min(len(jobs), most)] {
		out = append(out, fmt.Sprintf("%q", j.Name))
	}
	if more := len(jobs) - most; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}
