package unicodesafe

import (
	"strings"
	"unicode"
)

// BeginsCommand reports whether a text begins with what the log of a CI system takes for the beginning of a command wherever
// it is in a line: ##[ in GitHub Actions and Azure Pipelines, ##vso[ in the latter.
func BeginsCommand[T string | []byte](s T) bool {
	if len(s) < len("##[") || s[0] != '#' || s[1] != '#' {
		return false
	}
	const longest = len("##vso[")
	rest := strings.ToLower(string(s[2:min(len(s), longest)]))
	return rest[0] == '[' || rest == "vso["
}

// HasCommand reports whether a CI system could take a line, or a part of it, for a command: one that begins anywhere, or
// the :: at its beginning, after spaces. What shows nothing is passed over, as some comparisons of texts do.
func HasCommand(line string) bool {
	if !strings.Contains(line, "#") && !strings.Contains(line, "::") {
		return false
	}
	shown := strings.Map(func(r rune) rune {
		if r != '\r' && !IsSafe(r) {
			return -1
		}
		return r
	}, line)
	for part := range strings.SplitSeq(shown, "\r") {
		if strings.HasPrefix(strings.TrimLeftFunc(part, unicode.IsSpace), "::") {
			return true
		}
	}
	for i := range shown {
		if BeginsCommand(shown[i:]) {
			return true
		}
	}
	return false
}
