package install

import (
	"strings"

	"onward/internal/agents/settings"
)

// commandMark is the text by which onward recognises its own files.
const commandMark = "written by onward"

// ownFile is a file that only onward writes.
type ownFile struct {
	text    string
	other   string    // another complete form; empty if there is none
	between [2]string // the text before and after the program that it names
	decode  func(string) (program string)
	beside  bool // a file of another program with this name is moved aside; otherwise it stays
}

func (f ownFile) ours(data []byte) bool { return strings.Contains(string(data), commandMark) }

func (f ownFile) put(old []byte, _ []string) ([]byte, error) {
	if old != nil && !f.ours(old) && !f.beside {
		return old, nil
	}
	return []byte(f.text), nil
}

func (f ownFile) removeOwn(old []byte, _ []string, _ []byte) ([]byte, error) {
	if f.ours(old) {
		return nil, nil
	}
	return old, nil
}

func (f ownFile) inspect(data []byte) (p presence, err error) {
	if !f.ours(data) {
		return p, nil
	}
	_, rest, _ := strings.Cut(string(data), f.between[0])
	program, _, _ := strings.Cut(rest, f.between[1])
	return presence{programs: []string{f.decode(program)}, some: true, partly: string(data) != f.text && string(data) != f.other}, nil
}

// unquoted returns the word of a shell line that has only one.
func unquoted(line string) string {
	if list, ok := splitWords(line); ok && len(list) == 1 {
		return list[0]
	}
	return line
}

// commandFile makes the agent's own file for /todo, without which it refuses the command
// before any hook sees it. The hook answers it if it can; otherwise the file instructs the model what to run.
func (o Options) commandFile(c settings.CommandFile) ownFile {
	return ownFile{
		text:    strings.ReplaceAll(commandForm(c), "ONWARD", quote(o.Program, o.Windows())),
		between: [2]string{commandMark + ": ", " hooks install"}, decode: unquoted,
	}
}

// The parts of command files. The arguments come from the user's own keyboard,
// and are handed to the model as text, not to a shell.
const (
	commandAbout = "Show or change the todo list (onward)"
	commandSign  = commandMark + ": ONWARD hooks install"
	commandText  = `Run this one command, with WHAT, and show what it prints as it is:

    ONWARD slash "/todo ARGUMENTS"
`
)

// commandForm returns an agent's command file.
func commandForm(c settings.CommandFile) string {
	if c.Format == settings.Plain {
		text := strings.Replace(commandText, "WHAT", "what the user wrote after /todo as one quoted argument", 1)
		return "<!-- " + commandSign + " -->\n" + text
	}
	text := strings.Replace(commandText, "WHAT", `the arguments below as one quoted argument after "/todo "`, 1) + "\nThe arguments: " + c.Arguments + "\n"
	if c.Format == settings.TOML {
		return "# " + commandSign + "\ndescription = \"" + commandAbout + "\"\nprompt = \"\"\"\n" + text + "\"\"\"\n"
	}
	return "---\ndescription: " + commandAbout + "\n" + c.Head + "---\n<!-- " + commandSign + " -->\n" + text
}
