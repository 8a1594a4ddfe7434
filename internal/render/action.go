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

// SlashJSON is onward/slash/v1: every command that a line can begin with.
func SlashJSON(declared []slash.Declaration) []byte {
	w := object.NewWriter(2048)
	w.Open('{')
	w.String("schema", "onward/slash/v1")
	w.Name("commands")
	w.Open('[')
	for _, c := range slash.Commands() {
		w.Open('{')
		w.String("name", c.Name)
		w.String("usage", c.Usage)
		w.String("description", c.Help)
		w.String("source", "builtin")
		w.Close('}')
	}
	for i := range declared {
		writeDeclaration(w, &declared[i], declared[i].Source)
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}

func writeDeclaration(w *object.Writer, d *slash.Declaration, source string) {
	w.Open('{')
	w.String("name", d.Name)
	w.String("description", d.Description)
	w.String("source", source)
	if d.Action != nil {
		w.String("action", string(d.Action.Type))
	}
	if len(d.SubCommands) > 0 {
		w.Name("subCommands")
		w.Open('[')
		for i := range d.SubCommands {
			writeDeclaration(w, &d.SubCommands[i], source)
		}
		w.Close(']')
	}
	w.Close('}')
}
