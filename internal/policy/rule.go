// Package policy decides whether a tool call may run, must be asked for, or must not run.
package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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

// Mode says how much passes without a question.
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

// andLooser gives a mode and those that let more pass.
func (m Mode) andLooser() []Mode { return Modes()[slices.Index(Modes(), m):] }

// Rule says what is to be done with the calls that it fits. What is empty fits every call.
type Rule struct {
	Tool     string // a tool's name; * stands for any characters
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

// Same reports whether two rules say the same.
func (r *Rule) Same(o *Rule) bool {
	return r.Tool == o.Tool && r.Args == o.Args && r.Command == o.Command && r.Exact == o.Exact &&
		r.Decision == o.Decision && r.Priority == o.Priority && slices.Equal(r.Modes, o.Modes)
}

// String says what a rule is about, in words.
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

// Read reads the rule's JSON. Members that are not known come into Unknown.
func (r *Rule) Read(in *object.Reader) {
	r.Unknown = in.Object(func(name string) bool {
		switch name {
		case "tool":
			r.Tool = in.String()
		case "args_pattern":
			r.Args = in.String()
		case "command_prefix":
			r.Command = in.String()
		case "exact":
			r.Exact = in.Bool()
		case "modes":
			for _, m := range in.Strings() {
				r.Modes = append(r.Modes, Mode(m))
			}
		case "mode":
			r.Modes = append(r.Modes, Mode(in.String()))
		case "decision":
			r.Decision = Decision(in.String())
		case "priority":
			r.Priority = in.Integer()
		default:
			return false
		}
		return true
	})
	if err := r.Check(); err != nil && in.Err() == nil {
		in.Refuse("%v", err)
	}
}

// Write writes the rule's JSON.
func (r *Rule) Write(w *object.Writer) {
	w.Open('{')
	w.String("tool", r.Tool)
	w.SomeString("args_pattern", r.Args)
	w.SomeString("command_prefix", r.Command)
	if r.Exact {
		w.Bool("exact", true)
	}
	if len(r.Modes) > 0 {
		w.Name("modes")
		w.Open('[')
		for _, m := range r.Modes {
			w.Value(string(m))
		}
		w.Close(']')
	}
	w.String("decision", string(r.Decision))
	w.SomeInt("priority", r.Priority)
	w.Rest(r.Unknown)
	w.Close('}')
}
