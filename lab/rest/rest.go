// Package rest reads Flink's REST API the way curl would: it shares nothing with culprit, so that what it
// sees can confirm or refute what culprit says. The types to know are Client and Look.
package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answerTimeout bounds one exchange, uploads of the job jar included. A JobManager that starts forty jobs on
// two cores takes half a minute for one of them.
const answerTimeout = 2 * time.Minute

// Client asks one JobManager.
type Client struct {
	// URL is the address without a slash at its end, such as http://localhost:8081.
	URL string
}

// Exchange is an answer as it came.
type Exchange struct {
	Status int
	Body   []byte
}

// Raw gets a path and returns the answer whatever its status.
func (c Client) Raw(ctx context.Context, path string) (Exchange, error) {
	return c.exchange(ctx, http.MethodGet, path, "", nil)
}

// Get decodes the JSON answer of a path into out.
func (c Client) Get(ctx context.Context, path string, out any) error {
	return c.Send(ctx, http.MethodGet, path, "", nil, out)
}

// SendJSON sends in as JSON and decodes the answer into out, unless out is nil.
func (c Client) SendJSON(ctx context.Context, method, path string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the request to %s: %w", path, err)
	}
	return c.Send(ctx, method, path, "application/json", bytes.NewReader(text), out)
}

// Send sends a body and decodes the answer into out, unless out is nil. A status of 400 and above is an
// error.
func (c Client) Send(ctx context.Context, method, path, contentType string, body io.Reader, out any) error {
	answer, err := c.exchange(ctx, method, path, contentType, body)
	if err != nil {
		return err
	}
	if answer.Status >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: status %d: %.2000s", method, path, answer.Status, answer.Body)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Body, out); err != nil {
		return fmt.Errorf("decode the answer of %s: %w", path, err)
	}
	return nil
}

func (c Client) exchange(
	ctx context.Context, method, path, contentType string, body io.Reader,
) (Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, body)
	if err != nil {
		return Exchange{}, fmt.Errorf("make the request to %s: %w", path, err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return Exchange{}, fmt.Errorf("ask %s: %w", path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Exchange{}, fmt.Errorf("read the answer of %s: %w", path, err)
	}
	return Exchange{Status: response.StatusCode, Body: text}, nil
}
