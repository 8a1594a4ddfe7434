package cmd

import (
	"onward/internal/render"
	"onward/internal/slash"
)

// actionJSON is onward/action/v1: what a wrapper is to do with a line that the user typed.
func actionJSON(a slash.Action) any {
	return struct {
		Schema string       `json:"schema"`
		Action slash.Action `json:"action"`
	}{"onward/action/v1", a}
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
