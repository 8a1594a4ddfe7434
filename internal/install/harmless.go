package install

import "onward/internal/agents/settings"

// harmless are the commands that a model may run without asking: those that prompts name, and those that change the
// list in the same way. None of them reads or writes a file that its arguments name, starts a program that a person
// did not choose, or changes what a model may do. So `todo export`, `todo import`, `set` and `schedule` are not among them.
var harmless = [...]string{
	"todo add", "todo show", "todo list", "todo set", "todo start", "todo done", "todo cancel", "todo block", "todo reopen",
	"todo edit", "todo move", "todo delete", "todo write", "todo assert",
	"pause", "message push",
}

// mayRun lets the model run the harmless commands without asking, by an element of an array for each.
// Earlier versions allowed every command of onward by one element, which an install removes.
func mayRun(a settings.AllowList, title string) []settings.Grant {
	grants := []settings.Grant{{
		Path: a.Path, Element: a.Former, Former: true,
		Need: a.Former + " lets the model run every command of onward, also those that decide what else it may do; take it out of the settings of " + title,
	}}
	for _, command := range harmless {
		grants = append(grants, settings.Grant{Path: a.Path, Element: a.Before + "onward " + command + a.After, Runs: true, Need: a.Need})
	}
	return grants
}
