// Package planted lets the simulated cluster of a test give secrets away.
package planted

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// Secrets are what must never reach a file or a screen, by where they are planted.
func Secrets() map[string]string {
	return map[string]string{
		"basic":     "Zm9vOmJhcmJhcjEyMw==",
		"bearer":    "tkn.4711-bearer-secret-9",
		"cookie":    "c00kie-monster-0815",
		"s3":        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"s3 id":     "AKIAIOSFODNN7EXAMPLE",
		"jdbc":      "hunter2jdbc",
		"url":       "hunter2url",
		"thread":    "hunter2thread",
		"plan":      "hunter2plan",
		"sql":       "hunter2sql",
		"jwt":       "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dozjgNryP4J3jVmNHl0w5N",
		"env":       "hunter2env",
		"user conf": "hunter2userconf",
		"unknown":   "hunter2unknown",
		"pem":       "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
		"sasl":      "hunter2sasl",
		"detail":    "hunter2detail",
		"path":      "hunter2path",
	}
}

// Transport puts the secrets wherever a cluster could give them away.
func Transport(next http.RoundTripper) http.RoundTripper {
	s := Secrets()
	return tripper(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		response.Header.Add("Set-Cookie", "session="+s["cookie"])
		var body any
		if err = json.Unmarshal(raw, &body); err != nil {
			return nil, err
		}
		path := r.URL.Path
		switch top := body.(type) {
		case map[string]any:
			top["environment"] = map[string]any{"DB_PASSWORD": s["env"]}
			top["comment"] = s["unknown"]
			plantObject(path, top, s)
		case []any:
			if path == "/jobmanager/config" {
				top = append(
					top, setting("s3.secret-key", s["s3"]), setting("state.s3.access.key", s["s3 id"]),
					setting("env.java.opts", "-Dpassword="+s["env"]), setting("fs.x.unknown", s["unknown"]),
					setting("state.checkpoints.dir", "s3://u:"+s["url"]+"@bucket/x"),
					setting("pipeline.generic-types", "password="+s["user conf"]),
				)
			} else {
				top = append(top, map[string]any{"id": "text", "value": s["unknown"]})
			}
			body = top
		}
		bent, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		response.Body = io.NopCloser(bytes.NewReader(bent))
		response.ContentLength = int64(len(bent))
		if strings.HasSuffix(path, "/overview") && path != "/jobs/overview" {
			response.StatusCode = http.StatusInternalServerError
			response.Body = io.NopCloser(strings.NewReader(
				`{"errors":["java.sql.SQLException: login as x failed, password=` + s["detail"] + `"]}`))
			response.ContentLength = -1
		}
		return response, nil
	})
}

func setting(key, value string) map[string]any { return map[string]any{"key": key, "value": value} }

func plantObject(path string, top map[string]any, s map[string]string) {
	switch {
	case strings.HasSuffix(path, "/exceptions"):
		trace := "java.sql.SQLException: cannot reach jdbc:postgresql://db:5432/shop?user=app&password=" +
			s["jdbc"] +
			"\n\tat com.example.Sink.open(Sink.java:7)\nCaused by: java.io.IOException: GET https://joe:" + s["url"] +
			"@example.com/x Authorization: Bearer " + s["bearer"] + "\nCookie: sid=" + s["cookie"] +
			"\nAuthorization: Basic " + s["basic"] + "\naws " + s["s3"] + " of " + s["s3 id"] + " token " + s["jwt"] +
			"\n-----BEGIN PRIVATE KEY-----\n" + s["pem"] + "\n-----END PRIVATE KEY-----\n" +
			`sasl.jaas.config=org.apache.kafka.PlainLoginModule required username="u" password="` + s["sasl"] + `";`
		top["root-exception"] = trace
		top["exceptionHistory"] = map[string]any{"entries": []any{map[string]any{
			"exceptionName": "java.sql.SQLException", "stacktrace": trace, "timestamp": 1, "taskName": "a",
		}}}
	case path == "/taskmanagers":
		all, _ := top["taskmanagers"].([]any)
		for _, one := range all {
			worker, _ := one.(map[string]any)
			text, _ := worker["path"].(string)
			worker["path"] = strings.Replace(text, "://flink@", "://joe:"+s["path"]+"@", 1)
		}
	case strings.HasSuffix(path, "/thread-dump"):
		threads, _ := top["threadInfos"].([]any)
		for _, one := range threads {
			thread, _ := one.(map[string]any)
			text, _ := thread["stringifiedThreadInfo"].(string)
			thread["stringifiedThreadInfo"] = text + "\n\t-  waiting for password=" + s["thread"]
		}
		top["threadInfos"] = append(threads, map[string]any{
			"threadName": "login-" + s["thread"], "stringifiedThreadInfo": s["thread"],
		})
	case strings.HasSuffix(path, "/config"):
		top["execution-config"] = map[string]any{
			"job-parallelism": 2, "user-config": map[string]any{"db.password": s["user conf"]},
		}
	case top["plan"] != nil:
		plan, _ := top["plan"].(map[string]any)
		nodes, _ := plan["nodes"].([]any)
		for _, one := range nodes {
			node, _ := one.(map[string]any)
			node["description"] = "Sink(table=[t], 'password' = '" + s["sql"] + "', url=jdbc:mysql://db?password=" +
				s["plan"] + ")<br/>"
			node["optimizer_properties"] = s["unknown"]
		}
	}
}

type tripper func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
