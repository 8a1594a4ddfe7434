package cmd

import (
	"strings"

	"onward/internal/cli"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/slash"
	"onward/internal/suggest"
)

// completeLine lists the candidates for the next word of a line.
func (a *app) completeLine(text string) error {
	var found []candidate
	switch name, rest, more := strings.Cut(strings.TrimPrefix(text, "/"), " "); {
	case !more:
		commands, _ := a.slashCommands() // each line reports its own errors
		found = cli.CandidatesWithPrefix("/"+name, slashNames("/", commands))
	case name == "todo" || name == "set" || name == "message":
		// The line may end in the middle of a quoted text.
		words, err := slash.Line{Rest: rest}.Words()
		if err != nil {
			break
		}
		if len(words) == 0 || strings.HasSuffix(rest, " ") {
			words = append(words, "")
		}
		found = a.complete(append([]string{name}, words...))
	case name == "tool" && !strings.Contains(rest, " "):
		found = cli.CandidatesWithPrefix(rest, a.toolNames()) // each line reports why there are none
	default:
		found = a.subCommands(text)
	}
	a.show(output.Members{"schema", "onward/completions/v1", "completions", found}, candidatesText(found))
	return nil
}

// subCommands lists the sub-commands of a declared command with which a line can continue.
func (a *app) subCommands(text string) []candidate {
	commands, _ := a.slashCommands()
	line, err := slash.Parse(text)
	if err != nil {
		return nil
	}
	d, _, rest := slash.Find(commands, line)
	if d == nil || strings.Contains(rest, " ") || rest != "" && strings.HasSuffix(text, " ") {
		return nil
	}
	return cli.CandidatesWithPrefix(rest, slashNames("", d.SubCommands))
}

// slashNames makes candidates of commands, with the prefix of their names.
func slashNames(before string, commands []slash.Declaration) []candidate {
	return render.Map(commands, func(_ int, d *slash.Declaration) candidate {
		return candidate{Text: before + d.Name, Help: d.Description}
	})
}

// unknownLine suggests known commands.
func unknownLine(line slash.Line, commands []slash.Declaration) string {
	names := render.Map(commands, func(_ int, d *slash.Declaration) string { return d.Name })
	text := "there is no command /" + line.Name
	if meant := suggest.Names(line.Name, names); len(meant) > 0 {
		return text + "; did you mean /" + strings.Join(meant, " or /") + "?"
	}
	return text + "; the commands are /" + strings.Join(names, ", /")
}

// listSlashCommands lists every line that there is a command for.
func (a *app) listSlashCommands() error {
	commands, err := a.slashCommands()
	if err != nil {
		return err
	}
	var list []candidate
	var add func(before string, commands []slash.Declaration)
	add = func(before string, commands []slash.Declaration) {
		for _, d := range commands {
			if d.Action != nil || len(d.SubCommands) == 0 {
				list = append(list, candidate{Text: before + d.Name, Help: d.Description})
			}
			add(before+d.Name+" ", d.SubCommands)
		}
	}
	add("/", commands)
	own := a.program().Commands
	all := render.Map(commands, func(_ int, d *slash.Declaration) output.Members {
		if c := cli.Find(own, d.Name); c != nil && d.Source == slash.BuiltinSource {
			d.SubCommands = render.Map(c.Sub, func(_ int, sub *cli.Command) slash.Declaration {
				return slash.Declaration{Name: sub.Name, Description: sub.Help}
			})
		}
		return output.SlashJSON(d, d.Source)
	})
	a.show(output.Members{"schema", "onward/slash/v1", "commands", all}, candidatesText(list))
	return nil
}
