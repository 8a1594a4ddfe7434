package render

import (
	"strings"

	"onward/internal/object"
	"onward/internal/tool"
)

// Tools shows tools as a table.
func Tools(tools tool.Set, style Style) string {
	rows := make([][]string, len(tools))
	for i := range tools {
		t := &tools[i]
		rows[i] = []string{Text(t.Name), string(t.Kind), "confirm " + t.Confirm, t.Source, Text(t.Description)}
	}
	return style.table(rows, 4)
}

// ToolsJSON is onward/tools/v1: declarations as a model is given them.
func ToolsJSON(tools tool.Set) []byte {
	w := object.NewWriter(4096)
	w.Open('{')
	w.String("schema", tool.Schema)
	w.Name("tools")
	w.Open('[')
	for i := range tools {
		t := &tools[i]
		w.Open('{')
		w.String("name", t.Name)
		w.String("description", t.Description)
		w.Name("parameters")
		if len(t.Parameters) == 0 {
			w.Raw([]byte(`{"type":"object"}`))
		} else {
			w.Raw(t.Parameters)
		}
		w.SomeStrings("command", t.Command)
		w.String("kind", string(t.Kind))
		w.String("confirm", t.Confirm)
		w.String("source", strings.ReplaceAll(t.Source, " ", "_"))
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
