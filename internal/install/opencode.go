package install

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

//go:embed opencode.js
var opencodePlugin string

// opencode writes a small plugin, since opencode runs no commands of its own accord.
func opencode(o Options, p *plan) error {
	arguments := `"hook", "opencode", "--limit", "600s"`
	if o.Context {
		arguments += `, "--context"`
	}
	plugin := ownFile{
		text:    strings.NewReplacer("PROGRAM", javascriptString(o.Program), "ARGUMENTS", arguments).Replace(opencodePlugin),
		between: [2]string{"const program = ", "\n"},
		decode: func(s string) string {
			name, _ := strconv.Unquote(s)
			return name
		},
	}
	p.files = slices.Insert(p.files, 0, p.file("plugins/onward.js", plugin))
	return nil
}

// javascriptString writes a string that both JavaScript and Go read alike.
func javascriptString(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err == nil && out == s {
		return `"` + s + `"`
	}
	return strconv.QuoteToASCII(s)
}
