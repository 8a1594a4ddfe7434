package shell

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// builtins are the names that a shell does not look up on PATH, sorted: its builtins, reserved words and aliases. They are
// what bash 5.2 (compgen -b -k), zsh 5.9 (its parameters builtins, reswords and aliases), ksh93u+m 1.0.4 (builtin, alias),
// mksh and lksh R59 (alias, and their manual), busybox 1.35 (help), and the manuals of dash 0.5.12, yash 2.52 and
// posh 0.14 list, without those that no plain command can begin with.
var builtins = []string{
	".", ":", "[", "alarm", "alias", "array", "autoload", "bg", "bind", "bindkey", "break", "builtin", "bye", "caller",
	"case", "cat", "cd", "chdir", "command", "compadd", "comparguments", "compcall", "compctl", "compdescribe",
	"compfiles", "compgen", "compgroups", "complete", "compopt", "compound", "compquote", "compset", "comptags",
	"comptry", "compvalues", "continue", "coproc", "declare", "dirs", "disable", "disown", "do", "done", "echo",
	"echotc", "echoti", "elif", "else", "emulate", "enable", "end", "enum", "esac", "eval", "exec", "exit", "export",
	"false", "fc", "fg", "fi", "float", "for", "foreach", "function", "functions", "getln", "getopts", "global", "hash",
	"help", "hist", "history", "if", "in", "integer", "jobs", "kill", "let", "limit", "local", "log", "login", "logout",
	"mapfile", "mknod", "nameref", "namespace", "nocorrect", "noglob", "nohup", "popd", "print", "printf", "private",
	"pushd", "pushln", "pwd", "r", "read", "readarray", "readonly", "realpath", "redirect", "rehash", "rename",
	"repeat", "return", "run-help", "sched", "select", "set", "setopt", "shift", "shopt", "sleep", "source", "stop",
	"suspend", "test", "then", "time", "times", "trap", "true", "ttyctl", "type", "typeset", "ulimit", "umask",
	"unalias", "unfunction", "unhash", "unlimit", "unset", "unsetopt", "until", "vared", "wait", "whence", "where",
	"which", "which-command", "while", "zcompile", "zformat", "zle", "zmodload", "zparseopts", "zregexparse", "zstyle",
}

// prefixes are the builtins and reserved words that run their words, which may be a builtin with its words.
var prefixes = []string{
	"builtin", "command", "coproc", "exec", "if", "nocorrect", "noglob", "nohup", "repeat", "time", "until", "while",
}

// readers are the builtins that read their words as the text of a command, or expand them as zsh does the text of a
// prompt, which comes after the escapes: print -P '\x24(x)'.
var readers = []string{
	"compgen", "emulate", "eval", "fc", "hist", "jobs", "mapfile", "print", "readarray", "sched", "trap", "zregexparse",
}

// runOption returns the letter of the option by which a builtin of bash runs a command that is among its words, or loads a library; empty
// if it has none.
func runOption(builtin string) string {
	switch builtin {
	case "compgen", "mapfile", "readarray":
		return "C"
	case "enable":
		return "f"
	case "jobs":
		return "x"
	}
	return ""
}

// programOf returns the program that an alias runs which a shell has when it starts, if that is another one than the rule names; else it is
// empty. Only zsh 5.9 has one (alias), and no shell has a function by default.
func programOf(alias string) string {
	if alias == "run-help" {
		return "man"
	}
	return ""
}

// aliases are what zsh and the Korn shells take for something else at the beginning of a command, and after the aliases command
// and nohup too, so that these are given the words of the alias.
var aliases = []string{
	"autoload", "compound", "float", "functions", "hash", "history", "integer", "local", "login", "nameref", "r",
	"redirect", "run-help", "source", "stop", "suspend", "times", "type", "which-command",
}

// evaluated says why the words of a builtin are not plain although they are quoted. A builtin evaluates more than it
// shows: a subscript in a name (printf -v 'a[$(x)]'), arithmetic (test 1 -lt 'a[$(x)]'), and the values of an array
// (declare -a 'a=(<(x))').
func evaluated(words []string) string {
	first := words[0]
	if program := programOf(first); program != "" {
		return fmt.Sprintf("%s is an alias for %s in some shells", first, program)
	}
	if _, is := slices.BinarySearch(builtins, first); !is {
		return ""
	}
	isPrefix := slices.Contains(prefixes, first)
	reads := slices.Contains(readers, first) || isPrefix && slices.ContainsFunc(words, isReader)
	for _, w := range words[1:] {
		if mark := evaluatedPart(w, reads); mark != "" {
			return fmt.Sprintf("%s is built into shells and may evaluate %q even in quotes", first, mark)
		}
	}
	at := 0 // of the builtin behind the prefixes
	for i := 1; isPrefix && i < len(words); i++ {
		switch w := words[i]; {
		case words[i-1] == "repeat", strings.HasPrefix(w, "-"):
		case strings.Contains(w, "="):
			return assigns
		case slices.Contains(aliases, w):
			return w + " may be an alias there"
		default:
			at, isPrefix = i, slices.Contains(prefixes, w)
		}
	}
	if letter := runOption(words[at]); letter != "" {
		for _, w := range words[at+1:] {
			if strings.HasPrefix(w, "-") && strings.Contains(w, letter) {
				return fmt.Sprintf("%s -%s runs another command in some shells", words[at], letter)
			}
		}
	}
	return ""
}

func isReader(word string) bool { return slices.Contains(readers, word) }

// evaluatedPart returns what a builtin may evaluate in a word; of one that reads it as a command, that is whatever is
// not plain without quotes in every place.
func evaluatedPart(word string, reads bool) string {
	if at := strings.IndexAny(word, "$`"); at >= 0 {
		return word[at : at+1]
	}
	for _, before := range []string{"<", ">", "="} { // the substitutions of processes
		if strings.Contains(word, before+"(") {
			return before + "("
		}
	}
	if _, subscript, found := strings.Cut(word, "["); found && strings.Contains(subscript, "(") {
		return "["
	}
	for _, r := range word {
		if reads && r != ' ' && (r >= utf8.RuneSelf || !bare(byte(r), "")) {
			return string(r)
		}
	}
	return ""
}
