package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"culprit/cmd/culprit/config"
	"culprit/diagnose"
	"culprit/tui"
)

//go:generate go run . docs reference ../../docs
//go:generate go run . docs pictures ../../docs

// docsCommand writes what packages and readers need beside the program; it is for those who build it.
func docsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "docs", Short: "Write the man pages, the reference pages and the pictures", Hidden: true,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "man FOLDER", Short: "Write the man pages", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return writeMan(cmd.Root(), args[0]) },
		},
		&cobra.Command{
			Use: "reference FOLDER", Args: cobra.ExactArgs(1),
			Short: "Write the tables of keys and rules, and the example of a configuration",
			RunE:  func(_ *cobra.Command, args []string) error { return writeReference(args[0]) },
		},
		&cobra.Command{
			Use: "pictures FOLDER", Short: "Write the pictures of the screen", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return writePictures(cmd.Context(), args[0]) },
		},
	)
	return cmd
}

func writeMan(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder for the man pages: %w", err)
	}
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Title: "CULPRIT", Section: "1", Source: "culprit", Manual: "culprit"}
	if err := doc.GenManTree(root, header, folder); err != nil {
		return fmt.Errorf("write the man pages: %w", err)
	}
	return nil
}

func writeReference(folder string) error {
	all := map[string]string{
		"keys.md": keysPage(), "rules.md": rulesPage(), "config-example.yaml": config.Example(),
	}
	for _, r := range diagnose.Rules() {
		page, err := diagnose.Page(r.Name)
		if err != nil {
			return err
		}
		all[filepath.Join("rules", r.Name+".md")] = page
	}
	if err := os.RemoveAll(filepath.Join(folder, "rules")); err != nil {
		return fmt.Errorf("clear the folder of the rules' pages: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "rules"), 0o755); err != nil {
		return fmt.Errorf("make the folder of the rules' pages: %w", err)
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write the reference page: %w", err)
		}
	}
	return nil
}

// keysPage is the table of keys, as the help on the screen has it.
func keysPage() string {
	var b strings.Builder
	b.WriteString("# Keys\n\n| key | what it does |\n|---|---|\n")
	for _, a := range tui.Actions() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", a.Binding.Help().Key, a.Does)
	}
	return b.String()
}

// rulesPage is the table of rules, in the order in which they are asked.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nIn the order in which they are asked.\n\n")
	b.WriteString("| code | name | what a hit means | asked | reads |\n")
	b.WriteString("|---|---|---|---|---|\n")
	for _, r := range diagnose.Rules() {
		reads := make([]string, len(r.Needs))
		for i, s := range r.Needs {
			reads[i] = "`" + s.String() + "`"
		}
		fmt.Fprintf(&b, "| %s | [`%s`](rules/%s.md) | %s | %s | %s |\n",
			r.ID, r.Name, r.Name, r.Title, r.Stage, strings.Join(reads, ", "))
	}
	b.WriteString("\nA signal's name stands for these numbers of Flink:\n\n")
	b.WriteString("| signal | Flink's name | unit | since |\n|---|---|---|---|\n")
	for _, s := range diagnose.Needs() {
		i := s.Info()
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %d.%d |\n", i.Name, i.Metric, i.Unit, i.Since/100, i.Since%100)
	}
	b.WriteString("\n## Thresholds\n\nEach can be overridden: `--threshold NAME=VALUE`.\n\n")
	b.WriteString("| name | default | from .. to | meaning |\n|---|---|---|---|\n")
	for _, t := range diagnose.Thresholds() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", t.Name, t.Default, t.Range, t.Means)
	}
	return b.String()
}
