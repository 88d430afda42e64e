package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// cacheVariable names the environment variable that moves the cache folder.
const cacheVariable = "CULPRIT_LAB_CACHE"

// Distribution is an installed Flink: the jars of one version.
type Distribution struct {
	Version string
	// Lib is the folder of the jars (flink-dist, log4j, table jars).
	Lib string
	// Jobs is the folder in which compiled scenario jobs are kept.
	Jobs string
}

// CacheDir returns the folder that holds the installed distributions: CULPRIT_LAB_CACHE, else culprit-lab in
// the user's cache folder.
func CacheDir() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder (set %s): %w", cacheVariable, err)
	}
	return filepath.Join(dir, "culprit-lab"), nil
}

// Install returns the distribution of a Flink version such as "2.3.0", installing it first if the cache
// lacks it. The jars come from the Python package apache-flink-libraries (230-330 MB), so python3 with venv
// is needed. It is installed beside its place and moved there when complete: a broken install is never
// reused.
func Install(ctx context.Context, version string, log io.Writer) (Distribution, error) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
		return Distribution{}, fmt.Errorf("flink version %q is not of the form 2.3.0", version)
	}
	cache, err := CacheDir()
	if err != nil {
		return Distribution{}, err
	}
	home := filepath.Join(cache, version)
	dist := Distribution{Version: version, Lib: filepath.Join(home, "lib"), Jobs: filepath.Join(cache, "jobs")}
	if _, err = os.Stat(dist.Lib); err == nil {
		return dist, nil
	}
	if err = os.MkdirAll(cache, 0o755); err != nil {
		return Distribution{}, fmt.Errorf("make the cache folder: %w", err)
	}
	work, err := os.MkdirTemp(cache, ".install-")
	if err != nil {
		return Distribution{}, fmt.Errorf("make an install folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()                               // what is left over is never used
	_, _ = fmt.Fprintf(log, "installing Flink %s into %s\n", version, home) // a log may fail
	if err = download(ctx, version, work); err != nil {
		return Distribution{}, err
	}
	err = os.Rename(filepath.Join(work, "target", "pyflink"), home)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return Distribution{}, fmt.Errorf("keep flink %s: %w", version, err)
	}
	return dist, nil
}

// download makes work/target/pyflink/lib. The package is a source package: its build tools must be there
// first.
func download(ctx context.Context, version, work string) error {
	venv := filepath.Join(work, "venv")
	pip := filepath.Join(venv, "bin", "pip")
	steps := [][]string{
		{"python3", "-m", "venv", venv},
		{pip, "install", "--quiet", "wheel", "setuptools<70"},
		{
			pip, "install", "--quiet", "--no-deps", "--no-build-isolation",
			"--target", filepath.Join(work, "target"), "apache-flink-libraries==" + version,
		},
	}
	for _, step := range steps {
		out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("install flink %s: %v: %w\n%s", version, step, err, out)
		}
	}
	return nil
}
