package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/shell"
)

// ShellTool is the name of the tool whose commands are taken apart.
const ShellTool = "shell"

// Question is a call that is about to run.
type Question struct {
	Tool     string
	Reads    bool   // it changes nothing
	Edits    bool   // it changes files, and nothing else
	Confirm  string // what its declaration says: never, ask or always
	Args     jsontext.Value
	Command  string // of the shell tool
	Mode     Mode
	Nobody   bool // there is no one to ask
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
		return Verdict{Deny, v.Why + ", and nobody can be asked"}
	}
	return v
}

func decide(q Question, rules []Rule) Verdict {
	if q.Mode == Plan && !q.Reads && !q.Internal {
		// Only a rule that names the mode opens it.
		rules = slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool {
			return r.Decision != Deny && !slices.Contains(r.Modes, Plan)
		})
	}
	rules = slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !r.concerns(q) })
	var v Verdict
	if q.Tool == ShellTool {
		v = decideShell(q, rules)
	} else {
		v = q.strictest(slices.DeleteFunc(rules, func(r Rule) bool { return r.Command != "" }))
	}
	if v.Decision == Allow && q.Confirm == "always" {
		return Verdict{Ask, "the tool asks every time"}
	}
	return v
}

// concerns reports whether a rule is about a call, its command aside.
func (r *Rule) concerns(q Question) bool {
	if len(r.Modes) > 0 && !slices.Contains(r.Modes, q.Mode) || !glob(r.Tool, q.Tool) {
		return false
	}
	if r.Args == "" {
		return true
	}
	args := q.Args.Clone()
	return args.Canonicalize() == nil && r.args != nil && r.args.Match(args)
}

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
	case q.Mode == Plan && !q.Reads && !q.Internal:
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

// decideShell holds every part of a command against the rules; the strictest answer counts.
func decideShell(q Question, rules []Rule) Verdict {
	command, err := shell.Parse(q.Command)
	if err != nil {
		v := q.strictest(slices.DeleteFunc(rules, func(r Rule) bool { return r.Command != "" }))
		if v.Decision == Allow {
			return Verdict{Ask, err.Error()}
		}
		return v
	}
	if len(command.Parts) == 0 {
		command.Parts = []shell.Part{{}}
	}
	var worst Verdict
	for _, p := range command.Parts {
		var fitting []Rule
		for _, r := range rules {
			if r.fits(p) {
				fitting = append(fitting, r)
			}
		}
		v := q.strictest(fitting)
		if v.Decision == Allow && len(p.Words) == 0 && !p.Literal {
			v = Verdict{Ask, "the program is only known when it runs"}
		}
		if worst.Decision == "" || v.Decision.strictness() > worst.Decision.strictness() {
			worst = v
		}
	}
	// In yolo mode nothing was allowed for the sake of its words, so where its output goes matters no more than they do.
	if worst.Decision == Allow && command.Redirects && worst.Why != "mode yolo" {
		return Verdict{Ask, "its input or output goes elsewhere (" + worst.Why + ")"}
	}
	return worst
}

// fits reports whether a rule is about a part of a shell command.
// A rule that allows takes the words as they stand; one that does not sees through
// the path of a program, and through programs that run others.
func (r *Rule) fits(p shell.Part) bool {
	if r.Command == "" {
		return true
	}
	want := strings.Fields(r.Command)
	if r.Decision == Allow {
		return !p.Assigns && r.begins(p.Words, want) && (!r.Exact || p.Literal)
	}
	for i := range p.Words {
		if i > 0 && !runsOthers(path.Base(p.Words[0])) {
			break
		}
		words := append([]string{path.Base(p.Words[i])}, p.Words[i+1:]...)
		if r.begins(words, want) || r.begins(p.Words[i:], want) {
			return true
		}
	}
	return false
}

// begins reports whether words begin with others, word by word: git is no beginning of github.
func (r *Rule) begins(words, want []string) bool {
	return len(words) >= len(want) && slices.Equal(words[:len(want)], want) && (!r.Exact || len(words) == len(want))
}

// runsOthers reports the programs whose arguments are commands.
func runsOthers(program string) bool {
	switch program {
	case "sudo", "doas", "env", "command", "exec", "nohup", "nice", "time", "timeout", "xargs", "setsid", "stdbuf", "busybox",
		"eval", "sh", "bash", "dash", "zsh", "ssh", "su", "find", "watch", "chroot", "unshare", "nsenter", "strace", "parallel":
		return true
	}
	return false
}

// glob matches a name against a pattern in which * stands for any characters.
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
// is only allowed as it stands. What is not known word by word, or is redirected, gets no rule.
func Always(q Question) ([]Rule, bool) {
	base := Rule{Tool: q.Tool, Modes: q.Mode.andLooser(), Decision: Allow}
	if q.Tool != ShellTool {
		return []Rule{base}, q.Confirm != "always"
	}
	command, err := shell.Parse(q.Command)
	if err != nil || command.Redirects || len(command.Parts) == 0 {
		return nil, false
	}
	var rules []Rule
	for _, p := range command.Parts {
		rule := base
		switch {
		case p.Assigns || len(p.Words) == 0 || slices.ContainsFunc(p.Words, func(w string) bool { return w == "" || len(strings.Fields(w)) != 1 }):
			return nil, false
		case len(p.Words) > 1 && subcommand(p.Words[1]) && !runsOthers(path.Base(p.Words[0])):
			rule.Command = p.Words[0] + " " + p.Words[1]
		case p.Literal:
			rule.Command, rule.Exact = strings.Join(p.Words, " "), true
		default:
			return nil, false
		}
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.Same(&rule) }) {
			rules = append(rules, rule)
		}
	}
	return rules, true
}

// subcommand reports a word such as status in `git status`: letters and dashes, no flag, no file.
func subcommand(word string) bool {
	return word[0] != '-' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}
