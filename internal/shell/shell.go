// Package shell takes a shell command apart, so that every program in it can be held against rules.
//
// A command is read as POSIX sh reads it. What is no POSIX sh cannot be read, and callers ask a person then:
// nobody can say what another shell would make of it.
package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// errUnreadable marks a command that cannot be taken apart.
var errUnreadable = errors.New("the command cannot be read as POSIX shell")

// Command is a shell command, taken apart.
type Command struct {
	Parts     []Part // every simple command: of chains, pipes, loops, functions, substitutions
	Redirects bool   // some output or input goes elsewhere
}

// Part is one simple command.
type Part struct {
	Words   []string // the words at its beginning that are the same whenever it runs; none if even the program is not
	Literal bool     // these are all its words
	Assigns bool     // variables are set for it
}

// Parse takes a command apart.
func Parse(text string) (Command, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if err != nil {
		return Command{}, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	var c Command
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			c.Parts = append(c.Parts, part(n))
		case *syntax.DeclClause:
			c.Parts = append(c.Parts, Part{Words: []string{n.Variant.Value}})
		case *syntax.Redirect:
			c.Redirects = true
		}
		return true
	})
	return c, nil
}

func part(call *syntax.CallExpr) Part {
	p := Part{Literal: true, Assigns: len(call.Assigns) > 0}
	for _, w := range call.Args {
		text, ok := literal(w.Parts, false)
		if !ok {
			p.Literal = false
			break
		}
		p.Words = append(p.Words, text)
	}
	return p
}

// literal gives a word as the shell sees it when quotes and backslashes are gone,
// or false where it depends on something.
func literal(parts []syntax.WordPart, quoted bool) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			// A dollar sign that is left over is a quote of another shell, such as $'…'.
			if !quoted && strings.ContainsAny(part.Value, "*?[{~$") {
				return "", false
			}
			b.WriteString(unescaped(part.Value, quoted))
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			text, ok := literal(part.Parts, true)
			if !ok || part.Dollar {
				return "", false
			}
			b.WriteString(text)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescaped takes the backslashes away that the shell takes away.
func unescaped(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		switch {
		case next == '\n':
			i++
		case quoted && !strings.ContainsRune("$`\"\\", rune(next)):
			b.WriteByte('\\')
		default:
			b.WriteByte(next)
			i++
		}
	}
	return b.String()
}
