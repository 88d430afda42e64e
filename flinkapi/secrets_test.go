package flinkapi

import (
	"strings"
	"testing"
)

// issued are tokens as their issuers form them, put together here so that no scanner takes them for real.
func issued() []string {
	const digits, small, mixed = "0123456789", "abcdef0123456789abcdef0123456789", "q1W2e3R4t5Y6u7I8o9P0"
	return []string{
		"AKIA" + "IOSFODNN7EXAMPLE", "gh" + "p_" + mixed, "github" + "_pat_" + mixed, "gl" + "pat-" + mixed,
		"xox" + "b-" + digits + "-" + mixed, "xox" + "e.xoxp-1-" + mixed, "xa" + "pp-1-" + mixed,
		"sk" + "_live_" + mixed, "AI" + "za" + mixed + mixed, "npm" + "_" + mixed + mixed, "dop" + "_v1_" + small,
		"hv" + "s." + mixed, "da" + "pi" + small, "SG" + "." + mixed + "." + mixed, "sk" + "-ant-api03-" + mixed,
		"py" + "pi-" + mixed + mixed, "eyJ" + mixed + "." + mixed + "." + mixed,
	}
}

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
		{"jdbc:oracle:thin:scott/T1ger@//db:1521/x", "jdbc:oracle:thin:***@//db:1521/x"},
		{"jdbc:oracle:thin:scott/T/1@db:1521:x", "jdbc:oracle:thin:***@db:1521:x"},
		{`jdbc:oracle:oci8:scott/"T@1"@tns`, "jdbc:oracle:oci8:***@tns"},
		{"jdbc:oracle:thin:@//db:1521/x", "jdbc:oracle:thin:@//db:1521/x"},
		{"jdbc_oracle_thin_scott/T1ger@//db_1521/x.numBytesOut", "jdbc_oracle_thin_***@//db_1521/x.numBytesOut"},
		{"Sink_jdbc_postgresql_//u_pw@h/x.numBytesOut", "Sink_jdbc_postgresql_//***@h/x.numBytesOut"},
		{"", ""},
	} {
		if got := HideSecrets(c.text); got != c.want {
			t.Errorf("%q gives %q, not %q", c.text, got, c.want)
		}
	}
	for _, token := range issued() {
		for _, around := range []string{"%", "at %, x", "Sink_%.numBytesOut", "'%'", "https://h/%/x"} {
			want := strings.ReplaceAll(around, "%", Hidden)
			got := HideSecrets(strings.ReplaceAll(around, "%", token))
			if strings.Contains(got, token[len(token)-6:]) || around != "Sink_%.numBytesOut" && got != want {
				t.Errorf("%q around %q gives %q, not %q", around, token, got, want)
			}
		}
	}
	for _, plain := range []string{
		"global-window", "glpat-x", "task-0123456789abcdefghijklmnop", "xoxo-kisses", "npm_packages", "msk-orders",
		"sk-orders-to-the-warehouse", "hvs_orders", "dapi", "ghp_orders", "my_pypi-mirror", "orders_v1_late",
	} {
		if got := HideSecrets(plain); got != plain {
			t.Errorf("%q is no secret, and becomes %q", plain, got)
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
