// Package cli reads the command line: it finds the command and the global flags
// in the arguments, parses that command's flags, and explains what it
// does not understand. The caller passes in the table of commands.
package cli

import (
	"iter"
	"slices"
	"strings"
)

// Command is one row of the table of commands: a command, or a group of them.
type Command struct {
	Name  string
	Alias string // further names, separated by commas
	Help  string
	Group string     // the heading that the help lists it under
	Docs  string     // the page in docs with more; if empty, that of its group, if any
	Daily bool       // whether the first screen of the help has a line for it
	Args  string     // the arguments in that line; asking kong for them would make the first screen slow
	Make  func() any // returns a new value, whose fields are the flags and arguments, with kong's tags; nil for a group
	Sub   []Command  // the commands of a group
	Own   string     // the global flag whose name is a switch of this command, unless a value is joined to it; empty is none
	Alone string     // the one of them that the name of the group alone means; empty is none
}

// is reports whether a word names the command.
func (c *Command) is(word string) bool {
	return c.Name == word || c.Alias != "" && slices.Contains(strings.Split(c.Alias, ","), word)
}

// names lists the name and the aliases.
func (c *Command) names() []string {
	if c.Alias == "" {
		return []string{c.Name}
	}
	return append([]string{c.Name}, strings.Split(c.Alias, ",")...)
}

// Find returns the command of a table that a word names; nil if there is none.
func Find(table []Command, word string) *Command {
	for i := range table {
		if table[i].is(word) {
			return &table[i]
		}
	}
	return nil
}

// FindPath returns the command that some words name, such as todo and add, and
// its path without aliases; nil if they name none.
func FindPath(table []Command, words []string) (*Command, []string) {
	var found *Command
	var path []string
	for _, word := range words {
		if found = Find(table, word); found == nil {
			return nil, nil
		}
		path = append(path, found.Name)
		table = found.Sub
	}
	return found, path
}

// All yields every command and group with its path, such as "todo add", in the
// order of the table; a group comes before its commands.
func All(table []Command) iter.Seq2[string, *Command] {
	return func(yield func(string, *Command) bool) { walk(table, "", yield) }
}

func walk(table []Command, prefix string, yield func(string, *Command) bool) bool {
	for i := range table {
		c := &table[i]
		if !yield(prefix+c.Name, c) || !walk(c.Sub, prefix+c.Name+" ", yield) {
			return false
		}
	}
	return true
}
