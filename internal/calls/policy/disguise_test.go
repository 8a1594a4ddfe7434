package policy

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/internal/calls/shell"
)

// drawCommand draws a command of plain words, quoted words, and text that a shell interprets.
func drawCommand(t *rapid.T) string {
	pieces := []string{
		"git", "status", "a", "-x", "'b c'", `"d"`, "é", "$x", "`", "$(", ")", ";", "&&", "|", ">", "<", "\n", "\\", "#", "*", "{", "}", "'", `"`, "=", "~", "A=1", "!",
	}
	var b strings.Builder
	for range rapid.IntRange(1, 8).Draw(t, "length") {
		b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
		b.WriteString(rapid.SampledFrom([]string{" ", " ", "", "\t"}).Draw(t, "blank"))
	}
	return b.String()
}

// TestOnlyPlainCommandsAreAllowed draws commands and rules that allow some. Except in yolo mode, a command runs without approval only
// if it is plain and begins with the words of a rule.
func TestOnlyPlainCommandsAreAllowed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := ruleSet(t, rapid.SliceOfN(rapid.SampledFrom([]string{
			"allow shell 0 git", "allow shell 3 git status", "allow shell 1 a", "allow shell 9 =git", "allow * -1", "allow s*l 5 /git/", "ask shell 0 d",
		}), 1, 4).Draw(rt, "rules")...)
		q := Question{Tool: ShellTool, Confirm: "ask", Mode: rapid.SampledFrom([]Mode{Plan, Default, AutoEdit}).Draw(rt, "mode"), Args: jsontext.Value("{}")}
		q.Command = drawCommand(rt)
		if Decide(q, rules).Decision != Allow {
			return
		}
		words, why := shell.Plain(q.Command)
		fits := slices.ContainsFunc(rules, func(r Rule) bool {
			want := strings.Fields(r.Command)
			return r.Decision == Allow && len(words) >= len(want) && slices.Equal(words[:len(want)], want) && (!r.Exact || len(words) == len(want))
		})
		if why != "" || !fits || q.Mode == Plan {
			rt.Fatalf("%q is allowed in mode %s: %s", q.Command, q.Mode, why)
		}
	})
}

// TestDeniedWordsNeverPass hides the words of a denial in random text, whole and in their order. Whatever rules without a higher
// priority allow, the command must not run without approval, not even in yolo mode.
func TestDeniedWordsNeverPass(t *testing.T) {
	between := rapid.StringMatching(`([^\pL\pN_-]|[^\pL\pN_-].{0,6}[^\pL\pN_-])`) // no letter, digit, _ or - is next to a word
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"rm", "-rf", "push", "a.b", "x/y"}), 1, 3).Draw(rt, "words")
		text := rapid.SampledFrom([]string{"", "x ", "sh -c '"}).Draw(rt, "beginning")
		for _, w := range words {
			text += rapid.SampledFrom([]string{w, strings.ToUpper(w)}).Draw(rt, "word") + between.Draw(rt, "between")
		}
		rules := ruleSet(t, rapid.SampledFrom([]string{"deny", "ask"}).Draw(rt, "decision")+" shell 0 "+strings.Join(words, " "), "allow shell", "allow *", "allow shell -1 rm")
		q := Question{Tool: ShellTool, Confirm: "ask", Mode: rapid.SampledFrom(Modes()).Draw(rt, "mode"), Command: text, Args: jsontext.Value("{}")}
		if v := Decide(q, rules); v.Decision == Allow {
			rt.Fatalf("%q is allowed, in spite of %q: %+v", text, words, v)
		}
		if q.Nobody = true; Decide(q, rules).Decision != Deny {
			rt.Fatalf("%q is not denied, with nobody to ask", text)
		}
	})
}

// TestDisguises denies rm, and tries commands that run it through another program, a string or another language.
// None that contains the whole word may run without approval, not even in yolo mode.
func TestDisguises(t *testing.T) {
	data, err := os.ReadFile("testdata/disguises.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules := ruleSet(t, "deny shell 0 rm", "allow shell 0 find", "allow shell 0 sed", "allow shell 0 awk", "allow shell 0 git", "allow shell", "allow *")
	commands := strings.Split(strings.TrimSpace(string(data)), "\n%%\n")
	if len(commands) < 300 {
		t.Errorf("only %d disguises", len(commands))
	}
	for _, command := range commands {
		for _, mode := range []Mode{Default, AutoEdit, Yolo} {
			q := Question{Tool: ShellTool, Confirm: "ask", Mode: mode, Command: command, Args: jsontext.Value("{}")}
			if v := Decide(q, rules); v.Decision == Allow {
				t.Errorf("%s: %s: %+v", mode, command, v)
			}
			if q.Nobody = true; Decide(q, rules).Decision != Deny {
				t.Errorf("%s, with nobody to ask: %s: %+v", mode, command, Decide(q, rules))
			}
		}
	}
}

// TestUnseenDisguises records what the manual does not promise: a word is not recognised if it is put together from parts, or next to a
// letter, digit, _ or -. In the default mode such a command requires approval anyway, unless a rule allows the program.
func TestUnseenDisguises(t *testing.T) {
	rules := ruleSet(t, "deny shell 0 rm", "allow shell 0 sed")
	for command, byDefault := range map[string]Decision{
		"sed 1erm' victim' f":             Allow, // the rule allows sed, which can run other programs
		"sed '1erm victim' f":             Allow,
		`r\m victim`:                      Ask,
		"r''m victim; true":               Ask,
		"x=r; ${x}m victim":               Ask,
		"$(echo cm0= | base64 -d) victim": Ask,
		"sh ./script":                     Ask,
	} {
		q := Question{Tool: ShellTool, Confirm: "ask", Mode: Yolo, Command: command, Args: jsontext.Value("{}")}
		if v := Decide(q, rules); v.Decision != Allow {
			t.Errorf("yolo: %s: %+v, and the manual says that it is not seen", command, v)
		}
		q.Mode = Default
		if v := Decide(q, rules); v.Decision != byDefault {
			t.Errorf("default: %s: %+v, want %s", command, v, byDefault)
		}
	}
}
