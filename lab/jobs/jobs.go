// Package jobs holds the Java source of the lab's scenario jobs, whose slow operator is known by
// construction, and compiles it against a Flink version. One source serves 1.20 and 2.x.
package jobs

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Package is the Java package of every job class.
const Package = "com.example.shop"

//go:embed *.java
var sources embed.FS

// Classes returns the simple names of the classes with a main method, sorted.
func Classes() ([]string, error) {
	names, err := fs.Glob(sources, "*.java")
	if err != nil {
		return nil, fmt.Errorf("list job sources: %w", err)
	}
	classes := make([]string, 0, len(names))
	for _, name := range names {
		text, err := sources.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read job source: %w", err)
		}
		if strings.Contains(string(text), "public static void main(") {
			classes = append(classes, strings.TrimSuffix(name, ".java"))
		}
	}
	slices.Sort(classes)
	return classes, nil
}

// Jar compiles the jobs against the jars of libDir and returns the path of the job jar. The jar is kept in
// dir under a name made of version and a hash of the sources, and reused. It needs javac and jar on the
// PATH.
func Jar(ctx context.Context, version, libDir, dir string) (string, error) {
	hash, err := sourceHash()
	if err != nil {
		return "", err
	}
	jar := filepath.Join(dir, "jobs-"+version+"-"+hash+".jar")
	if _, err = os.Stat(jar); err == nil {
		return jar, nil
	}
	if err = os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make job cache: %w", err)
	}
	work, err := os.MkdirTemp(dir, ".jobs-")
	if err != nil {
		return "", fmt.Errorf("make build folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }() // what is left over is never used
	return jar, build(ctx, libDir, work, jar)
}

// build compiles in work and moves the finished jar to its place, so that a broken build is never reused.
func build(ctx context.Context, libDir, work, jar string) error {
	if err := os.CopyFS(filepath.Join(work, "src"), sources); err != nil {
		return fmt.Errorf("write job sources: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(work, "src", "*.java"))
	if err != nil {
		return fmt.Errorf("list job sources: %w", err)
	}
	classes := filepath.Join(work, "classes")
	args := append([]string{"-proc:none", "-cp", filepath.Join(libDir, "*"), "-d", classes}, files...)
	if err := run(ctx, "javac", args...); err != nil {
		return err
	}
	built := filepath.Join(work, "jobs.jar")
	if err := run(ctx, "jar", "--create", "--file", built, "-C", classes, "."); err != nil {
		return err
	}
	if err := os.Rename(built, jar); err != nil {
		return fmt.Errorf("keep job jar: %w", err)
	}
	return nil
}

func run(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

func sourceHash() (string, error) {
	names, err := fs.Glob(sources, "*.java")
	if err != nil {
		return "", fmt.Errorf("list job sources: %w", err)
	}
	sum := sha256.New()
	for _, name := range names {
		text, err := sources.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("read job source: %w", err)
		}
		sum.Write([]byte(name))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}
