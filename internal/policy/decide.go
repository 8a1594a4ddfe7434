package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/shell"
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
	Nobody   bool // no user can be asked
	Internal bool // it keeps the todo list, which every mode lets it
}

// Verdict is the answer, and why.
type Verdict struct {
	Decision Decision
	Why      string
}

// Decide answers by the rules, and where none fits by the mode and the tool's declaration.
// Rules must have been checked.
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

// concerns reports whether a rule is about a call, its command aside.
func (r *Rule) concerns(q Question) bool {
	names := slices.Contains(r.Modes, q.Mode)
	switch {
	case len(r.Modes) > 0 && !names, !glob(r.Tool, q.Tool), r.Command != "" && q.Tool != ShellTool:
		return false
	case q.locked() && r.Decision != Deny && !names:
		return false // only a rule that names the mode opens it
	case r.Args == "":
		return true
	}
	args := q.Args.Clone()
	return args.Canonicalize() == nil && r.args != nil && r.args.Match(args)
}

// locked reports a call that plan mode does not let pass by itself.
func (q *Question) locked() bool { return q.Mode == Plan && !q.Reads && !q.Internal }

// strictest picks the highest priority, and within it the strictest decision.
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

// unruled is the answer where no rule fits.
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

// decideShell checks every part of a command against the rules; the strictest answer counts.
func decideShell(q Question, rules []Rule) Verdict {
	command := shell.Parse(q.Command)
	if len(command.Parts) == 0 {
		command.Parts = []shell.Part{{}}
	}
	var worst Verdict
	for _, p := range command.Parts {
		if v := q.judge(p, rules); worst.Decision == "" || v.Decision.strictness() > worst.Decision.strictness() {
			worst = v
		}
	}
	switch {
	case worst.Decision != Allow:
		return worst
	case command.Unreadable != "":
		return Verdict{Ask, command.Unreadable}
	case command.Doubt != "" && q.Mode != Yolo:
		// In yolo mode nothing is allowed because of its words, so side effects matter no more than the words.
		return Verdict{Ask, fmt.Sprintf("%s (%s)", command.Doubt, worst.Why)}
	}
	return worst
}

// judge checks a part of a command against the rules. Where a rule that is no permission may fit behind a word
// that is only known when the command runs, the answer is never looser than a question.
func (q *Question) judge(p shell.Part, rules []Rule) Verdict {
	fitting := func(least certainty) []Rule {
		return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r.fits(p) < least })
	}
	v := q.strictest(fitting(yes))
	if v.Decision != Allow {
		return v
	}
	if w := q.strictest(fitting(maybe)); w.Decision != Allow {
		return Verdict{Ask, "it is only known when it runs whether it is against a rule: " + strings.TrimPrefix(w.Why, "rule: ")}
	}
	if len(p.Words) > 0 && !p.Words[0].Known {
		return Verdict{Ask, "the program is only known when it runs"}
	}
	return v
}

// certainty records whether a rule fits a part of a command.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// fits reports whether a rule is about a part of a shell command.
// A rule that allows matches the words literally; any other one sees through
// the path of a program, and through programs that run others.
func (r *Rule) fits(p shell.Part) certainty {
	switch {
	case r.Command == "":
		return yes
	case r.Decision != Allow:
		return r.against(p)
	case len(p.Words) > 0 && p.Words[0].Known && begins(p.Words, strings.Fields(r.Command), r.Exact) == yes:
		return yes
	}
	return no
}

// against reports whether a rule that is no permission fits a part, or a command that the part runs.
func (r *Rule) against(p shell.Part) certainty {
	want := strings.Fields(r.Command)
	fit := begins(p.Words, want, r.Exact)
	if len(p.Words) > 0 {
		fit = max(fit, begins(program(p.Words, want[0]), want, r.Exact), behindOptions(program(p.Words, want[0]), want, r.Exact))
	}
	if p.Hidden {
		fit = max(fit, maybe)
	}
	for _, inner := range p.Runs {
		fit = max(fit, r.against(inner))
	}
	return fit
}

// program returns words with the program as a rule names it: without its path, and on any file system,
// since some do not distinguish small letters from capitals.
func program(words []shell.Word, want string) []shell.Word {
	first := words[0]
	if at := strings.LastIndexByte(first.Text, '/'); at >= 0 {
		first.Text = first.Text[at+1:]
		if !first.Known {
			first.Text = "" // what follows may hold a path as well
		}
	}
	if n := len(first.Text); n <= len(want) && strings.EqualFold(first.Text, want[:n]) {
		first.Text = want[:n]
	}
	return append([]shell.Word{first}, words[1:]...)
}

// begins reports whether words begin with others, word by word: git is no beginning of github.
func begins(words []shell.Word, want []string, exact bool) certainty {
	for i, text := range want {
		switch {
		case i == len(words):
			return no
		case words[i].Known && words[i].Text == text:
		case !words[i].Known && strings.HasPrefix(text, words[i].Text):
			return maybe
		default:
			return no
		}
	}
	rest := words[len(want):]
	switch {
	case !exact || len(rest) == 0:
		return yes
	case slices.ContainsFunc(rest, func(w shell.Word) bool { return w.Known || w.Text != "" || !w.Several }):
		return no
	}
	return maybe
}

// behindOptions reports whether a sub-command may follow options, as push in `git -C . push`.
func behindOptions(words []shell.Word, want []string, exact bool) certainty {
	if len(want) < 2 || len(words) < 3 || begins(words[:1], want[:1], false) == no || !strings.HasPrefix(words[1].Text, "-") {
		return no
	}
	for i := 2; i < len(words); i++ {
		if begins(words[i:], want[1:], exact) != no {
			return maybe
		}
	}
	return no
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

// Always makes the rules that let a call like this one pass from now on, in its mode and looser ones.
// For a shell command it allows each program with its sub-command, never more; a command without one
// is only allowed literally. What is not known word by word, or is redirected, gets no rule.
func Always(q Question) ([]Rule, bool) {
	base := Rule{Tool: q.Tool, Modes: q.Mode.andLooser(), Decision: Allow}
	if q.Tool != ShellTool {
		return []Rule{base}, q.Confirm != "always"
	}
	command := shell.Parse(q.Command)
	if command.Unreadable != "" || command.Doubt != "" || len(command.Parts) == 0 {
		return nil, false
	}
	var rules []Rule
	for _, p := range command.Parts {
		rule := base
		known := 0
		for known < len(p.Words) && p.Words[known].Known {
			known++
		}
		texts := make([]string, known)
		for i := range texts {
			if texts[i] = p.Words[i].Text; len(strings.Fields(texts[i])) != 1 {
				return nil, false
			}
		}
		switch {
		case known > 1 && subcommand(texts[1]) && !p.RunsOthers():
			rule.Command = texts[0] + " " + texts[1]
		case known > 0 && known == len(p.Words):
			rule.Command, rule.Exact = strings.Join(texts, " "), true
		default:
			return nil, false
		}
		rules = Add(rules, rule)
	}
	return rules, true
}

// subcommand reports a word such as status in `git status`: letters and dashes, no flag, no file.
func subcommand(word string) bool {
	return word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}
