package flinkapi

import "strings"

const causedBy = "Caused by: "

// rootCause returns the first useful line of a Java stack trace: the innermost cause as "Class: message"
// without the package, or the first line where no cause is given. It never returns a stack frame, nor a
// secret that is in the message.
func rootCause(trace string) string {
	first, cause := "", ""
	for line := range strings.Lines(trace) {
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, causedBy) && !strings.Contains(line, "[CIRCULAR REFERENCE:"):
			cause = strings.TrimPrefix(line, causedBy)
		case first == "" && text != "" && !stackFrame(text) && text != "<Exception on server side:":
			first = strings.TrimPrefix(text, "<Exception on server side:")
		}
	}
	if cause == "" {
		cause = first
	}
	return Sanitize(HideSecrets(withoutPackage(strings.TrimSpace(cause))))
}

func stackFrame(text string) bool {
	return strings.HasPrefix(text, "at ") || strings.HasPrefix(text, "... ")
}

// withoutPackage turns "java.lang.IllegalStateException: boom" into "IllegalStateException: boom".
func withoutPackage(line string) string {
	class, message, found := strings.Cut(line, ":")
	if strings.ContainsAny(class, " \t/") || !strings.Contains(class, ".") {
		return line
	}
	class = className(class)
	if !found {
		return class
	}
	if message = strings.TrimSpace(message); message == "" {
		return class
	}
	return class + ": " + message
}

// className returns the name of a Java class without its package.
func className(qualified string) string {
	if dot := strings.LastIndexByte(qualified, '.'); dot >= 0 && dot < len(qualified)-1 {
		return qualified[dot+1:]
	}
	return qualified
}
