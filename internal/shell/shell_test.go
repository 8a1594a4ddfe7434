package shell

import (
	"strings"
	"testing"
)

// shown writes a command as its parts, for comparison. A word that is not known ends in …, or in …… where it may
// become several; after @ follow the commands that a part runs, with ? if there may be others.
func shown(c Command) string {
	s := parts(c.Parts)
	if c.Doubt != "" {
		s += " !"
	}
	return strings.TrimSpace(s)
}

func parts(list []Part) string {
	var out []string
	for _, p := range list {
		var words []string
		for _, w := range p.Words {
			text := w.Text
			switch {
			case w.Several:
				text += "……"
			case !w.Known:
				text += "…"
			}
			words = append(words, text)
		}
		s := strings.Join(words, "_")
		if p.Hidden {
			s += "?"
		}
		if len(p.Runs) > 0 {
			s += "@(" + parts(p.Runs) + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestParsedCommands(t *testing.T) {
	for command, want := range map[string]string{
		"git status":                   "git_status",
		"git status && ls -rf x; ls":   "git_status ls_-rf_x ls",
		"a || b & c | d":               "a b c d",
		"echo $(rm x) `ls`":            "echo_……_…… rm_x ls",
		`echo "a $(curl b)"`:           "echo_a … curl_b",
		"(cd x; make)":                 "cd_x make",
		"{ a; }":                       "a",
		"if a; then b; else c; fi":     "a b c",
		"for i in $(a); do b $i; done": "a b_…… !",
		"while a; do b; done":          "a b",
		"case $(a) in x) b;; esac":     "a b",
		"f() { rm x; }; f":             "rm_x f !",
		"! a":                          "a",
		"A=1 b":                        "b !",
		"A=$(b) c":                     "c b !",
		"a > f":                        "a !",
		"a 2>&1":                       "a !",
		"a <<E\n$(b)\nE":               "a b !",
		"$CMD x":                       "……_x",
		`g"i"t 'st'atus`:               "git_status",
		`\rm x\ y`:                     "rm_x y",
		"ls a*.go":                     "ls_a……",
		"~/bin/a b":                    "……_b",
		"a $((1+1))":                   "a_……",
		`a "x$b" "$@" "${c:-d}"`:       "a_x…_……_……",
		"[ -f x ]":                     "[_-f_x_]",
		"":                             "",
		"sudo -u a rm x":               "sudo_-u_a_rm_x@(-u_a_rm_x a_rm_x rm_x x)",
		"sh -ec 'a; b x'":              "sh_-ec_a; b x@(a b_x -ec_a; b x a; b x)",
		"a | sh":                       "a sh?",
		"set -|- a b":                  "set_- -_a_b@(a_b b) !",
		"sh file":                      "sh_file@(file)",
		`sh -c "$x"`:                   "sh_-c_…?@(-c_… …)",
		"find . -exec rm {} +":         "find_._-exec_rm_{}_+@(rm_{}_+)",
		`find "$d" -name x`:            "find_…_-name_x@(-name_x)",
		"xargs -I% a %":                "xargs_-I%_a_%@(-I…_a_…_…… a_…_…… …_……)",
		"eval 'a;' b":                  "eval_a;_b@(a a b b b a;_b b) !",
		"sh -c 'sudo sh -c a'":         "sh_-c_sudo sh -c a@(sudo_sh_-c_a@(sh_-c_a@(a) -c_a a) -c_sudo sh -c a sudo sh -c a)",
	} {
		if c := Parse(command); shown(c) != want || c.Unreadable != "" {
			t.Errorf("%q: got %q, want %q (%s)", command, shown(c), want, c.Unreadable)
		}
	}
}

func TestUnparsableCommands(t *testing.T) {
	for _, command := range []string{
		"a (", "echo 'x", "diff <(a) <(b)", "if a", "a &&", "[[ a ]] && (", "$(", "a \x00 ;; b", "a\r", "a \x1b b", "a \x7f", "a \xff",
		"a # b \\\nrm x", "a # \\", "echo `a \\` b`", "a\\\nb", "a $\\\n(b)", `a b\`, `a | sh\`,
		"((a))", "((a); b)", "(( 'a[$(b)]' ))", "unset 'a[0+$(b)]'", "test -v 'a[`b`]'", "$'rm' x", "a $'b\\'c'; rm 'x'",
		`a "${x:-'$(b)'}"`, `a "${x:+${y:-'$(b)'}}"`, `a "${x%'$(b)'}"`, `a "${x:-"b"}"`, "a <<E\n${x:-'$(b)'}\nE\n",
		"a `b <<'E'` c\n$(d)\nE\n", "a $(b <<'E') c\n$(d)\nE\n",
	} {
		if c := Parse(command); c.Unreadable == "" {
			t.Errorf("%q: got %s", command, shown(c))
		}
	}
	for _, command := range []string{"a # b", "( (a) )", "echo \"[$(date)] a\"", "a \\\n b", "\\\na", "a\tb\nc", "a \"$(b <<'E'\nc\nE\n)\""} {
		if c := Parse(command); c.Unreadable != "" {
			t.Errorf("%q: %s", command, c.Unreadable)
		}
	}
}

// TestVisiblePartsOfBashCommands finds what can be seen of a command that is no POSIX shell, so that it can be denied.
func TestVisiblePartsOfBashCommands(t *testing.T) {
	if c := Parse("diff <(rm x) <(b)"); c.Unreadable == "" || shown(c) != "diff_……_…… rm_x b !" {
		t.Errorf("got %s, %q", shown(c), c.Unreadable)
	}
}

func TestDoubtfulConstructs(t *testing.T) {
	for _, command := range []string{
		"for PATH in b; do a; done", "a $((PATH=1))", "a $((PATH))", "a ${PATH:=b}", "a ${PATH=b}", "PATH=b", "PATH=b a", "read PATH", "export PATH=b",
		"getopts x PATH", "printf -v PATH b", "printf -vPATH b", `printf "$x"`, "a() { b; }", "alias a=b", "set -- b", "(PATH=b; a)", "unset PATH", "shift",
		". ./b", "eval a", "trap a EXIT", "local a", "declare a", "readonly a", "exec a", "command a", "wait -p PATH", "mapfile", "select x", "coproc a",
		"hash -p b a", "enable -f b a", "((PATH=1))", "(((PATH)))", "test -v 'a[$(b)]'", `[ "$x" ]`, "a $[PATH=1]", `a "$[PATH=1]"`, "a $'b'", `a $"b"`,
		"a < b", "cd b && ./a", "$((1)) && ${x:=y}", `"${PATH:=b}"`, "case ${x:=y} in a) b;; esac", "a ${x#${PATH:=b}}", "exit $x", "let PATH=1", "shopt -s x",
	} {
		if c := Parse(command); c.Doubt == "" && c.Unreadable == "" {
			t.Errorf("%q: %s", command, shown(c))
		}
	}
	for _, command := range []string{
		"a", "a && b || c | d & e", "if a; then b; elif c; then d; fi", "until a; do b; done", "case $x in a|b*) c;; *) d;; esac", "(a; b)", "{ a; }",
		`a "${x:-y}" $1 "$@" $? ${#x} ${x%.go} ${x##*/} ${x?no}`, "a $((1+2*(3-4)))", "a $(b) `c`", `grep "x$" y$`, `echo "a $ b"`, "cd a && b", "printf '%s\\n' a",
		"test -f a && [ a = b ]", "exit 1", "command -v a", "! a", "a # b", "echo a; true; false; :; pwd",
	} {
		if c := Parse(command); c.Doubt != "" || c.Unreadable != "" {
			t.Errorf("%q: %s%s", command, c.Doubt, c.Unreadable)
		}
	}
}

// TestManyNestedCommands bounds the work: a command in a command in a command may be read again from each word on.
func TestManyNestedCommands(t *testing.T) {
	c := Parse(strings.Repeat("sudo eval ", 500) + "rm x")
	if !strings.Contains(shown(c), "?") {
		t.Error("nothing is hidden")
	}
}

// FuzzParse must end, and find the first program of a command that begins with one.
func FuzzParse(f *testing.F) {
	f.Add("; rm x | $(a) > b")
	f.Fuzz(func(t *testing.T, rest string) {
		c := Parse("rm -rf x; " + rest)
		if c.Unreadable == "" && (len(c.Parts) == 0 || !c.Parts[0].is("rm")) {
			t.Fatalf("%q: %s", rest, shown(c))
		}
	})
}
