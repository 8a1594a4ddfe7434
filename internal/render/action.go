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
	type completion struct {
		Text        string `json:"text"`
		Description string `json:"description"`
	}
	completions := make([]completion, len(list))
	for i, c := range list {
		completions[i] = completion{c[0], c[1]}
	}
	return encode(struct {
		Schema      string       `json:"schema"`
		Completions []completion `json:"completions"`
	}{"onward/completions/v1", completions})
}

// slashJSON is one command of onward/slash/v1.
type slashJSON struct {
	Name        string      `json:"name"`
	Usage       string      `json:"usage,omitzero"`
	Description string      `json:"description"`
	Source      string      `json:"source"`
	Action      slash.Type  `json:"action,omitzero"`
	SubCommands []slashJSON `json:"subCommands,omitempty"`
}

// SlashJSON is onward/slash/v1: every command that a line can begin with.
func SlashJSON(declared []slash.Declaration) []byte {
	var commands []slashJSON
	for _, c := range slash.Commands() {
		commands = append(commands, slashJSON{Name: c.Name, Usage: c.Usage, Description: c.Help, Source: "builtin"})
	}
	for i := range declared {
		commands = append(commands, declaredJSON(&declared[i], declared[i].Source))
	}
	return encode(struct {
		Schema   string      `json:"schema"`
		Commands []slashJSON `json:"commands"`
	}{"onward/slash/v1", commands})
}

func declaredJSON(d *slash.Declaration, source string) slashJSON {
	out := slashJSON{Name: d.Name, Description: d.Description, Source: source}
	if d.Action != nil {
		out.Action = d.Action.Type
	}
	for i := range d.SubCommands {
		out.SubCommands = append(out.SubCommands, declaredJSON(&d.SubCommands[i], source))
	}
	return out
}
