package render

import (
	"onward/internal/object"
	"onward/internal/slash"
	"onward/internal/todo"
)

// ActionJSON is onward/action/v1: what a wrapper is to do with a line that a person typed.
func ActionJSON(a slash.Action) []byte {
	w := object.NewWriter(512)
	w.Open('{')
	w.String("schema", "onward/action/v1")
	w.Name("action")
	w.Open('{')
	w.String("type", string(a.Type))
	switch a.Type {
	case slash.Message:
		w.String("level", a.Level)
		w.String("content", a.Content)
	case slash.LoadHistory:
		w.Name("items")
		writeItems(w, a.Items)
		w.String("level", a.Level)
		w.String("content", a.Content)
	case slash.Confirm:
		w.String("prompt", a.Prompt)
		w.String("original", a.Original)
	case slash.ConfirmShell:
		w.Strings("commands", a.Commands)
		w.String("original", a.Original)
	case slash.SubmitPrompt:
		w.String("content", a.Content)
	case slash.ScheduleTool:
		w.String("name", a.Name)
		w.Name("args")
		w.Raw(a.Args)
	case slash.OpenDialog:
		w.String("dialog", a.Dialog)
	}
	w.Close('}')
	w.Close('}')
	return finish(w)
}

func writeItems(w *object.Writer, items []todo.Item) {
	w.Open('[')
	for i := range items {
		writeItem(w, &items[i], i)
	}
	w.Close(']')
}

// CompletionsJSON is onward/completions/v1: words with which a line can go on, each with its description.
func CompletionsJSON(list [][2]string) []byte {
	w := object.NewWriter(64 * len(list))
	w.Open('{')
	w.String("schema", "onward/completions/v1")
	w.Name("completions")
	w.Open('[')
	for _, c := range list {
		w.Open('{')
		w.String("text", c[0])
		w.String("description", c[1])
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
