package diagnose

// besideRules are the signals that stand beside the ladder, with or without a culprit.
func besideRules() []Rule { return machineBesideRules() }
