// Package shell parses shell commands, so that every program in them can be checked against rules.
//
// A command is read as POSIX sh reads it. Which shell has the name sh differs from machine to machine,
// so a command counts as known only where every shell reads it alike.
package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Command is a parsed shell command.
type Command struct {
	Parts []Part // every simple command: of chains, pipes, loops, functions, substitutions
	// Doubt is the reason why more may happen than that its parts run: a variable may change which programs they are.
	// It is empty only where every construct is one of those known to be harmless.
	Doubt string
	// Unreadable is the reason why shells may not agree with us on what the parts are.
	Unreadable string
}

// Part is one simple command.
type Part struct {
	Words  []Word
	Runs   []Part // the commands that it starts itself, such as rm of `sudo rm x` and of `sh -c 'rm x'`
	Hidden bool   // it may start others that cannot be seen
}

// Parse splits a command into its parts. It never fails: Unreadable marks where it had to guess.
func Parse(text string) Command {
	return (&reader{budget: maxNested}).read(text)
}

// maxNested bounds the work on commands inside of commands; what is beyond stays hidden.
const maxNested = 1000

// reader reads a command and the commands in its strings.
type reader struct{ budget int }

func (r *reader) read(text string) Command {
	command := Command{Unreadable: ambiguity(text)}
	file, err := parse(text, syntax.LangPOSIX)
	if err != nil {
		command.Unreadable = fmt.Sprintf("the command cannot be read as POSIX shell: %v", err)
		// A command of bash is never allowed, but what can be seen of it may be denied.
		if file, err = parse(text, syntax.LangBash); err != nil {
			return command
		}
	}
	moves := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if why := doubt(n); why != "" && command.Doubt == "" {
			command.Doubt = why
		}
		if why := disputed(n, text); why != "" {
			command.Unreadable = why
		}
		switch n := n.(type) {
		case *syntax.CallExpr:
			p := r.part(n.Args)
			moves = moves || p.is("cd")
			command.Parts = append(command.Parts, p)
		case *syntax.DeclClause:
			command.Parts = append(command.Parts, Part{Words: []Word{{Text: n.Variant.Value, Known: true}}})
		}
		return true
	})
	for _, p := range command.Parts {
		if moves && command.Doubt == "" && p.relative() {
			command.Doubt = fmt.Sprintf("%s is another program in another folder", p.Words[0].Text)
		}
	}
	return command
}

func parse(text string, lang syntax.LangVariant) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
}

func (r *reader) part(args []*syntax.Word) Part {
	var p Part
	for _, w := range args {
		p.Words = append(p.Words, word(w.Parts))
	}
	p.Runs, p.Hidden = r.started(p.Words)
	return p
}

// is reports whether a part runs a program of that name.
func (p *Part) is(name string) bool {
	return len(p.Words) > 0 && p.Words[0] == Word{Text: name, Known: true}
}

// relative reports a program whose path begins in the working folder.
func (p *Part) relative() bool {
	return len(p.Words) > 0 && strings.Contains(p.Words[0].Text, "/") && p.Words[0].Text[0] != '/'
}
