package torture

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shellGrammar generates shell commands, and knows what may run in them.
type shellGrammar struct {
	rand *rand.Rand
	ran  []string // the programs of the last command, with their first argument where it is known
	bare bool     // no quotes and no expansions
}

// plain returns commands without quotes and expansions, which stay the same inside of others.
func (g *shellGrammar) plain() string {
	defer func(before bool) { g.bare = before }(g.bare)
	g.bare = true
	return g.commands(1)
}

func (g *shellGrammar) one(of ...string) string { return of[g.rand.IntN(len(of))] }

// commands returns a list of commands.
func (g *shellGrammar) commands(depth int) string {
	text := g.command(depth)
	for g.rand.IntN(3) == 0 {
		if g.bare {
			text += g.one(";", "\n", " && ", " || ", " | ", " & ") + g.command(depth)
			continue
		}
		text += g.one(";", "\n", "&&", "||", "|", " ; ", "\n\n", " && ", " || ", " | ", "&", " &\n", "\r", "\r\n", "; \\\n", " # note\n", " # note \\\n", ";#\\\n", "\r#;", " #'\n", " # \"\n", " # $(\n", "\f;", "\v\n") +
			g.command(depth)
	}
	return text
}

func (g *shellGrammar) command(depth int) string {
	if depth <= 0 || g.bare || g.rand.IntN(3) == 0 {
		return g.simple(depth)
	}
	inner := func() string { return g.commands(depth - 1) }
	name := g.one("PATH", "x", "IFS", "BASH_ENV")
	switch g.rand.IntN(24) {
	case 0:
		return "( " + inner() + " )"
	case 1:
		return "{ " + inner() + "\n}"
	case 2:
		return "! " + inner()
	case 3:
		return "if " + inner() + "\nthen " + inner() + "\nelse " + inner() + "\nfi"
	case 4:
		return "while false; do " + inner() + "\ndone"
	case 5:
		return "for " + name + " in ./b; do " + inner() + "\ndone"
	case 6:
		return "case " + g.word(depth-1) + " in " + g.one("(o*)", "one", "*", "'one'|two") + ") " + inner() + "\n;; *) " + inner() + "\n;; esac"
	case 7:
		return g.one("alpha", "f") + "() { " + inner() + "\n}; " + inner()
	case 8:
		return inner() + g.one(" > out", " >out 2>&1", " < one", " 2>/dev/null", " >&2", " <<E\n$(victim)\nE\n", " <<'E'\n$(x)\nE\n")
	case 9:
		return g.one("sh -c ", "sh -ec ", "eval ", "command eval ", "env sh -c ") + quote(inner())
	case 10:
		return `eval "` + g.plain() + "\n\""
	case 11:
		return name + "=./b; " + inner()
	case 12:
		return name + "=./b " + g.simple(depth-1)
	case 13:
		return g.one(": ${x:=one}", ": $((x=1))", ": $((PATH=1))", ": ${"+name+":=./b}", "read "+name+" <one", "export "+name+"=./b", "unset "+name, "set -- victim", "getopts x PATH", "printf -v PATH ./b", "alias alpha=victim", "((PATH=1))", "let PATH=1", "typeset PATH=./b", "hash -p ./b/alpha alpha") +
			g.one("; ", "\n", " && ") + inner()
	case 14:
		return "cd b" + g.one(" && ", "; ", "\n") + g.one("./alpha", "alpha", "../b/alpha")
	case 15:
		return "((" + inner() + "))"
	case 16:
		return "[[ " + g.word(depth-1) + g.one(" && ", " == ") + g.word(depth-1) + " ]]"
	case 17:
		return g.one("time ", "exec ", "command ", "nohup ", "nice ", "timeout 1 ", "timeout $((1)) ", "env ", "env A=$HOME ", "env A=\"$HOME\" ", "coproc ", "builtin ", "xargs <one ", "find one -exec ") + g.simple(depth-1)
	case 18:
		return "trap " + quote(inner()) + " EXIT"
	case 19:
		return "echo one | xargs -I{} " + g.simple(depth-1)
	case 20:
		return "echo " + quote(inner()) + " | sh"
	case 21:
		return `sh -c '"$@"' sh ` + g.simple(depth-1)
	case 22:
		return "alias q=" + quote(inner()) + "\nq"
	default:
		return inner() + g.one("\n", ";", " ", "\t")
	}
}

// simple returns a program with arguments, and notes what runs.
func (g *shellGrammar) simple(depth int) string {
	program := g.one("alpha", "alpha", "alpha", "beta one", "beta one", "beta two", "victim", "echo", "true", ":", "exit", "test", "[ a = a ]")
	if program == "victim" || strings.HasPrefix(program, "beta") || program == "alpha" {
		g.ran = append(g.ran, program)
	}
	if !g.bare && g.rand.IntN(8) == 0 {
		program = g.disguised(program)
	}
	for g.rand.IntN(3) == 0 {
		space := g.one(" ", " ", " ", "  ", "\t", " \\\n", " \\\n ")
		if g.bare {
			space = " "
		}
		program += space + g.word(depth)
	}
	return program
}

// disguised returns the same words in another form.
func (g *shellGrammar) disguised(words string) string {
	at := g.rand.IntN(len(words))
	if words[at] == ' ' {
		return words
	}
	before, char, after := words[:at], words[at:at+1], words[at+1:]
	return before + g.one(`\`+char, "'"+char+"'", `"`+char+`"`, "''"+char, char+`""`, "\\\n"+char, "["+char+"]", char+"$nothing", "$'"+char+"'", `$"`+char+`"`, "${none:-"+char+"}", "$(echo "+char+")", "`echo "+char+"`") + after
}

func (g *shellGrammar) word(depth int) string {
	inner := func() string {
		if depth <= 0 {
			return g.simple(0)
		}
		return g.commands(depth - 1)
	}
	if g.bare {
		return g.one("one", "two", "alpha", "victim", "-x")
	}
	switch g.rand.IntN(24) {
	case 0:
		return "$(" + inner() + "\n)"
	case 1:
		return `"$(` + inner() + "\n)\""
	case 2:
		return "`" + g.plain() + "\n`"
	case 3:
		return `"` + "`" + g.plain() + "\n`\""
	case 4:
		return g.one("$x", "$1", "$@", "$?", "$$", "$-", "${x}", "${#x}", "${x-one}", "${x:-one}", "${x+one}", "${x%.go}", "${x#*/}", `"$x"`, `"${x:-one two}"`, "${x:=one}", "${PATH:=./b}", "${PATH=./b}")
	case 5:
		quote := g.one(`"`, "")
		return "${x:-" + quote + "$(" + inner() + "\n)" + quote + "}"
	case 6:
		return g.one("$((1+1))", "$((1+(2*3)))", "$((x))", "$((PATH=1))", "$((x+=1))", "$[1]", "$[PATH=1]", "$((1?2:3))", "$((`echo 1`))", "$(($(echo 1)))")
	case 7:
		return g.one("o[n]e", "*", "~", "{one,two}", "o?e", "@(one|two)", "!(one)", "!x", "^x", "%x", "=alpha")
	case 8:
		return g.one("'a # b'", `"a # b"`, `a\ b`, `\#`, "a#b", "'a\\'", `"a\"b"`, `"a\\"`, "''", `""`, "'$(victim)'", `"\$(victim)"`, "\\`victim\\`", "ä#ö", "\u00a0", "a\u00a0#", "\u2028")
	case 9:
		return g.one("$'a'", `$"a"`, `$'a\'b'`, "$", "a$", `"a$"`, `"$ a"`, `a$"b"`, "$'")
	case 10:
		return g.one("-v", "-x", "--", "-", "'a[$(victim)]'", "'PATH=./b'", "one=two", "A=~")
	case 11:
		return g.one("<(", ">(") + inner() + ")"
	case 12:
		return g.one(`"${none:-`, `"${x-`, `"${HOME:+`, `"${x%`) + g.one("'$(", `"$(`, "'`") + g.plain() + "\n" + g.one(`)'}"`, `)"}"`, "`'}\"")
	case 13:
		return g.one("`cat <<'E'`", "$(cat <<'E')", "$(cat <<E\n)") + "\n$(" + g.plain() + "\n)\nE\n"
	default:
		return g.one("one", "two", "one", "victim", "alpha")
	}
}

// mutated changes a few characters of a command, so that also what no grammar has is tried.
func (g *shellGrammar) mutated(text string) string {
	at := g.rand.IntN(len(text) + 1)
	switch g.rand.IntN(3) {
	case 0:
		return text[:at] + g.one(" ", "\n", "\t", "\r", "\\", "\\\n", "'", `"`, "`", "$", "(", ")", "((", "))", "{", "}", ";", ";;", "&", "|", "#", " #", "!", "=", "[", "]", "<<E\n", "E\n", "\x01", "\x7f", "\u0085", "in", "do", "done", "esac", "fi", "$(", "${", "$((") + text[at:]
	case 1:
		end := min(len(text), at+1+g.rand.IntN(4))
		return text[:at] + text[end:]
	default:
		other := g.commands(1)
		return text[:at] + other + text[at:]
	}
}

// quote makes a text one word.
func quote(text string) string {
	return fmt.Sprintf("'%s'", strings.ReplaceAll(text, "'", `'\''`))
}
