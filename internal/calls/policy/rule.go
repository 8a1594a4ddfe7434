// Package policy decides whether a tool call may run, must be asked for, or must not run.
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
)

// Decision is what is to be done with a call.
type Decision string

// The decisions. Where rules of one priority differ, the stricter wins: deny, then ask, then allow.
const (
	Allow Decision = "allow"
	Ask   Decision = "ask"
	Deny  Decision = "deny"
)

// strictness orders decisions.
func (d Decision) strictness() int {
	return slices.Index([]Decision{Allow, Ask, Deny}, d)
}

// Mode describes how much passes without a question.
type Mode string

// The modes, from strict to loose.
const (
	Plan     Mode = "plan"      // tools that only read
	Default  Mode = "default"   // what rules and declarations let pass
	AutoEdit Mode = "auto_edit" // edit tools too
	Yolo     Mode = "yolo"      // everything that no rule is against
)

// Modes lists them, from strict to loose.
func Modes() []Mode { return []Mode{Plan, Default, AutoEdit, Yolo} }

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

// andLooser returns a mode and those that let more pass.
func (m Mode) andLooser() []Mode { return Modes()[slices.Index(Modes(), m):] }

// Rule is a decision about the calls that it matches. An empty member matches every call.
type Rule struct {
	Tool     string // a tool's name; * matches any characters
	Args     string // a regular expression on the arguments as JSON with sorted names
	Command  string // the first words of a shell command
	Exact    bool   // these are all its words
	Modes    []Mode
	Decision Decision
	Priority int // the highest wins; 0 where none is given
	Unknown  jsontext.Value

	args *regexp.Regexp // of Args, compiled by Check
}

// Check refuses a rule that makes no sense, and makes one that does ready for use.
func (r *Rule) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrRule, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Decision.strictness() < 0:
		return bad("the decision must be allow, deny or ask, not %q", r.Decision)
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

// CheckPlain refuses a rule that can never allow anything, because its command is not plain.
// Check leaves it out: an older version may have made such a rule for a session, where it does nothing.
func (r *Rule) CheckPlain() error {
	if r.Decision != Allow || r.Command == "" {
		return nil
	}
	_, unplain := shell.Plain(r.Command)
	if unplain == "" {
		return nil
	}
	var instead []string
	quoted, beginning := shell.Nearest(r.Command)
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

// Same reports whether two rules are equal.
func (r *Rule) Same(o *Rule) bool {
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

// Check refuses the first rule that makes no sense, and makes the others ready for use.
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
	f.OmitEmpty().Integer("priority", &r.Priority)
	f.Rest(&r.Unknown)
}
