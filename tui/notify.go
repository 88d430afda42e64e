package tui

// The ways to tell that a verdict has changed.
const (
	NotifyOff  = "off"
	NotifyBell = "bell"
	NotifyOSC9 = "osc9"
)

// Notifications are the ways to tell that a verdict has changed; the first is the default.
func Notifications() []string { return []string{NotifyOff, NotifyBell, NotifyOSC9} }
