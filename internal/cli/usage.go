package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/near"
)

// unknownCommand is a word in the place of a command that names none.
type unknownCommand struct {
	path []string // of the group
	word string
}

func (e unknownCommand) Error() string {
	return fmt.Sprintf("unknown command %q", strings.Join(append(slices.Clone(e.path), e.word), " "))
}

// Explain adds to an error of Scan what to do about it. Of a command that is not
// known, it names those that may have been meant: a command of that name in
// another place, a flag or a topic of that name, or else commands of a similar name, first in
// the same group, then in others.
func Explain(err error, program string, table []Command, flags []Flag, topics func() []string) error {
	var unknown unknownCommand
	if !errors.As(err, &unknown) {
		if own := (*Error)(nil); errors.As(err, &own) && own.Next == "" {
			own.Next = "`" + program + " help flags` explains the flags of every command"
		}
		return err
	}
	var elsewhere, names []string
	paths := map[string]string{} // of every name, the first that has it
	for path, c := range All(table) {
		if c.Sub == nil && c.Is(unknown.word) {
			elsewhere = append(elsewhere, path)
		}
		for _, name := range c.Names() {
			if _, seen := paths[name]; !seen {
				paths[name] = path
				names = append(names, name)
			}
		}
	}
	meant := elsewhere[:min(len(elsewhere), near.Most)]
	prefix := strings.Join(unknown.path, " ")
	for i := range flags {
		if flags[i].On != nil && flags[i].Name == unknown.word {
			meant = append(meant, "--"+unknown.word)
		}
	}
	if prefix == "" && slices.Contains(topics(), unknown.word) {
		meant = append(meant, "help "+unknown.word)
	}
	if len(meant) == 0 {
		meant = siblings(table, unknown)
	}
	if len(meant) == 0 {
		for _, name := range near.Names(unknown.word, names) {
			if !slices.Contains(meant, paths[name]) {
				meant = append(meant, paths[name])
			}
		}
	}
	list := "`" + strings.TrimSpace(program+" "+prefix) + " --help` lists the commands"
	if prefix == "" {
		list = "`" + program + " help commands` lists all commands"
	}
	if len(meant) == 0 {
		return usageError(unknown.Error(), list)
	}
	for i := range meant {
		meant[i] = "`" + program + " " + meant[i] + "`"
	}
	return usageError(unknown.Error(), "did you mean "+or(meant)+"? "+list)
}

// siblings lists the commands of the same group with a similar name.
func siblings(table []Command, unknown unknownCommand) []string {
	if group, _ := FindPath(table, unknown.path); group != nil {
		table = group.Sub()
	}
	var names, out []string
	for i := range table {
		names = append(names, table[i].Names()...)
	}
	for _, name := range near.Names(unknown.word, names) {
		path := strings.Join(append(slices.Clone(unknown.path), Find(table, name).Name), " ")
		if !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// or joins alternatives: "a, b or c".
func or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// unknownFlag is the error about a flag that neither the command nor the program has.
func unknownFlag(name string, flags []Flag, own []*kong.Flag) *Error {
	var known []string
	for _, f := range own {
		known = append(known, f.Name)
	}
	for i := range flags {
		known = append(known, flags[i].Name)
	}
	err := usageError("unknown flag "+name, "")
	word := strings.TrimLeft(name, "-")
	meant := near.Names(word, known)
	if len(word) == 1 {
		meant = slices.DeleteFunc(known, func(flag string) bool { return !strings.HasPrefix(flag, strings.ToLower(word)) })
		meant = meant[:min(len(meant), near.Most)]
	}
	if len(meant) > 0 {
		for i := range meant {
			meant[i] = "--" + meant[i]
		}
		err.Next = "did you mean " + or(meant) + "?"
	}
	return err
}
