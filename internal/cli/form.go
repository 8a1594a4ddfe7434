package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// form returns how an argument is written: `RANGE…`, `[TASK]`, or what its tag `form` says.
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

// synopsis returns a path with the forms of its command's arguments.
func synopsis(path string, node *kong.Node) string {
	for _, arg := range node.Positional {
		path += " " + form(arg)
	}
	return path
}
