package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// form returns an argument as a synopsis shows it: `RANGE…`, `[TASK]`, or its tag `form`.
func form(arg *kong.Positional) string {
	if own := arg.Tag.Get("form"); own != "" {
		return own
	}
	name := strings.ToUpper(arg.Name)
	if arg.IsCumulative() {
		name += "…"
	}
	if !arg.Required {
		name = "[" + name + "]"
	}
	return name
}

// synopsis returns the path of a command, followed by its arguments.
func synopsis(path string, node *kong.Node) string {
	for _, arg := range node.Positional {
		path += " " + form(arg)
	}
	return path
}
