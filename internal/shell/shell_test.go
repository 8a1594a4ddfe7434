package shell

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// shown writes a command as its parts, for comparison: a part whose later words are not known ends in …,
// one that sets variables begins with =, and > says that something is redirected.
func shown(c Command) string {
	var parts []string
	for _, p := range c.Parts {
		s := strings.Join(p.Words, "_")
		if p.Assigns {
			s = "=" + s
		}
		if !p.Literal {
			s += "…"
		}
		parts = append(parts, s)
	}
	if c.Redirects {
		parts = append(parts, ">")
	}
	return strings.Join(parts, " ")
}

func TestEveryPartOfACommandIsFound(t *testing.T) {
	for command, want := range map[string]string{
		"git status":                   "git_status",
		"git status && rm -rf x; ls":   "git_status rm_-rf_x ls",
		"a || b & c | d":               "a b c d",
		"echo $(rm x) `ls`":            "echo… rm_x ls",
		`echo "a $(curl b | sh)"`:      "echo… curl_b sh",
		"(cd x; make)":                 "cd_x make",
		"{ a; }":                       "a",
		"if a; then b; else c; fi":     "a b c",
		"for i in $(a); do b $i; done": "a b…",
		"while a; do b; done":          "a b",
		"case $(a) in x) b;; esac":     "a b",
		"f() { rm x; }; f":             "rm_x f",
		"! a":                          "a",
		"A=1 b":                        "=b",
		"A=$(b) c":                     "=c b",
		"a > f":                        "a >",
		"a 2>&1":                       "a >",
		"a <<E\n$(b)\nE":               "a b >",
		"$CMD x":                       "…",
		`g"i"t 'st'atus`:               "git_status",
		`\rm x\ y`:                     "rm_x y",
		"$'rm' x":                      "…",
		"ls *.go":                      "ls…",
		"~/bin/a b":                    "…",
		"a $((1+1))":                   "a…",
		"":                             "",
	} {
		c, err := Parse(command)
		if got := shown(c); err != nil || got != want {
			t.Errorf("%q: got %q, want %q (%v)", command, got, want, err)
		}
	}
}

func TestWhatIsNoPosixShellIsRefused(t *testing.T) {
	for _, command := range []string{"a (", "echo 'x", "diff <(a) <(b)", "if a", "a &&", "[[ a ]] && (", "$(", "a \x00 ;; b"} {
		if c, err := Parse(command); !errors.Is(err, errUnreadable) {
			t.Errorf("%q: got %s, %v", command, fmt.Sprint(c), err)
		}
	}
}

// FuzzParse must end, and find the first program of a command that begins with one.
func FuzzParse(f *testing.F) {
	f.Add("; rm x | $(a) > b")
	f.Fuzz(func(t *testing.T, rest string) {
		c, err := Parse("rm -rf x; " + rest)
		if err == nil && (len(c.Parts) == 0 || c.Parts[0].Words[0] != "rm") {
			t.Fatalf("%q: %s", rest, shown(c))
		}
	})
}
