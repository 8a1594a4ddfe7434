package shell

import (
	"reflect"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	setsVariable = "a variable is set, which may change what the programs are"
	otherShells  = "it holds a construct that shells do not agree on"
)

// doubt reports why a construct may do more than run its simple commands, or nothing for those known to be harmless.
func doubt(n syntax.Node) string {
	known := false
	switch n := n.(type) {
	case nil, *syntax.File, *syntax.Comment, *syntax.Lit, *syntax.SglQuoted, *syntax.Block, *syntax.Subshell,
		*syntax.IfClause, *syntax.WhileClause, *syntax.CaseItem:
		known = true
	case *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		known = true // the expression that they are part of is judged as a whole
	case *syntax.Stmt:
		known = !n.Coprocess && !n.Disown
	case *syntax.BinaryCmd:
		known = slices.Contains([]syntax.BinCmdOperator{syntax.AndStmt, syntax.OrStmt, syntax.Pipe}, n.Op)
	case *syntax.CaseClause:
		known = !n.Braces
	case *syntax.CmdSubst:
		known = !n.TempFile && !n.ReplyVar
	case *syntax.Word:
		known = !foreignDollar(n.Parts)
	case *syntax.DblQuoted:
		known = !foreignDollar(n.Parts)
	case *syntax.ParamExp:
		if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			return setsVariable
		}
		known = plainExpansion(n)
	case *syntax.ArithmExp:
		// A variable in it may hold an expression, which assigns or, in bash, runs a command.
		if !constant(n.X) {
			return setsVariable
		}
		known = !n.Bracket && !n.Unsigned
	case *syntax.Redirect:
		return "its input or output goes elsewhere"
	case *syntax.Assign, *syntax.ForClause, *syntax.WordIter, *syntax.DeclClause:
		return setsVariable
	case *syntax.FuncDecl:
		return "a function takes the place of a program"
	case *syntax.CallExpr:
		if name := changesShell(n); name != "" {
			return name + " changes the shell that runs the rest"
		}
		known = true
	}
	if !known {
		return otherShells
	}
	return ""
}

// foreignDollar reports a dollar sign that belongs to no expansion, unless it ends the text or a blank follows:
// $'…', $[…] and $"…" mean something in some shells.
func foreignDollar(parts []syntax.WordPart) bool {
	pending := false
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			if pending {
				return true
			}
			continue
		}
		for at := 0; at < len(lit.Value); at++ {
			if pending && lit.Value[at] != ' ' {
				return true
			}
			if pending = lit.Value[at] == '$'; lit.Value[at] == '\\' {
				at++
			}
		}
	}
	return false
}

// plainExpansion reports an expansion that only reads a variable, in a form that every shell knows.
func plainExpansion(p *syntax.ParamExp) bool {
	if p.Param == nil || !plainName(p.Param.Value) {
		return false
	}
	if p.Exp != nil && !slices.Contains([]syntax.ParExpOperator{
		syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull,
		syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix,
	}, p.Exp.Op) {
		return false
	}
	// Whatever else an expansion may have, also one day, is not plain.
	plain := syntax.ParamExp{Dollar: p.Dollar, Rbrace: p.Rbrace, Short: p.Short, Length: p.Length, Param: p.Param, Exp: p.Exp}
	return reflect.DeepEqual(*p, plain)
}

// plainName reports the name of a variable, or one of the shell's own.
func plainName(s string) bool {
	if len(s) == 1 && strings.Contains("@*#?-$!0123456789", s) {
		return true
	}
	return s != "" && (s[0] < '0' || s[0] > '9') && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// constant reports an arithmetic expression of numbers alone.
func constant(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		return constant(x.X) && constant(x.Y)
	case *syntax.UnaryArithm:
		return constant(x.X)
	case *syntax.ParenArithm:
		return constant(x.X)
	case *syntax.Word:
		return strings.Trim(x.Lit(), "0123456789") == "" && x.Lit() != ""
	}
	return false
}

// changesShell returns the name of a command that may change how the shell runs the rest:
// every command that is built into a shell, except for those known only to print, to test or to end.
func changesShell(call *syntax.CallExpr) string {
	if len(call.Args) == 0 {
		return ""
	}
	words := make([]Word, len(call.Args))
	for i, a := range call.Args {
		words[i] = word(a.Parts)
	}
	name := words[0].Text
	if !words[0].Known || !builtIn(name) {
		return ""
	}
	switch name {
	case "command":
		if len(words) > 1 && (words[1].Text == "-v" || words[1].Text == "-V") && words[1].Known {
			return ""
		}
	case "printf":
		if len(words) > 1 && words[1].Known && !strings.HasPrefix(words[1].Text, "-") {
			return ""
		}
	case "exit":
		if len(words) == 1 || len(words) == 2 && words[1].Known && strings.Trim(words[1].Text, "0123456789") == "" {
			return ""
		}
	case "test", "[":
		// In bash, -v and its like evaluate the index of an array, with the commands in it.
		if !slices.ContainsFunc(words[1:], func(w Word) bool { return !w.Known || strings.ContainsAny(w.Text, "[`$") }) {
			return ""
		}
	}
	return name
}

// builtIn reports the commands that are built into sh, dash, bash, ksh, mksh, zsh or busybox and are not known to be
// harmless whatever their arguments are, as :, cd, echo, false, kill, pwd, true, type, ulimit and umask are.
// cd is judged with the programs that it concerns.
func builtIn(name string) bool {
	switch name {
	case ".", "[", "[[", "alias", "autoload", "bg", "bind", "bindkey", "break", "builtin", "bye", "caller", "chdir", "command", "compadd",
		"compgen", "complete", "compopt", "continue", "coproc", "declare", "dirs", "disable", "disown", "emulate", "enable", "eval", "exec", "exit",
		"export", "fc", "fg", "float", "function", "functions", "getopts", "global", "hash", "help", "hist", "history", "integer",
		"jobs", "let", "limit", "local", "logout", "mapfile", "namespace", "nameref", "nocorrect", "noglob", "popd", "print", "printf", "pushd",
		"read", "readarray", "readonly", "rehash", "rename", "repeat", "return", "sched", "select", "set", "setopt", "shift", "shopt",
		"source", "suspend", "test", "time", "times", "trap", "typeset", "unalias", "unfunction", "unhash", "unlimit", "unset", "unsetopt", "vared",
		"wait", "whence", "where", "zcompile", "zformat", "zle", "zmodload", "zparseopts", "zstyle":
		return true
	}
	return false
}
