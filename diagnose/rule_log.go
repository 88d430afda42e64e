package diagnose

// logRules are rung 7: does the log hold the lag?
func logRules() []Rule { return nil }
