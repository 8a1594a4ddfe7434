package cmd

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/render"
	"onward/internal/slash"
)

// actionJSON is the action of onward/action/v1: each type has members of its own.
type actionJSON struct {
	Type     slash.Type     `json:"type"`
	Items    jsontext.Value `json:"items,omitzero"`
	Level    string         `json:"level,omitzero"`
	Content  *string        `json:"content,omitzero"`
	Prompt   string         `json:"prompt,omitzero"`
	Commands []string       `json:"commands,omitempty"`
	Original string         `json:"original,omitzero"`
	Name     string         `json:"name,omitzero"`
	Args     jsontext.Value `json:"args,omitzero"`
	Dialog   string         `json:"dialog,omitzero"`
}

// actionOf is onward/action/v1: what a wrapper is to do with a line that the user typed.
func actionOf(a slash.Action) any {
	out := actionJSON{
		Type: a.Type, Level: a.Level, Prompt: a.Prompt, Commands: a.Commands, Original: a.Original,
		Name: a.Name, Args: a.Args, Dialog: a.Dialog,
	}
	switch a.Type {
	case slash.LoadHistory:
		w := object.NewWriter(256 * len(a.Items))
		w.Open('[')
		for i := range a.Items {
			writeItem(w, &a.Items[i], i)
		}
		w.Close(']')
		out.Items, out.Content = w.Bytes(), &a.Content
	case slash.Message, slash.SubmitPrompt:
		out.Content = &a.Content
	}
	return struct {
		Schema string     `json:"schema"`
		Action actionJSON `json:"action"`
	}{"onward/action/v1", out}
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

// slashCommandsJSON is onward/slash/v1: every command that a line can begin with.
func slashCommandsJSON(declared []slash.Declaration) any {
	commands := render.Each(slash.Commands(), func(_ int, c *slash.Command) slashJSON {
		return slashJSON{Name: c.Name, Usage: c.Usage, Description: c.Help, Source: "builtin"}
	})
	for i := range declared {
		commands = append(commands, declaredJSON(&declared[i], declared[i].Source))
	}
	return struct {
		Schema   string      `json:"schema"`
		Commands []slashJSON `json:"commands"`
	}{"onward/slash/v1", commands}
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
