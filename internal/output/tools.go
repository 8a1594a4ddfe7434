package output

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/tool"
	"onward/internal/render"
)

// ToolsText shows tools as a table.
func ToolsText(tools tool.Set, style render.Style) string {
	return style.Table(render.Map(tools, func(_ int, t *tool.Tool) []string {
		return []string{render.Text(t.Name), string(t.Kind), "confirm " + t.Confirm, t.Source, render.Text(t.Description)}
	}), 4)
}

// ToolsJSON is onward/tools/v1: declarations in the form for a model.
func ToolsJSON(tools tool.Set) any {
	list := render.Map(tools, func(_ int, t *tool.Tool) Members {
		parameters := t.Parameters
		if len(parameters) == 0 {
			parameters = jsontext.Value(`{"type":"object"}`)
		}
		out := Members{"name", t.Name, "description", t.Description, "parameters", parameters}
		if len(t.Command) > 0 {
			out = append(out, "command", t.Command)
		}
		return append(out, "kind", t.Kind, "confirm", t.Confirm, "source", strings.ReplaceAll(t.Source, " ", "_"))
	})
	return Members{"schema", tool.Schema, "tools", list}
}
