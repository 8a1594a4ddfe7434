package output

import (
	"onward/internal/render"
	"onward/internal/slash"
)

// SlashJSON is one command of onward/slash/v1.
func SlashJSON(d *slash.Declaration, source string) Members {
	out := Members{"name", d.Name}.AddIfSet("usage", d.Usage)
	out = append(out, "description", d.Description, "source", source)
	if d.Action != nil {
		out = append(out, "action", d.Action.Type)
	}
	if len(d.SubCommands) > 0 {
		out = append(out, "subCommands", render.Map(d.SubCommands, func(_ int, sub *slash.Declaration) Members { return SlashJSON(sub, source) }))
	}
	return out
}
