package install

import (
	"strconv"
	"strings"

	"onward/internal/agents/settings"
)

// pluginFile is the plugin of an agent that runs no commands of its own accord.
func (o Options) pluginFile(p settings.Plugin) ownFile {
	arguments := `"hook", "` + o.Agent + `", "--limit", "` + p.Limit + `"`
	if o.Context {
		arguments += `, "--context"`
	}
	return ownFile{
		text:    strings.NewReplacer("PROGRAM", javascriptString(o.Program), "ARGUMENTS", arguments).Replace(*p.Text),
		between: [2]string{"const program = ", "\n"},
		decode: func(s string) string {
			name, _ := strconv.Unquote(s)
			return name
		},
	}
}

// javascriptString writes a string that both JavaScript and Go read alike.
func javascriptString(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err == nil && out == s {
		return `"` + s + `"`
	}
	return strconv.QuoteToASCII(s)
}
