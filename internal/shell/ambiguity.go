package shell

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// ambiguity returns the construct of a command that shells may read differently from our parser, or nothing.
func ambiguity(text string) string {
	if !utf8.ValidString(text) {
		return "the command is not UTF-8"
	}
	for i, c := range text {
		switch {
		case c < ' ' && c != '\t' && c != '\n' || c == 0x7f:
			return fmt.Sprintf("shells differ about the control character %U", c)
		case c == '\n' && continues(text[:i]):
			return "shells differ about a line that continues in the middle of a word"
		}
	}
	if strings.HasSuffix(text, `\`) {
		return "shells differ about a backslash at the end" // zsh drops it
	}
	// Also in single quotes, where what takes the text for an expression is arithmetic, test or a builtin.
	if regexp.MustCompile("[A-Za-z0-9_]\\[[^]]*(\\$\\(|`)").MatchString(text) {
		return "in bash, the index of an array may run a command"
	}
	return ""
}

// disputed returns what shells read differently about a construct, or nothing.
func disputed(n syntax.Node, text string) string {
	switch n := n.(type) {
	case *syntax.Comment:
		if strings.Contains(n.Text, `\`) {
			return "shells differ about where a comment with a backslash ends"
		}
	case *syntax.CmdSubst:
		if n.Backquotes && strings.Contains(text[n.Left.Offset():n.Right.Offset()], `\`) {
			return "shells differ about a backslash between backquotes"
		}
		if unfinished(n) {
			return "shells differ about a here-document that begins in a substitution and ends behind it"
		}
	case *syntax.Subshell:
		if strings.HasPrefix(text[n.Lparen.Offset():], "((") {
			return "shells differ about two brackets in a row"
		}
	case *syntax.DblQuoted:
		if quotedInside(n.Parts) {
			return quotesInQuotes
		}
	case *syntax.Redirect:
		if n.Hdoc != nil && quotedInside(n.Hdoc.Parts) {
			return quotesInQuotes
		}
	case *syntax.Word:
		for i := 1; i < len(n.Parts); i++ {
			lit, _ := n.Parts[i-1].(*syntax.Lit)
			if _, quoted := n.Parts[i].(*syntax.SglQuoted); quoted && lit != nil && strings.HasSuffix(lit.Value, "$") {
				return "shells differ about where a quote behind a dollar sign ends"
			}
		}
	}
	return ""
}

const quotesInQuotes = "shells differ about quotes in an expansion that is quoted itself"

// quotedInside reports an expansion that has quotes in it, among parts that are quoted: in "${x:-'$(a)'}" shells run a.
func quotedInside(parts []syntax.WordPart) (found bool) {
	for _, part := range parts {
		exp, ok := part.(*syntax.ParamExp)
		if !ok || exp.Exp == nil || exp.Exp.Word == nil {
			continue
		}
		for _, inner := range exp.Exp.Word.Parts {
			switch inner.(type) {
			case *syntax.SglQuoted, *syntax.DblQuoted:
				return true
			}
		}
		found = found || quotedInside(exp.Exp.Word.Parts)
	}
	return found
}

// unfinished reports a here-document in a substitution whose text is not in it.
func unfinished(subst *syntax.CmdSubst) (found bool) {
	syntax.Walk(subst, func(n syntax.Node) bool {
		r, ok := n.(*syntax.Redirect)
		if ok && (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && (r.Hdoc == nil || r.Hdoc.End().After(subst.Right)) {
			found = true
		}
		return !found
	})
	return found
}

// continues reports whether a line ends in a backslash that is not clearly between two words.
func continues(before string) bool {
	rest, ok := strings.CutSuffix(before, `\`)
	return ok && rest != "" && !strings.ContainsRune(" \t", rune(rest[len(rest)-1]))
}
