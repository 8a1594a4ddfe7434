package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Programs that take code in a language of their own run commands by it which cannot be seen.

// bringsCode reports whether a program gets such code with its arguments or from its input. The file of a script
// is none: as with any other program, a rule is about its name.
func bringsCode(call []Word) bool {
	args := call[1:]
	switch name := strings.TrimRight(path.Base(call[0].Text), ".0123456789"); name {
	case "perl", "ruby", "lua", "luajit", "Rscript", "osascript", "julia", "elixir":
		return interprets(args, "eE")
	case "node", "nodejs", "bun", "deno":
		return interprets(args, "ep")
	case "php":
		return interprets(args, "rBRE")
	case "python", "pypy":
		if at := slices.Index(args, Word{Text: "-m", Known: true}); at >= 0 {
			args = args[:at+1] // what follows is for the module
			return interprets(append(slices.Clone(args), Word{Text: "module", Known: true}), "c")
		}
		return interprets(args, "c")
	case "pwsh", "powershell":
		return true
	case "awk", "gawk", "mawk", "nawk":
		return matches(args, `system|getline|@|(^|[^|])\|([^|]|$)`)
	case "sed", "gsed": // the command e, and the flag e of s
		return matches(args, `(^|[^A-Za-z])[gpiImMw0-9]*e([;}\n ]|$)`)
	case "git":
		return gitRuns(args)
	}
	return false
}

// interprets reports code in an option with one of some letters, or in the input, where no script is named.
// A word behind an option may be its value.
func interprets(args []Word, letters string) bool {
	script := false
	for i, w := range args {
		option := len(w.Text) > 1 && w.Text[0] == '-'
		long := strings.HasPrefix(w.Text, "--")
		switch {
		case !w.Known && w.Text == "", w.Text == "-", w.Text == "eval" && i == 0,
			long && (strings.HasPrefix(w.Text, "--eval") || strings.HasPrefix(w.Text, "--print")),
			option && !long && strings.ContainsAny(w.Text, letters):
			return true
		case option:
			script = script || long || w.Text == "-V" || w.Text == "-v" || w.Text == "-h"
		case i == 0 || !strings.HasPrefix(args[i-1].Text, "-"):
			return false
		default:
			script = true
		}
	}
	return !script
}

// matches reports code in the words of a program that takes its script as one of them.
func matches(args []Word, pattern string) bool {
	code := regexp.MustCompile(pattern)
	return slices.ContainsFunc(args, func(w Word) bool {
		return w.Known && !strings.HasPrefix(w.Text, "-") && code.MatchString(w.Text)
	})
}

// gitRuns reports what makes git run commands: an alias or another setting of one command, and
// sub-commands that are made for it.
func gitRuns(args []Word) bool {
	for i, w := range args {
		switch {
		case i > 0 && slices.Contains([]string{"-C", "--git-dir", "--work-tree", "--namespace"}, args[i-1].Text):
		case w.Text == "-c" && i+1 < len(args):
			section, _, _ := strings.Cut(args[i+1].Text, ".")
			if !slices.Contains([]string{"advice", "author", "color", "column", "committer", "init", "safe", "user"}, section) {
				return true
			}
		case i > 0 && args[i-1].Text == "-c":
		case strings.HasPrefix(w.Text, "--config-env"), strings.HasPrefix(w.Text, "--exec-path="):
			return true
		case !strings.HasPrefix(w.Text, "-"):
			return gitSub(w.Text, args[i+1:])
		}
	}
	return false
}

func gitSub(name string, args []Word) bool {
	return slices.ContainsFunc(args, func(w Word) bool {
		switch name {
		case "config":
			return strings.HasPrefix(w.Text, "alias.") || strings.HasPrefix(w.Text, "core.")
		case "submodule", "bisect":
			return w.Text == "foreach" || w.Text == "run"
		case "rebase", "difftool":
			return strings.HasPrefix(w.Text, "-x") || strings.HasPrefix(w.Text, "--ex")
		}
		return name == "filter-branch" || name == "for-each-repo"
	})
}
