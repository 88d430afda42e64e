package diagnose

import "slices"

// besideRules are the signals that stand beside the ladder, with or without a culprit.
func besideRules() []Rule {
	return slices.Concat(
		machineBesideRules(),
		[]Rule{jobManagerSlowRule(), alignmentHoldRule(), watermarkHeldRule(), lateDataRule(), restartedRule()},
	)
}
