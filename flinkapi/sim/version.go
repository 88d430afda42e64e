package sim

import (
	"strconv"
	"strings"
)

// version is a Flink version, as far as the REST API depends on it.
type version struct{ major, minor int }

func parseVersion(s string) version {
	parts := strings.SplitN(s, ".", 3)
	var v version
	v.major, _ = strconv.Atoi(parts[0])
	if len(parts) > 1 {
		v.minor, _ = strconv.Atoi(parts[1])
	}
	return v
}

func (v version) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

// statePackage is the Java package of the RocksDB state backend.
func (v version) statePackage() string {
	if v.atLeast(2, 0) {
		return "org.apache.flink.state.rocksdb"
	}
	return "org.apache.flink.contrib.streaming.state"
}
