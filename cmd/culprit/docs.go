package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// docsCommand writes what packages and readers need beside the program; it is for those who build it.
func docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "docs FOLDER",
		Short:  "Write the man pages",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := filepath.Join(args[0], "man")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("make the folder for the man pages: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "CULPRIT", Section: "1", Source: "culprit", Manual: "culprit"}
			if err := doc.GenManTree(root, header, folder); err != nil {
				return fmt.Errorf("write the man pages: %w", err)
			}
			return nil
		},
	}
}
