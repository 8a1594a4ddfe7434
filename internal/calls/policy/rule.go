// Package policy decides whether a tool call may run, needs approval, or must not run.
package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/shell"
	"onward/internal/object"
	"onward/internal/todo"
)

// Decision says whether a call may run.
type Decision string

// The decisions. If rules of one priority differ, the strictest wins: deny, then ask, then allow.
const (
	Allow Decision = "allow"
	Ask   Decision = "ask"
	Deny  Decision = "deny"
)

// strictness orders decisions.
func (d Decision) strictness() int {
	return slices.Index([]Decision{Allow, Ask, Deny}, d)
}

// Mode describes which calls are allowed without a question.
type Mode string

// The modes, from strict to loose.
const (
	Plan     Mode = "plan"      // tools that only read
	Default  Mode = "default"   // calls that rules or declarations allow
	AutoEdit Mode = "auto_edit" // these, and tools that edit files
	Yolo     Mode = "yolo"      // all calls that no rule asks about or denies
)

// Modes lists them, from strict to loose.
func Modes() []Mode { return []Mode{Plan, Default, AutoEdit, Yolo} }

// RunsUnasked reports whether calls run in a mode that would need the user's word in the default one.
func (m Mode) RunsUnasked() bool { return m == AutoEdit || m == Yolo }

// ErrRule marks a rule or mode that makes no sense.
var ErrRule = errors.New("bad rule")

// ErrNotFound marks the number of a rule that does not exist.
var ErrNotFound = errors.New("not found")

// ParseMode reads a mode; none is the default mode.
func ParseMode(s string) (Mode, error) {
	if s == "" {
		return Default, nil
	}
	if m := Mode(strings.ReplaceAll(s, "-", "_")); slices.Contains(Modes(), m) {
		return m, nil
	}
	return "", fmt.Errorf("%w: the approval mode must be plan, default, auto_edit or yolo, not %q", ErrRule, s)
}

// andLooser returns a mode and those that allow more.
func (m Mode) andLooser() []Mode { return Modes()[slices.Index(Modes(), m):] }

// Rule is a decision about the calls that it matches. An empty member matches every call.
type Rule struct {
	Tool     string // a tool's name; * matches any characters
	Args     string // a regular expression on the arguments as JSON with sorted names
	Command  string // the first words of a shell command
	Exact    bool   // the command must have no further words
	Modes    []Mode
	Decision Decision
	Priority int // the highest wins; 0 by default
	Unknown  jsontext.Value

	args *regexp.Regexp // of Args, compiled by Check
}

// Check returns an error for a rule that makes no sense, and prepares any other for use.
func (r *Rule) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrRule, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Decision.strictness() < 0:
		return fmt.Errorf("%w: %w", ErrRule, &todo.UnknownWordError{Text: fmt.Sprintf("the decision must be allow, deny or ask, not %q", r.Decision), Word: string(r.Decision), Known: []string{"ask", "allow", "deny"}})
	case r.Tool == "":
		return bad("it names no tool; * is every tool")
	case r.Exact && r.Command == "":
		return bad("exact belongs to a command")
	}
	for _, m := range r.Modes {
		if !slices.Contains(Modes(), m) {
			return bad("the mode must be plan, default, auto_edit or yolo, not %q", m)
		}
	}
	if r.Command != "" && len(strings.Fields(r.Command)) == 0 {
		return bad("the command is blank")
	}
	if r.Args != "" {
		var err error
		if r.args, err = regexp.Compile(r.Args); err != nil {
			return bad("the pattern of the arguments: %v", err)
		}
	}
	return nil
}

// CheckPlain returns an error for a rule that can never allow anything, because its command is not plain.
// Check accepts such a rule: an older version may have made it for a session, where it has no effect.
func (r *Rule) CheckPlain() error {
	if r.Decision != Allow || r.Command == "" {
		return nil
	}
	_, unplain := shell.Plain(r.Command)
	if unplain == "" {
		return nil
	}
	var instead []string
	quoted, beginning := shell.NearestPlain(r.Command)
	if quoted != "" {
		instead = append(instead, fmt.Sprintf("`%s` if the program is to get these words as they are", quoted))
	}
	if beginning != "" {
		instead = append(instead, fmt.Sprintf("`%s` for every plain command that begins with it", beginning))
	}
	if instead == nil {
		instead = []string{"a rule for each program, without operators, variables, patterns and assignments"}
	}
	return fmt.Errorf("%w: a rule allows plain commands only, and `%s` is not plain: %s; write %s",
		ErrRule, r.Command, unplain, strings.Join(instead, ", or "))
}

// same reports whether two rules are equal.
func (r *Rule) same(o *Rule) bool {
	return r.Tool == o.Tool && r.Args == o.Args && r.Command == o.Command && r.Exact == o.Exact &&
		r.Decision == o.Decision && r.Priority == o.Priority && slices.Equal(r.Modes, o.Modes)
}

// String describes a rule in words.
func (r *Rule) String() string {
	s := fmt.Sprintf("%s %s", r.Decision, r.Tool)
	if r.Command != "" {
		s += fmt.Sprintf(" `%s`", r.Command)
		if r.Exact {
			s += " exactly"
		}
	}
	if r.Args != "" {
		s += fmt.Sprintf(" with arguments that match %s", r.Args)
	}
	if len(r.Modes) > 0 {
		words := make([]string, len(r.Modes))
		for i, m := range r.Modes {
			words[i] = string(m)
		}
		s += " in mode " + strings.Join(words, ", ")
	}
	if r.Priority != 0 {
		s += fmt.Sprintf(" (priority %d)", r.Priority)
	}
	return s
}

// Check returns an error for the first rule that makes no sense, and prepares the others for use.
func Check(rules []Rule) error {
	for i := range rules {
		if err := rules[i].Check(); err != nil {
			return fmt.Errorf("/rules/%d: %w", i, err)
		}
	}
	return nil
}

// Fields lists the members of a rule; the reader has to check it.
func (r *Rule) Fields(f *object.Fields) {
	object.Text(f, "tool", &r.Tool)
	object.Text(f.OmitEmpty(), "args_pattern", &r.Args)
	object.Text(f.OmitEmpty(), "command_prefix", &r.Command)
	f.OmitEmpty().Bool("exact", &r.Exact)
	object.Strings(f.OmitEmpty(), "modes", &r.Modes)
	if f.Reading() {
		f.Value("mode", func(in *object.Reader) { r.Modes = append(r.Modes, Mode(in.String())) }, nil)
	}
	object.Text(f, "decision", &r.Decision)
	f.OmitEmpty().SignedInt("priority", &r.Priority)
	f.Unknown(&r.Unknown)
}
