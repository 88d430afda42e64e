package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"culprit/flinkapi/tape"
)

// mistaken tells what is wrong with an address that is none: the name of a recording, or of a file that is
// not there. Any other is left to the client.
func mistaken(address string) error {
	if address == "" || strings.Contains(address, "://") {
		return nil
	}
	if info, err := os.Stat(address); err == nil && info.Mode().IsRegular() {
		recording, err := tape.Open(address)
		if err == nil {
			_ = recording.Close()
		}
		var foreign *tape.Error
		if err == nil || !errors.As(err, &foreign) || !foreign.Foreign {
			name := quoted(address)
			return fmt.Errorf("%s is a recording, no address: culprit replay %s opens it, and "+
				"culprit check --replay %s tells its verdicts", address, name, name)
		}
		if pathlike(address) {
			return fmt.Errorf("%s is a file, and no recording of culprit: give the address of a JobManager, "+
				"such as http://jobmanager:8081", address)
		}
		return nil
	}
	if pathlike(address) {
		return fmt.Errorf(
			"no such file: %s; the address of a cluster is written like http://jobmanager:8081", address,
		)
	}
	return nil
}

// pathlike tells whether a text names a file rather than a host, which may have a path behind it.
func pathlike(text string) bool {
	if strings.HasSuffix(text, ".culprit") || filepath.IsAbs(text) || strings.HasPrefix(text, "~") ||
		strings.HasPrefix(text, ".") {
		return true
	}
	folder, _, inside := strings.Cut(filepath.ToSlash(text), "/")
	if !inside || strings.ContainsAny(folder, ".:") {
		return false
	}
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}
