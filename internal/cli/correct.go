package cli

import (
	"path"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/suggest"
)

// accepts reports whether a command takes some arguments.
func accepts(c *Command, args []string) bool {
	k, err := grammar(c.Make())
	if err != nil {
		panic(err)
	}
	ctx, err := k.Parse(args)
	return err == nil && checkGiven(k.Model.Node, givenFlags(ctx)) == nil
}

// corrected returns the arguments with flags of the command in place of those that it does not have; nil if it is not known
// what was meant by these, or if the command does not take the result.
func corrected(c *Command, node *kong.Node, args []string) []string {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	at := slices.IndexFunc(args[:end], func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return isFlag(arg) && findFlag(node, name) == nil
	})
	if at < 0 {
		if accepts(c, args) {
			return args
		}
		return nil
	}
	name, given, joined := strings.Cut(args[at], "=")
	meant := suggest.Flags(name)
	if near := similarFlags(name, flagNames(node)); len(name) > 2 && len(near) == 1 && meant == nil {
		meant = []string{"--" + near[0]}
	}
	for _, instead := range meant {
		words, used := strings.Fields(instead), 1
		f := findFlag(node, words[0])
		if isFlag(words[0]) && f == nil || !isFlag(words[0]) && instead != suggest.Value && !takesPositions(node) {
			continue
		}
		if instead == suggest.Value || f != nil && !f.IsBool() && len(words) == 1 {
			value := given
			if !joined {
				if at+1 >= end || isFlag(args[at+1]) {
					continue
				}
				value, used = args[at+1], 2
			}
			if f != nil && !canBe(f, value) {
				continue
			}
			if instead == suggest.Value { // the text comes last
				if out := corrected(c, node, slices.Concat(args[:at], args[at+used:end], []string{value}, args[end:])); out != nil {
					return out
				}
				continue
			}
			words = append(words, withUnit(f, value))
		}
		if out := corrected(c, node, slices.Concat(args[:at], words, args[at+used:])); out != nil {
			return out
		}
	}
	return nil
}

// WithFlag returns the command line with a flag in the place of a word that names what the flag selects, such as `--status completed` for
// done, or before one that names a file to write; empty if the command has none.
func (l *Line) WithFlag(word string) string {
	at := slices.Index(l.Args, word)
	file := slices.Contains([]string{".html", ".md", ".json"}, path.Ext(word))
	if at < 0 || !file && suggest.Flags("--"+word) == nil {
		return ""
	}
	k, err := grammar(l.Command.Make())
	if err != nil {
		panic(err)
	}
	args := slices.Clone(l.Args)
	if args[at] = "--" + word; file {
		args = slices.Replace(args, at, at+1, "--output", word)
	}
	if args = corrected(l.Command, k.Model.Node, args); args == nil {
		return ""
	}
	return strings.TrimSpace(strings.Join(l.Path, " ") + " " + QuoteWords(args))
}

// takesPositions reports whether the first argument of a command is a place in a list, and may be the last one, or all.
func takesPositions(node *kong.Node) bool {
	return len(node.Positional) > 0 && slices.Contains([]string{"range", "held", "position", "message or all"}, node.Positional[0].Tag.Get("complete"))
}

// canBe reports whether a flag takes a value, as far as its tag names the values.
func canBe(f *kong.Flag, value string) bool {
	few, known := strings.CutPrefix(f.Tag.Get("complete"), "=")
	return !known || slices.Contains(strings.Split(few, "|"), value)
}

// withUnit adds hours to a duration that has no unit: few people mean seconds.
func withUnit(f *kong.Flag, value string) string {
	if f != nil && f.PlaceHolder == "D" && strings.Trim(value, "0123456789") == "" && strings.Trim(value, "0") != "" {
		return value + "h"
	}
	return value
}

func flagNames(node *kong.Node) (names []string) {
	for _, f := range node.Flags {
		names = append(names, f.Name)
	}
	return names
}

// plainLetters have no meaning of their own in any shell.
const plainLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+:@%,="

// QuoteWords writes words for a shell, with single quotes around those that need some.
func QuoteWords(words []string) string {
	quoted := slices.Clone(words)
	for i, word := range words {
		if word == "" || strings.Trim(word, plainLetters) != "" {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
