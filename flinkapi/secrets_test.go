package flinkapi

import (
	"strings"
	"testing"
)

func TestHideSecrets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"jdbc:mysql://db/x?user=a&password=s3cret&ssl=true", "jdbc:mysql://db/x?user=a&password=***&ssl=true"},
		{"https://joe:pa/ss@host:80/x", "https://***@host:80/x"},
		{"https://token1234@host/x", "https://***@host/x"},
		{"pekko.tcp://flink@host:6122/user/rpc/taskmanager_0", "pekko.tcp://flink@host:6122/user/rpc/taskmanager_0"},
		{"akka.ssl.tcp://flink-metrics@host:1/user", "akka.ssl.tcp://flink-metrics@host:1/user"},
		{"https://flink:pw@host/x and https://flinkpw@host", "https://***@host/x and https://***@host"},
		{"http://host:8081/path without login", "http://host:8081/path without login"},
		{"Authorization: Bearer abc.def1", "Authorization: ***"},
		{"sent Bearer abc123def", "sent Bearer ***"},
		{"Basic authentication failed", "Basic authentication failed"},
		{"Set-Cookie: a=b; Path=/", "Set-Cookie: ***"},
		{`'password' = 'it is long'`, `'password' = ***`},
		{`"secretKey": "a\"b", "x": 1`, `"secretKey": ***, "x": 1`},
		{"fs.azure.account.key.shop: abc==", "fs.azure.account.key.shop: ***"},
		{"CREATE USER x IDENTIFIED BY abc", "CREATE USER x IDENTIFIED BY ***"},
		{"key wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY ends", "key *** ends"},
		{"job 29ed47c2a035758702e039862f14b612", "job 29ed47c2a035758702e039862f14b612"},
		{
			"org.apache.flink.streaming.runtime.tasks.OneInputStreamTask.run(OneInputStreamTask.java:245)",
			"org.apache.flink.streaming.runtime.tasks.OneInputStreamTask.run(OneInputStreamTask.java:245)",
		},
		{"at com/example/shop/pipeline/WarehouseWriterFactory", "at com/example/shop/pipeline/WarehouseWriterFactory"},
		{"", ""},
	} {
		if got := HideSecrets(c.text); got != c.want {
			t.Errorf("%q gives %q, not %q", c.text, got, c.want)
		}
	}
	for _, name := range []string{"Source: orders -> Tokenizer: Map", "token: Map -> pass: Filter"} {
		if got := HideSecretsInName(name); got != name {
			t.Errorf("the name %q becomes %q", name, got)
		}
	}
	if got := HideSecretsInName("sink(password=abc): Writer"); strings.Contains(got, "abc") {
		t.Errorf("the name keeps its password: %s", got)
	}
}
