package shell

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string][]string{
		"git status":                     {"git", "status"},
		"\t git  status\t-s ":            {"git", "status", "-s"},
		`git commit -m "fix: it's done"`: {"git", "commit", "-m", "fix: it's done"},
		`x --message="fix it"`:           {"x", "--message=fix it"},
		"git show HEAD~1 HEAD^":          {"git", "show", "HEAD~1", "HEAD^"},
		"go test -run 'TestX$' ./...":    {"go", "test", "-run", "TestX$", "./..."},
		"cat '/a b/c' \"d e\"/f":         {"cat", "/a b/c", "d e/f"},
		"x a@b:c,d%e+f=g_h-1.2/3":        {"x", "a@b:c,d%e+f=g_h-1.2/3"},
		`g"i"t 'st'atus`:                 {"git", "status"},
		`x '' ""`:                        {"x", "", ""},
		"x 'ä' \"€ # * ; > ( { [\"":      {"x", "ä", "€ # * ; > ( { ["},
		"x '$a `b` \\ ! \"'":             {"x", "$a `b` \\ ! \""},
		"./printf '$a'":                  {"./printf", "$a"},
		"printf '%s (b) [a]\\n' ']'":     {"printf", "%s (b) [a]\\n", "]"},
		"echo 'a; b' 'x (y)'":            {"echo", "a; b", "x (y)"},
		"command git status":             {"command", "git", "status"},
		"eval 'a b'":                     {"eval", "a b"},
		"trap - EXIT":                    {"trap", "-", "EXIT"},
		"print -l 'a b'":                 {"print", "-l", "a b"},
		"time make A=1":                  {"time", "make", "A=1"},
		"time git log '--format=a;b'":    {"time", "git", "log", "--format=a;b"},
		"nohup git hash":                 {"nohup", "git", "hash"},
		"jobs -l":                        {"jobs", "-l"},
		"time make jobs -x":              {"time", "make", "jobs", "-x"},
		"git -x jobs":                    {"git", "-x", "jobs"},
	} {
		if words, why := Plain(text); why != "" || !slices.Equal(words, want) {
			t.Errorf("%q: got %q, %s", text, words, why)
		}
	}
}

func TestNotPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":             "it is empty",
		" \t":          "it is empty",
		"a; b":         "';' is not plain there",
		"a\nb":         `'\n' is not plain there`,
		"a\rb":         `'\r' is not plain there`,
		"a \\b":        `'\\' is not plain there`,
		"a $b":         "'$' is not plain there",
		"a >b":         "'>' is not plain there",
		"a #b":         "'#' is not plain there",
		"a b*":         "'*' is not plain there",
		"a {b,c}":      "'{' is not plain there",
		"a !b":         "'!' is not plain there",
		"a ä":          "'ä' is not plain there",
		"a\u00a0b":     `'\u00a0' is not plain there`,
		"a ~":          "'~' is not plain there",
		"a ^b":         "'^' is not plain there",
		"a =ls":        "'=' is not plain there",
		"a b=~/c":      "'~' is not plain there",
		"a b:~":        "'~' is not plain there",
		"a ''=b":       "'=' is not plain there",
		"A=1 b":        "it begins with an assignment",
		`"A"=1 b`:      "it begins with an assignment",
		"-x":           "it begins with an option",
		"'+x' y":       "it begins with an option",
		"a 'b":         "a quotation mark is not closed",
		`a "b`:         "a quotation mark is not closed",
		`a "$b"`:       "'$' is not plain in double quotes",
		`a "b\c"`:      `'\\' is not plain in double quotes`,
		`a "b!"`:       "'!' is not plain in double quotes",
		"a \"`b`\"":    "'`' is not plain in double quotes",
		"a 'b\nc'":     `'\n' is not printable`,
		"a 'b\tc'":     `'\t' is not printable`,
		"a 'b\u200bc'": `'\u200b' is not printable`,
		"a \xff":       "it is not UTF-8",

		"printf -v 'a[$(b)]' c":     "printf is built into shells and may evaluate \"$\" even in quotes",
		"'test' -v 'a[`b`]'":        "test is built into shells and may evaluate \"`\" even in quotes",
		"'[' -v 'a[<(b)]' ']'":      "[ is built into shells and may evaluate \"<(\" even in quotes",
		"read 'a[(b)]'":             "read is built into shells and may evaluate \"[\" even in quotes",
		"declare -a 'a=(b)'":        "declare is built into shells and may evaluate \"=(\" even in quotes",
		"compgen -W '<(b)'":         "compgen is built into shells and may evaluate \"<(\" even in quotes",
		"eval git 'a; b'":           "eval is built into shells and may evaluate \";\" even in quotes",
		"time eval 'a; b'":          "time is built into shells and may evaluate \";\" even in quotes",
		"eval 'a*'":                 "eval is built into shells and may evaluate \"*\" even in quotes",
		"trap '\\a' EXIT":           "trap is built into shells and may evaluate \"\\\\\" even in quotes",
		"eval \"a 'b'\"":            "eval is built into shells and may evaluate \"'\" even in quotes",
		"eval A=1 b":                "eval is built into shells and may evaluate \"=\" even in quotes",
		"eval 'ä'":                  "eval is built into shells and may evaluate \"ä\" even in quotes",
		`print -P '\x24(b)'`:        "print is built into shells and may evaluate \"\\\\\" even in quotes",
		`builtin print -P '\44(b)'`: "builtin is built into shells and may evaluate \"\\\\\" even in quotes",
		"time A=1 b":                "it begins with an assignment",
		"time -p time A=1 b":        "it begins with an assignment",
		"coproc PATH=a b":           "it begins with an assignment",
		"repeat 1+1 A=1 b":          "it begins with an assignment",
		"nohup type a":              "type may be an alias there",
		"command hash":              "hash may be an alias there",
		"jobs -x a":                 "jobs -x runs another command in some shells",
		"'jobs' -lx a":              "jobs -x runs another command in some shells",
		"time -p builtin jobs -x a": "jobs -x runs another command in some shells",
		"compgen -C a":              "compgen -C runs another command in some shells",
		"compgen -Ca":               "compgen -C runs another command in some shells",
		"mapfile -t -C a -c 1":      "mapfile -C runs another command in some shells",
		"readarray -C a":            "readarray -C runs another command in some shells",
		"enable -f ./a.so b":        "enable -f runs another command in some shells",
		"a 'b\x00'":                 `'\x00' is not printable`,
	} {
		if words, why := Plain(text); why != want {
			t.Errorf("%q: got %q, %q, want %q", text, words, why, want)
		}
	}
}

// TestPlainCharacters tries every ASCII character, and some others, at the start of a word, within it, and in both kinds of quotes.
func TestPlainCharacters(t *testing.T) {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,/:@%+"
	characters := []rune{'ä', '€', '\u00a0', '\u2003', '\u200b', '\u3000', '\ufeff', '中', '😀'}
	for r := range rune(utf8.RuneSelf) {
		characters = append(characters, r)
	}
	printable := func(r rune) bool { return r == ' ' || unicode.IsGraphic(r) && unicode.IsPrint(r) }
	for _, r := range characters {
		first := strings.ContainsRune(bare+" \t", r)
		for _, c := range []struct {
			text string
			want bool
		}{
			{"x " + string(r) + "b", first},
			{"x a" + string(r) + "b", first || strings.ContainsRune("=~^", r)},
			{"x a" + string(r), first || strings.ContainsRune("=~^", r)},
			{`x "a` + string(r) + `b"`, printable(r) && !strings.ContainsRune("$`\\!\"", r)},
			{"x 'a" + string(r) + "b'", printable(r) && r != '\''},
		} {
			if _, why := Plain(c.text); (why == "") != c.want {
				t.Errorf("%q: %q, want plain %v", c.text, why, c.want)
			}
		}
	}
}

// TestBuiltinsAreSorted guards the search in the table.
func TestBuiltinsAreSorted(t *testing.T) {
	for i, name := range builtins {
		if i > 0 && builtins[i-1] >= name {
			t.Errorf("%s stands before %s", builtins[i-1], name)
		}
	}
	for _, name := range slices.Concat(prefixes, readers) {
		if !slices.Contains(builtins, name) {
			t.Errorf("%s is not in the table of builtins", name)
		}
	}
}

func TestNearest(t *testing.T) {
	for text, want := range map[string][2]string{
		"ls *.go":              {"ls '*.go'", "ls"},
		"npm run test:*":       {"npm run 'test:*'", "npm run"},
		"go test -run ^X$":     {"", "go test -run"},
		"git log > x":          {"", "git log"},
		"git log && ls":        {"", "git log"},
		"git log; ls":          {"", "git"},
		"find . -name 'a b' *": {"", "find . -name"},
		"ls ~ =a ä":            {"ls '~' '=a' 'ä'", "ls"},
		"~/bin/x":              {"'~/bin/x'", ""},
		"A=1 make":             {"", ""},
		"$X":                   {"", ""},
		"":                     {"", ""},
	} {
		quoted, beginning := NearestPlain(text)
		if got := [2]string{quoted, beginning}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		for _, s := range []string{quoted, beginning} {
			if _, why := Plain(s); s != "" && why != "" {
				t.Errorf("%q: %q is not plain: %s", text, s, why)
			}
		}
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		text, words string
		want        bool
	}{
		{"rm x", "rm", true},
		{"rmdir x", "rm", false},
		{"alarm", "rm", false},
		{"x-rm rm-x rm_x x_rm rm1 1rm ärm", "rm", false},
		{"alarm rm", "rm", true},
		{"/bin/rm", "rm", true},
		{"a;rm;b", "rm", true},
		{"'rm'", "rm", true},
		{"$(rm)", "rm", true},
		{"find . -exec env RM {} +", "rm", true},
		{"do not push to git", "git push", false},
		{"git -C . push", "git push", true},
		{"gitpush", "git push", false},
		{"git", "git git", false},
		{"git git", "git git", true},
		{"rm -rf /", "rm -rf", true},
		{"rm --rf", "rm -rf", false},
		{"", "rm", false},
	} {
		if got := MentionsWords(c.text, strings.Fields(c.words)); got != c.want {
			t.Errorf("%q in %q: got %v", c.words, c.text, got)
		}
	}
}

// TestPlainWordsAreMentioned quotes words at random. Plain must return the words, and Mentions must find them.
func TestPlainWordsAreMentioned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9_.,/][a-z0-9_.,/:@%+ -]{0,5}`), 1, 4).Draw(t, "words")
		quoted := make([]string, len(words))
		for i, w := range words {
			mark := rapid.SampledFrom([]string{"'", `"`}).Draw(t, "mark")
			quoted[i] = mark + w + mark
		}
		text := strings.Join(quoted, rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(t, "blank"))
		got, why := Plain(text)
		if why != "" || !slices.Equal(got, words) {
			t.Fatalf("%q: got %q, %s", text, got, why)
		}
		if !MentionsWords(text, words) {
			t.Fatalf("%q is not mentioned in %q", words, text)
		}
	})
}

// FuzzPlain looks for a command that is read as words that are not in it, or as other words after they were quoted again.
func FuzzPlain(f *testing.F) {
	f.Add(`git commit -m "it's" 'x y'`)
	f.Fuzz(func(t *testing.T, text string) {
		words, why := Plain(text)
		if why != "" {
			return
		}
		for _, w := range words {
			if strings.ContainsRune(w, '\n') || strings.Contains(w, "'") && !strings.Contains(text, `"`) {
				t.Fatalf("%q: %q", text, words)
			}
		}
		if again, why := Plain(strings.TrimSpace(text) + "\t"); why != "" || !slices.Equal(again, words) {
			t.Fatalf("%q: %q, and then %q, %s", text, words, again, why)
		}
	})
}
