package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"onward/test/storetest"
)

// rule parses a rule of the form `decision tool priority 'command'`. @mode limits it to a mode,
// =command matches a whole command, and /re/ matches the arguments.
func rule(t testing.TB, text string) Rule {
	t.Helper()
	words := strings.SplitN(text, " ", 4)
	r := Rule{Decision: Decision(words[0]), Tool: words[1]}
	if len(words) > 2 {
		fmt.Sscan(words[2], &r.Priority)
	}
	if len(words) > 3 {
		rest := words[3]
		if mode, ok := strings.CutPrefix(rest, "@"); ok {
			r.Modes = []Mode{Mode(mode)}
		} else if re, ok := strings.CutPrefix(rest, "/"); ok {
			r.Args = strings.TrimSuffix(re, "/")
		} else {
			r.Command, r.Exact = strings.CutPrefix(rest, "=")
		}
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r
}

func ruleSet(t testing.TB, texts ...string) []Rule {
	var out []Rule
	for _, s := range texts {
		out = append(out, rule(t, s))
	}
	return out
}

func TestRules(t *testing.T) {
	read := Question{Tool: "view", Reads: true, Confirm: "never"}
	edit := Question{Tool: "edit", Edits: true, Confirm: "ask"}
	always := Question{Tool: "deploy", Confirm: "always"}
	never := Question{Tool: "fmt", Confirm: "never"}
	for _, c := range []struct {
		name  string
		q     Question
		mode  Mode
		rules []string
		want  Decision
	}{
		{"no rule asks", edit, Default, nil, Ask},
		{"a declaration lets pass", never, Default, nil, Allow},
		{"a rule allows", edit, Default, []string{"allow edit"}, Allow},
		{"another tool's rule", edit, Default, []string{"allow edits"}, Ask},
		{"a pattern", edit, Default, []string{"allow ed*"}, Allow},
		{"a pattern in the middle", edit, Default, []string{"allow e*t"}, Allow},
		{"a pattern that does not fit", edit, Default, []string{"allow *x*"}, Ask},
		{"deny beats ask beats allow", edit, Default, []string{"allow edit", "ask edit", "deny edit"}, Deny},
		{"ask beats allow", never, Default, []string{"allow fmt", "ask fmt"}, Ask},
		{"the highest priority wins", edit, Default, []string{"deny edit 1", "allow edit 2"}, Allow},
		{"a priority may be negative", edit, Default, []string{"deny *", "allow edit -1"}, Deny},
		{"a rule of another mode", edit, Default, []string{"allow edit 0 @yolo"}, Ask},
		{"a rule of this mode", edit, Default, []string{"allow edit 0 @default"}, Allow},
		{"the arguments", edit, Default, []string{`allow edit 0 /^\{"a":1,"b":2\}$/`}, Allow},
		{"other arguments", edit, Default, []string{`allow edit 0 /"a":3/`}, Ask},
		{"plan lets read", read, Plan, nil, Allow},
		{"plan denies the rest", edit, Plan, nil, Deny},
		{"plan mode denies a tool that its declaration allows", never, Plan, nil, Deny},
		{"plan mode denies a tool that a general rule allows", edit, Plan, []string{"allow edit 9"}, Deny},
		{"plan obeys a rule of its own", edit, Plan, []string{"allow edit 0 @plan"}, Allow},
		{"a rule denies reading in plan", read, Plan, []string{"deny view"}, Deny},
		{"auto_edit lets edit", edit, AutoEdit, nil, Allow},
		{"auto_edit asks for the rest", always, AutoEdit, nil, Ask},
		{"yolo lets pass", edit, Yolo, nil, Allow},
		{"yolo obeys a denial", edit, Yolo, []string{"deny edit"}, Deny},
		{"yolo obeys a question", edit, Yolo, []string{"ask edit"}, Ask},
		{"a tool that always requires approval does so in yolo mode", always, Yolo, nil, Ask},
		{"a tool that always requires approval does so in spite of a rule", always, Default, []string{"allow deploy 9"}, Ask},
		{"a tool that always requires approval can be denied", always, Default, []string{"deny deploy"}, Deny},
		{"a rule on commands is for the shell", edit, Default, []string{"allow edit 0 git"}, Ask},
	} {
		c.q.Mode, c.q.Args = c.mode, jsontext.Value(`{"b":2,"a":1}`)
		if v := Decide(c.q, ruleSet(t, c.rules...)); v.Decision != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, v, c.want)
		}
		c.q.Nobody = true
		want := c.want
		if want == Ask {
			want = Deny
		}
		if v := Decide(c.q, ruleSet(t, c.rules...)); v.Decision != want {
			t.Errorf("%s, with nobody to ask: got %+v, want %s", c.name, v, want)
		}
	}
}

func TestShellCommands(t *testing.T) {
	for _, c := range []struct {
		command string
		mode    Mode
		rules   []string
		want    Decision
	}{
		// A rule allows the plain commands that begin with its words.
		{"git status", Default, []string{"allow shell 0 git"}, Allow},
		{"github status", Default, []string{"allow shell 0 git"}, Ask},
		{"git", Default, []string{"allow shell 0 git status"}, Ask},
		{"git status -s", Default, []string{"allow shell 0 git status"}, Allow},
		{"git statusx", Default, []string{"allow shell 0 git status"}, Ask},
		{"git push", Default, []string{"allow shell 0 git status"}, Ask},
		{`git commit -m "fix: it's done"`, Default, []string{"allow shell 0 git commit"}, Allow},
		{"git 'status'", Default, []string{"allow shell 0 git status"}, Allow},
		{"ls '*.go' x", Default, []string{"allow shell 0 ls '*.go'"}, Allow},
		{"ls", Default, []string{"allow shell 0 =ls"}, Allow},
		{"ls -la", Default, []string{"allow shell 0 =ls"}, Ask},
		{"git status", Plan, []string{"allow shell 0 git"}, Deny},
		{"find . -delete", Default, []string{"allow shell 0 find"}, Allow},

		// Any other command requires approval, whatever the rules allow.
		{"git status && git log", Default, []string{"allow shell 0 git"}, Ask},
		{"git log > x", Default, []string{"allow shell 0 git"}, Ask},
		{"git log (", Default, []string{"allow shell"}, Ask},
		{"./git status", Default, []string{"allow shell 0 git"}, Ask},
		{"LD_PRELOAD=x git status", Default, []string{"allow shell 0 git"}, Ask},
		{`git log "$x"`, Default, []string{"allow shell 0 git log"}, Ask},
		{"git status # ok \\\nrm victim", Default, []string{"allow shell 0 git status"}, Ask},
		{"git status\r#; rm victim", Default, []string{"allow shell 0 =git status"}, Ask},
		{"printf %d PATH=1; git status", Default, []string{"allow shell 0 git", "allow shell 0 printf"}, Ask},
		{"# nothing", Default, []string{"allow shell 0 git"}, Ask},
		{"", Default, []string{"allow shell"}, Ask},
		{"git log (", Default, []string{"deny shell"}, Deny},

		// In yolo mode it runs, unless it contains the words of a rule.
		{"git log > x", Yolo, []string{"allow shell 0 git"}, Allow},
		{"git log (", Yolo, nil, Allow},
		{"rm x > y", Yolo, nil, Allow},
		{"$X x", Yolo, []string{"deny shell 0 rm"}, Allow},
		{"curl x | sh", Yolo, []string{"deny shell 0 rm"}, Allow},
		{`r\m x`, Yolo, []string{"deny shell 0 rm"}, Allow},
		{"sed 1erm\\ x f", Yolo, []string{"deny shell 0 rm"}, Allow},

		// A plain command that begins with the words of a denial is denied.
		{"rm x", Yolo, []string{"deny shell 0 rm"}, Deny},
		{`"r"m x`, Yolo, []string{"deny shell 0 rm"}, Deny},
		{"git push", Default, []string{"deny shell 1 git push", "allow shell 0 git"}, Deny},
		{"ls", Yolo, []string{"deny shell 0 =ls"}, Deny},
		{"ls x", Yolo, []string{"deny shell 0 =ls"}, Allow},
		{"ls; ls x", Yolo, []string{"deny shell 0 =ls"}, Ask},

		// If the words are anywhere else in it, it requires approval.
		{"git commit -m 'do not push'", Default, []string{"allow shell 0 git", "deny shell 0 git push"}, Ask},
		{"git -C . push", Yolo, []string{"deny shell 0 git push"}, Ask},
		{"push git", Yolo, []string{"deny shell 0 git push"}, Allow},
		{"git log", Yolo, []string{"deny shell 0 git push"}, Allow},
		{"git status; rm x", Default, []string{"allow shell 0 git", "deny shell 0 rm"}, Ask},
		{"echo rm", Yolo, []string{"deny shell 0 rm"}, Ask},
		{"echo rmdir alarm rm_x -rm", Yolo, []string{"deny shell 0 rm"}, Allow},
		{"/bin/rm x", Yolo, []string{"deny shell 0 rm"}, Ask},
		{"RM x", Yolo, []string{"deny shell 0 rm"}, Ask},
		{`sudo "r"m x`, Yolo, []string{"deny shell 0 rm"}, Ask},
		{"echo rm", Yolo, []string{"ask shell 0 rm"}, Ask},
		{"git status; git push", Default, []string{"allow shell 1 git status", "ask shell 0 git"}, Ask},

		// For plain commands, a rule of a higher priority wins.
		{"git commit -m 'rm x'", Default, []string{"allow shell 1 git commit", "deny shell 0 rm"}, Allow},
		{"git commit -m 'rm x'", Default, []string{"allow shell 0 git commit", "deny shell 0 rm"}, Ask},
		{"git commit; rm x", Yolo, []string{"allow shell 1 git commit", "deny shell 0 rm"}, Ask},
	} {
		q := Question{Tool: ShellTool, Confirm: "ask", Mode: c.mode, Command: c.command, Args: jsontext.Value("{}")}
		if v := Decide(q, ruleSet(t, c.rules...)); v.Decision != c.want {
			t.Errorf("%s with %q: got %+v, want %s", c.command, c.rules, v, c.want)
		}
		q.Nobody = true
		if v := Decide(q, ruleSet(t, c.rules...)); (v.Decision == Deny) != (c.want != Allow) {
			t.Errorf("%s with %q, with nobody to ask: got %+v", c.command, c.rules, v)
		}
	}
}

func TestAlwaysCoversOnlyTheSubcommand(t *testing.T) {
	for command, want := range map[string]string{
		"git status":            "git status",
		"git status -s":         "git status",
		"git status && go test": "",
		`git commit -m "a b"`:   "git commit",
		"ls":                    "=ls",
		"ls -la":                "=ls -la",
		"cat notes.txt":         "=cat notes.txt",
		"sudo rm":               "sudo rm",
		"docker ps -a":          "docker ps",
		"docker run img":        "docker run",
		"git status > x":        "",
		"A=1 git status":        "",
		"git $X":                "",
		"$X status":             "",
		"git status (":          "",
		"touch 'a b'":           "",
	} {
		q := Question{Tool: ShellTool, Mode: AutoEdit, Confirm: "ask", Command: command, Args: jsontext.Value("{}")}
		rules, ok := AlwaysRules(q)
		var got []string
		for i := range rules {
			text := rules[i].Command
			if rules[i].Exact {
				text = "=" + text
			}
			got = append(got, text)
			if !slices.Equal(rules[i].Modes, []Mode{AutoEdit, Yolo}) {
				t.Errorf("%s: modes %v", command, rules[i].Modes)
			}
			if err := rules[i].Check(); err != nil {
				t.Error(err)
			}
		}
		if ok != (want != "") || ok && strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, %v", command, got, ok)
		}
		if ok && Decide(q, rules).Decision != Allow {
			t.Errorf("%s: its own rules do not allow it", command)
		}
	}
}

// TestStricterRuleNeverLoosens repeats random rules, which must not change the decision, and adds a denial of the highest
// priority, which must deny.
func TestStricterRuleNeverLoosens(t *testing.T) {
	words := rapid.SampledFrom([]string{"git", "git status", "rm", "ls", "=ls"})
	rapid.Check(t, func(rt *rapid.T) {
		var rules []Rule
		for range rapid.IntRange(0, 5).Draw(rt, "rules") {
			text := rapid.SampledFrom([]string{"allow", "ask", "deny"}).Draw(rt, "decision") + " shell " +
				fmt.Sprint(rapid.IntRange(-2, 2).Draw(rt, "priority")) + " " + words.Draw(rt, "command")
			rules = append(rules, rule(t, text))
		}
		q := Question{
			Tool: ShellTool, Confirm: "ask", Args: jsontext.Value("{}"),
			Mode:    rapid.SampledFrom(Modes()).Draw(rt, "mode"),
			Command: strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"git status", "rm x", "ls", "ls -l", "$(git log)", "x"}), 1, 4).Draw(rt, "parts"), "; "),
		}
		before := Decide(q, rules).Decision
		same := Decide(q, slices.Concat(rules, rules)).Decision
		after := Decide(q, append(rules, rule(t, "deny * 9"))).Decision
		if same != before || after != Deny {
			rt.Fatalf("%s, twice %s, denied %s", before, same, after)
		}
	})
}

// TestRepeatedOperationRemovesNoOtherRule removes the first rule, and repeats that under the same operation id, immediately and after
// many other changes within a day.
func TestRepeatedOperationRemovesNoOtherRule(t *testing.T) {
	s := Store{Backend: storetest.NewMemory(), Machine: storetest.NewMemory()}
	now := time.Unix(1_800_000_000, 0)
	once := func(op string) Rule {
		t.Helper()
		gone, err := s.UpdateOnce(op, now, func(rules []Rule) ([]Rule, Rule, error) { return Remove(rules, 1) })
		if err != nil {
			t.Fatal(err)
		}
		return gone
	}
	many := make([]Rule, 0, 50)
	for i := range cap(many) {
		many = append(many, rule(t, fmt.Sprintf("deny shell %d rm", i)))
	}
	if err := s.Update(now, func(f *File) error { f.Rules = many; return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		for range 2 {
			if gone := once(fmt.Sprint(i)); gone.Priority != i {
				t.Errorf("operation %d removed %v", i, gone)
			}
		}
	}
	now = now.Add(23 * time.Hour)
	for i := range 40 {
		if gone := once(fmt.Sprint(i)); gone.Priority != i {
			t.Errorf("after a day, operation %d removed %v", i, gone)
		}
	}
	err := s.Update(now, func(f *File) error {
		if len(f.Rules) != 10 || len(f.Operations) > 24 {
			t.Errorf("%d rules are left, and %d operations", len(f.Rules), len(f.Operations))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRuleFiles(t *testing.T) {
	rules := ruleSet(t, "allow shell 3 git status", "deny * 0 @plan", "ask x 0 /a/", "allow shell -1 =ls")
	again, err := Decode((&File{Rules: rules}).Encode())
	if err != nil || !slices.EqualFunc(rules, again.Rules, func(a, b Rule) bool { return a.same(&b) }) {
		t.Errorf("got %v, %v", again, err)
	}
	for _, bad := range []string{
		`{}`, `{"schema":"onward/policy/v2","rules":[]}`, `{"schema":"onward/policy/v1","rule":[]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"a","decision":"yes"}]}`,
		`{"schema":"onward/policy/v1","rules":[{"decision":"allow"}]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"shell","decision":"allow","comand_prefix":"git"}]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"a","decision":"allow","modes":["fast"]}]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"a","decision":"allow","args_pattern":"("}]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"shell","decision":"allow","command_prefix":" "}]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"a","decision":"allow","mode":""}]}`,
		`{"schema":"onward/policy/v1","rules":[null]}`,
		`{"schema":"onward/policy/v1","rules":[{"tool":"shell","decision":"allow","command_prefix":"ls *.go"}]}`,
		`{"schema":"onward/policy/v1","rules":[],"ops":[{"id":"a","rule":{"tool":"a"}}]}`,
		`{"schema":"onward/policy/v1","rules":[],"ops":[{"id":"a","rule":{"tool":"a","decision":"deny"},"rul":1}]}`,
	} {
		if rules, err := Decode([]byte(bad)); err == nil {
			t.Errorf("%s: got %v", bad, rules)
		}
	}
	if _, err := ParseMode("fast"); !errors.Is(err, ErrRule) {
		t.Errorf("got %v", err)
	}
}

func TestRemoveByNumber(t *testing.T) {
	rules := []Rule{{Tool: "a", Decision: Allow}, {Tool: "b", Decision: Deny}}
	if left, gone, err := Remove(slices.Clone(rules), 2); err != nil || gone.Tool != "b" || len(left) != 1 || left[0].Tool != "a" {
		t.Errorf("%v, %v, %v", left, gone, err)
	}
	for _, c := range []struct {
		rules []Rule
		n     int
		want  string
	}{
		{rules, 0, "not found: rule 0: the rules are 1 to 2"},
		{rules, 3, "not found: rule 3: the rules are 1 to 2"},
		{nil, 1, "not found: rule 1"},
	} {
		if _, _, err := Remove(c.rules, c.n); !errors.Is(err, ErrNotFound) || err.Error() != c.want {
			t.Errorf("%d of %d: %v", c.n, len(c.rules), err)
		}
	}
}
