package stream

import (
	"regexp"
	"strings"
	"sync"
)

// masked stands for what looks like a secret.
const masked = "***"

// secrets finds what looks like a secret in the line of a shell: the value of a variable, a flag or a header whose name says that it is
// one, a password in an address, and keys by the prefixes that their makers give them. What comes before a secret is in the first group.
func secrets() *regexp.Regexp {
	makesSecrets.Do(func() { madeSecrets = compileSecrets() })
	return madeSecrets
}

var (
	makesSecrets sync.Once // when it is first needed, and not before main
	madeSecrets  *regexp.Regexp
)

func compileSecrets() *regexp.Regexp {
	const (
		name  = `[\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key(?:[_-]id)?|private[_-]?key|credentials?)["']?`
		value = `(?:"[^"]*"|'[^']*'|[^\s"'&;|)]+)`
	)
	return regexp.MustCompile(`(?i)((?:` + strings.Join([]string{
		`\b` + name + `\s*[=:]\s*(?:(?:bearer|basic|token)\s+)?`,        // TOKEN=…, "password": "…"
		`(?:^|\s)--?` + name + `[ =]`,                                   // --password …
		`\bbearer\s+|\bauthorization:\s*(?:(?:bearer|basic|token)\s+)?`, // of a header
		`\s-u\s+[^\s:]+:`, // curl -u NAME:…
	}, `|`) + `))` + value +
		`|(://[^/\s:@]*:)[^/\s@]+@` +
		`|\b(?:sk-[\w-]{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*)`)
}

// maxSecrets is how much of a line is looked at, in bytes; the rest is dropped. At most maxCallText of a line is shown.
const maxSecrets = 4096

// withoutSecrets returns a line without what looks like a secret, since a history and a report keep it. A variable that a secret comes
// from stays.
func withoutSecrets(line string) string {
	line = line[:min(len(line), maxSecrets)]
	found := secrets()
	return found.ReplaceAllStringFunc(line, func(is string) string {
		groups := found.FindStringSubmatch(is)
		switch {
		case groups == nil: // only its surroundings show what it is
			return masked
		case groups[2] != "":
			return groups[2] + masked + "@"
		case strings.HasPrefix(strings.Trim(is[len(groups[1]):], `"'`), "$"):
			return is
		}
		return groups[1] + masked
	})
}
