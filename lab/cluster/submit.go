package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"

	"culprit/lab/jobs"
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
	if err := c.call(ctx, http.MethodPost, "/jars/"+c.uploaded+"/run", request, &answer); err != nil {
		return "", fmt.Errorf("submit %s: %w", class, err)
	}
	return answer.JobID, nil
}

// Cancel cancels a job; it returns before the job has ended.
func (c *Cluster) Cancel(ctx context.Context, job JobID) error {
	if err := c.call(ctx, http.MethodPatch, "/jobs/"+string(job)+"?mode=cancel", nil, nil); err != nil {
		return fmt.Errorf("cancel job %s: %w", job, err)
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
	if _, err := part.Write(jar); err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	if err := form.Close(); err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL()+"/jars/upload", &body)
	if err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	var answer struct {
		Filename string `json:"filename"`
	}
	if err := do(request, &answer); err != nil {
		return fmt.Errorf("upload the job jar: %w", err)
	}
	c.uploaded = filepath.Base(answer.Filename)
	return nil
}

// call sends a JSON request (none if in is nil) and decodes the answer into out (unless nil).
func (c *Cluster) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("encode the request to %s: %w", path, err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.URL()+path, body)
	if err != nil {
		return fmt.Errorf("make the request to %s: %w", path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	return do(request, out)
}

func do(request *http.Request, out any) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("read the answer of %s: %w", request.URL.Path, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s: %.2000s", request.Method, request.URL.Path, response.Status, body)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("decode the answer of %s: %w", request.URL.Path, err)
	}
	return nil
}
