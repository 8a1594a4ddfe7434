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
	origin := "This file was written by onward: `onward hooks uninstall " + o.Agent + "` removes it."
	if o.plugin {
		arguments += `, "--plugin"`
		origin = "This is onward's package for " + o.Agent + ". What `onward hooks install " + o.Agent + "` writes silences it."
	}
	return ownFile{
		text: strings.NewReplacer(
			"ORIGIN", origin, "PROGRAM", javascriptString(o.Program), "ARGUMENTS", arguments, `"MISSING"`, javascriptString(absent),
		).Replace(*p.Text),
		between: [2]string{"const program = ", "\n"},
		decode: func(s string) string {
			name, _ := strconv.Unquote(s)
			return name
		},
	}
}

// PluginFile returns what the npm package of such an agent runs: the file that an install writes, with onward found on PATH.
// ok is false for an agent whose settings have its hooks.
func PluginFile(agent Agent) (text string, ok bool) {
	if agent.Plugin.File == "" {
		return "", false
	}
	o := Options{Agent: agent.Name, Program: "onward", Context: true, plugin: true}
	return o.pluginFile(agent.Plugin).text, true
}

// javascriptString writes a string that both JavaScript and Go read alike.
func javascriptString(s string) string {
	out, err := strconv.Unquote(`"` + s + `"`)
	if err == nil && out == s {
		return `"` + s + `"`
	}
	return strconv.QuoteToASCII(s)
}
