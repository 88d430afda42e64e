package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"culprit/diagnose"
)

// explainCommand prints the manual page of a rule, or the list of rules.
func explainCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Explain a rule: what it means, how to confirm it by hand, how to fix it",
		Long: `explain prints the manual page of a rule, by its name (hot-key) or its code (FD0301): why it is so,
how it is measured, how to confirm it by hand, how to fix it, and its false alarms. Without a rule it lists
all.`,
		Args: takes(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(c)
			}
			page, err := diagnose.Page(args[0])
			if err != nil {
				return unknownRule(args[0])
			}
			_, err = fmt.Fprint(c.out, page)
			return err
		},
	}
}

func listRules(c console) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, r := range diagnose.Rules() {
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Name, r.Title); err != nil {
			return err
		}
	}
	return w.Flush()
}

func ruleNames() []string {
	var names []string
	for _, r := range diagnose.Rules() {
		names = append(names, r.Name)
	}
	return names
}

func unknownRule(name string) error {
	return unknownName("rule", name, ruleNames(), "`culprit explain` lists them")
}
