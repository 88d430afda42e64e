package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Place is where the file is looked for: in the folder of the XDG Base Directory Specification, on Windows in
// %AppData%. It is empty where the environment names no such folder.
func Place(env func(string) string) string {
	folder := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) { // the specification has relative ones ignored
		folder = ""
	}
	switch home := env("HOME"); {
	case folder != "":
	case runtime.GOOS == "windows":
		folder = env("AppData")
	case home != "":
		folder = filepath.Join(home, ".config")
	}
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, "culprit", "config.yaml")
}

// Load reads the file at a path that a person gave, or the one at [Place] for an empty path; that one need
// not be there.
func Load(path string, env func(string) string) (*File, error) {
	asked := path != ""
	if !asked {
		path = Place(env)
	}
	if path == "" {
		return &File{}, nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !asked:
		return &File{}, nil
	case err != nil:
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	f, err := Parse(path, text)
	if err != nil {
		return nil, err
	}
	f.resolve(env("HOME"))
	return f, nil
}

// resolve makes the paths in the file absolute: they are relative to its folder, and ~ is the home folder.
func (f *File) resolve(home string) {
	folder := filepath.Dir(f.Path)
	full := func(path *string) {
		rest, tilde := strings.CutPrefix(*path, "~/")
		switch {
		case *path == "":
		case tilde && home != "":
			*path = filepath.Join(home, rest)
		case !filepath.IsAbs(*path):
			*path = filepath.Join(folder, *path)
		}
	}
	for i := range f.Contexts {
		c := &f.Contexts[i]
		for _, path := range []*string{&c.Password.File, &c.Token.File, &c.Headers.File, &c.CAFile} {
			full(path)
		}
	}
}

// Warnings are what is not wrong and yet should be known: files with secrets that everybody may read.
func (c *Context) Warnings() []string {
	var out []string
	for _, s := range []Secret{c.Password, c.Token, c.Headers} {
		if s.File == "" {
			continue
		}
		info, err := os.Stat(s.File)
		if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0 {
			out = append(out, "every user of this machine can read "+s.File+"; chmod 600 keeps it to its owner")
		}
	}
	return out
}
