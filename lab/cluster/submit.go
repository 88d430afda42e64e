package cluster

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"

	"culprit/lab/jobs"
	"culprit/lab/rest"
)

// JobID is Flink's id of a job: 32 hex digits.
type JobID string

// Submit runs a scenario job by the simple name of its class (see package jobs) with arguments such as
// "--parallelism", "4", and returns once the JobManager has accepted it.
func (c *Cluster) Submit(ctx context.Context, class string, args ...string) (JobID, error) {
	if c.uploaded == "" {
		if err := c.upload(ctx); err != nil {
			return "", err
		}
	}
	request := map[string]any{"entryClass": jobs.Package + "." + class, "programArgsList": args}
	var answer struct {
		JobID JobID `json:"jobid"`
	}
	path := "/jars/" + c.uploaded + "/run"
	if err := c.client().SendJSON(ctx, http.MethodPost, path, request, &answer); err != nil {
		return "", fmt.Errorf("submit %s: %w", class, err)
	}
	return answer.JobID, nil
}

// Cancel cancels a job; it returns before the job has ended.
func (c *Cluster) Cancel(ctx context.Context, job JobID) error {
	path := "/jobs/" + string(job) + "?mode=cancel"
	if err := c.client().Send(ctx, http.MethodPatch, path, "", nil, nil); err != nil {
		return fmt.Errorf("cancel job %s: %w", job, err)
	}
	return nil
}

// Rescale multiplies the parallelism of a vertex of the only job. It needs the adaptive scheduler.
func (c *Cluster) Rescale(ctx context.Context, vertex string, factor int) error {
	var list struct {
		Jobs []struct {
			ID JobID `json:"id"`
		} `json:"jobs"`
	}
	if err := c.client().Get(ctx, "/jobs", &list); err != nil {
		return fmt.Errorf("find the job to rescale: %w", err)
	}
	if len(list.Jobs) != 1 {
		return fmt.Errorf("rescale the only job: there are %d", len(list.Jobs))
	}
	job := "/jobs/" + string(list.Jobs[0].ID)
	var details struct {
		Vertices []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"vertices"`
	}
	if err := c.client().Get(ctx, job, &details); err != nil {
		return fmt.Errorf("find the vertex to rescale: %w", err)
	}
	requirements := map[string]struct {
		Parallelism struct {
			Lower int `json:"lowerBound"`
			Upper int `json:"upperBound"`
		} `json:"parallelism"`
	}{}
	if err := c.client().Get(ctx, job+"/resource-requirements", &requirements); err != nil {
		return fmt.Errorf("read the parallelism: %w", err)
	}
	for _, v := range details.Vertices {
		if v.Name == vertex {
			r := requirements[v.ID]
			r.Parallelism.Upper *= factor
			requirements[v.ID] = r
		}
	}
	err := c.client().SendJSON(ctx, http.MethodPut, job+"/resource-requirements", requirements, nil)
	if err != nil {
		return fmt.Errorf("rescale %s: %w", vertex, err)
	}
	return nil
}

// upload hands the job jar to the JobManager, which keeps it until it ends.
func (c *Cluster) upload(ctx context.Context) error {
	jar, err := os.ReadFile(c.jobJar)
	if err != nil {
		return fmt.Errorf("read the job jar: %w", err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("jarfile", filepath.Base(c.jobJar))
	if err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	if _, err = part.Write(jar); err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	if err = form.Close(); err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	var answer struct {
		Filename string `json:"filename"`
	}
	err = c.client().Send(ctx, http.MethodPost, "/jars/upload", form.FormDataContentType(), &body, &answer)
	if err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	c.uploaded = filepath.Base(answer.Filename)
	return nil
}

func (c *Cluster) client() rest.Client { return rest.Client{URL: c.URL()} }
