package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/shell"
)

// ShellTool is the name of the tool whose commands are parsed.
const ShellTool = "shell"

// Question is a call that is about to run.
type Question struct {
	Tool     string
	Reads    bool   // it changes nothing
	Edits    bool   // it changes files, and nothing else
	Confirm  string // from its declaration: never, ask or always
	Args     jsontext.Value
	Command  string // of the shell tool
	Mode     Mode
	Nobody   bool // nobody can be asked
	Internal bool // it changes the todo list only, which every mode allows
}

// Verdict is a decision with its reason.
type Verdict struct {
	Decision Decision
	Why      string
}

// Decide decides by the rules, and if none matches, by the mode and the tool's declaration.
// The rules must have been checked.
func Decide(q Question, rules []Rule) Verdict {
	v := decide(q, rules)
	if v.Decision == Ask && q.Nobody {
		return Verdict{Deny, v.Why + ", and no user can be asked"}
	}
	return v
}

func decide(q Question, rules []Rule) Verdict {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !r.concerns(q) })
	var v Verdict
	if q.Tool == ShellTool {
		v = decideShell(q, rules)
	} else {
		v = q.strictest(rules)
	}
	if v.Decision == Allow && q.Confirm == "always" {
		return Verdict{Ask, "the tool asks every time"}
	}
	return v
}

// concerns reports whether a rule matches a call, regardless of the rule's command.
func (r *Rule) concerns(q Question) bool {
	names := slices.Contains(r.Modes, q.Mode)
	switch {
	case len(r.Modes) > 0 && !names, !glob(r.Tool, q.Tool), r.Command != "" && q.Tool != ShellTool:
		return false
	case q.locked() && r.Decision != Deny && !names:
		return false // in this mode, only a rule that names the mode allows such a call
	case r.Args == "":
		return true
	}
	args := q.Args.Clone()
	return args.Canonicalize() == nil && r.args != nil && r.args.Match(args)
}

// locked reports whether plan mode does not allow a call without a rule.
func (q *Question) locked() bool { return q.Mode == Plan && !q.Reads && !q.Internal }

// strictest returns the strictest decision among the rules of the highest priority.
func (q *Question) strictest(rules []Rule) Verdict {
	var best *Rule
	for i := range rules {
		r := &rules[i]
		if best == nil || r.Priority > best.Priority || r.Priority == best.Priority && r.Decision.strictness() > best.Decision.strictness() {
			best = r
		}
	}
	if best == nil {
		return q.unruled()
	}
	return Verdict{best.Decision, "rule: " + best.String()}
}

// unruled is the verdict if no rule matches.
func (q *Question) unruled() Verdict {
	switch {
	case q.locked():
		return Verdict{Deny, "in plan mode only tools that read may run"}
	case q.Mode == Yolo:
		return Verdict{Allow, "mode yolo"}
	case q.Mode == AutoEdit && q.Edits:
		return Verdict{Allow, "mode auto_edit"}
	case q.Confirm == "never":
		return Verdict{Allow, "the tool needs no approval"}
	default:
		return Verdict{Ask, "no rule allows it"}
	}
}

// decideShell decides about a shell command. A rule that allows commands matches plain ones only. A rule that denies or
// asks matches plain ones too; if its words only occur in the text, a person is asked, because nobody can know what a
// shell or a program does with them.
func decideShell(q Question, rules []Rule) Verdict {
	words, unplain := shell.Plain(q.Command)
	v := q.strictest(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !r.matchesCommand(words) }))
	if v.Decision == Deny {
		return v
	}
	w := q.strictest(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !r.matchesCommand(words) && !r.occurs(q.Command, words) }))
	switch {
	case w.Decision.strictness() > v.Decision.strictness():
		return Verdict{Ask, "its text contains the words of a rule: " + strings.TrimPrefix(w.Why, "rule: ")}
	case unplain != "" && (q.Mode != Yolo || v.Decision == Ask):
		return Verdict{Ask, fmt.Sprintf("%s; it is not a plain command: %s", v.Why, unplain)}
	}
	return v
}

// matchesCommand reports whether a plain command begins with the words of a rule; if the rule is exact, it must have no others.
// A rule without words matches every command, also one that is not plain.
func (r *Rule) matchesCommand(words []string) bool {
	want := r.words()
	return len(words) >= len(want) && slices.Equal(words[:len(want)], want) && (!r.Exact || len(words) == len(want))
}

// occurs reports whether the words of a rule that asks or denies occur in the text of a command, with or without its
// quotation marks. An exact rule does not match a plain command that has further words.
func (r *Rule) occurs(text string, words []string) bool {
	want := r.words()
	if r.Decision == Allow || len(words) > len(want) && slices.Equal(words[:len(want)], want) {
		return false
	}
	return shell.MentionsWords(text, want) || shell.MentionsWords(strings.Join(words, " "), want)
}

// words returns the words of a rule on commands. Quotation marks group them as in a shell.
func (r *Rule) words() []string {
	if words, unplain := shell.Plain(r.Command); unplain == "" {
		return words
	}
	return strings.Fields(r.Command)
}

// glob matches a name against a pattern in which * matches any characters.
func glob(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}

// AlwaysRules returns the rules that allow calls like this one from now on, in its mode and looser ones.
// For a plain shell command, that is the program with its sub-command; without a sub-command, exactly this command.
// For any other shell command there is no rule.
func AlwaysRules(q Question) ([]Rule, bool) {
	rule := Rule{Tool: q.Tool, Modes: q.Mode.andLooser(), Decision: Allow}
	if q.Tool != ShellTool {
		return []Rule{rule}, q.Confirm != "always"
	}
	words, unplain := shell.Plain(q.Command)
	if unplain != "" {
		return nil, false
	}
	if len(words) > 1 && subcommand(words[1]) {
		words = words[:2]
	} else {
		rule.Exact = true
	}
	rule.Command = strings.Join(words, " ")
	return []Rule{rule}, slices.Equal(rule.words(), words)
}

// subcommand reports whether a word looks like status in `git status`: letters and dashes, not a flag or a file.
func subcommand(word string) bool {
	return word != "" && word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}
