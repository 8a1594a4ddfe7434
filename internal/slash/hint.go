package slash

import "strings"

// RewriteErrors rewrites the standard error of a command for a user who types lines into an agent:
// without the program's name, and with lines such as /todo show instead of shell commands. A hint may repeat
// the flags that the line's command was run with, as they would be typed in a shell; they are left out.
func RewriteErrors(errs, flags string) string {
	errs = strings.ReplaceAll(errs, "onward "+flags+" ", "onward ")
	var lines []string
	for line := range strings.Lines(errs) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\n"), "onward: ")
		if hint, ok := strings.CutPrefix(line, "hint: "); ok {
			if hint = typedHints(hint); hint == "" {
				continue
			}
			line = "hint: " + hint
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// asLines replaces commands of onward by the lines that run them.
func asLines(text string) string {
	return strings.NewReplacer("onward todo", "/todo", "onward message", "/message", "onward pause", "/pause",
		"onward resume", "/resume", "onward stop", "/stop", "onward set", "/set").Replace(text)
}

// typedHints returns the parts of a hint that can be followed without a shell.
func typedHints(hint string) string {
	var kept strings.Builder
	end := "" // the separator after the last part that was kept
	for hint != "" {
		part, separator, rest := hint, "", ""
		for _, s := range []string{"; ", "? ", ", or "} {
			if before, after, found := strings.Cut(hint, s); found && len(before) < len(part) {
				part, separator, rest = before, s, after
			}
		}
		hint = rest
		if part = asLines(part); strings.Contains(part, "onward ") || namesFlag(part) && (!strings.Contains(part, "`/") || strings.Contains(part, " --help")) {
			continue
		}
		kept.WriteString(end + part)
		end = separator
	}
	if end == "? " {
		kept.WriteString("?")
	}
	return kept.String()
}

// namesFlag reports whether a text names a flag, such as --help; `--` alone is not a flag.
func namesFlag(text string) bool {
	_, after, found := strings.Cut(text, "--")
	return found && after != "" && after[0] >= 'a' && after[0] <= 'z'
}
