// Package tool contains the declarations of tools: their arguments, and what they run.
package tool

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
)

// ErrDeclaration marks a declaration that cannot be used.
var ErrDeclaration = errors.New("bad declaration")

// Kind is what the policy and the scheduler need to know about a tool's effects.
type Kind string

// The kinds. Tools that read or fetch may run at the same time; any other runs alone.
const (
	Read    Kind = "read"
	Edit    Kind = "edit"
	Execute Kind = "execute"
	Fetch   Kind = "fetch"
	Other   Kind = "other"
)

// Limits of a declaration.
const (
	defaultOutput  = 40_000           // characters of output that are kept
	maxOutput      = 1_000_000        // the most that a declaration may ask for
	DefaultTimeout = 10 * time.Minute // if neither the declaration nor the caller names one
)

// Tool is one declaration.
type Tool struct {
	Name        string
	Description string
	Parameters  jsontext.Value // a JSON Schema; none accepts any object
	Command     []string       // the program and its arguments; {name} is an argument of the call
	Stdin       string         // "args": the arguments as JSON; empty: nothing
	Kind        Kind
	Confirm     string        // never, ask or always
	Timeout     time.Duration // 0 if none is given
	Env         []string      // the variables of the environment that it gets
	Cwd         string        // the folder that it runs in; empty is the one of the call
	MaxOutput   int           // characters of each stream
	Source      string        // built in, user or project
	Hash        string        // of the declaration, so that a change is noticed

	file string // where it is declared
}

// Builtin reports whether the program itself is the tool.
func (t *Tool) Builtin() bool { return t.Source == builtIn }

// Parallel reports whether the tool may run next to others.
func (t *Tool) Parallel() bool { return t.Kind == Read || t.Kind == Fetch }

// PolicyQuestion asks the policy about a call of the tool.
func (t *Tool) PolicyQuestion(args jsontext.Value, mode policy.Mode) policy.Question {
	q := policy.Question{
		Tool: t.Name, Reads: t.Kind == Read, Edits: t.Kind == Edit, Confirm: t.Confirm, Args: args, Mode: mode,
		Internal: t.Builtin() && t.Name != policy.ShellTool,
	}
	if t.Builtin() && t.Name == policy.ShellTool {
		q.Command = TextArg(args, "command")
	}
	return q
}

// TextArg returns an argument that is a string.
func TextArg(args jsontext.Value, name string) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return ""
	}
	s, _ := m[name].(string)
	return s
}

// Argv returns the program and its arguments for a call. A string is unchanged, anything else is JSON;
// a word is left out if the call does not have its argument.
func (t *Tool) Argv(args jsontext.Value) ([]string, error) {
	var values map[string]jsontext.Value
	if err := json.Unmarshal(args, &values); err != nil {
		return nil, err
	}
	var argv []string
	for _, word := range t.Command {
		name, ok := placeholder(word)
		if !ok {
			argv = append(argv, word)
			continue
		}
		v, given := values[name]
		if !given || v.Kind() == 'n' {
			continue
		}
		text := string(v)
		if v.Kind() == '"' {
			if err := json.Unmarshal(v, &text); err != nil {
				return nil, err
			}
		}
		if strings.ContainsRune(text, 0) {
			return nil, fmt.Errorf("%s holds a NUL character, which no argument can", name)
		}
		argv = append(argv, text)
	}
	return argv, nil
}

// placeholder reports whether a word of a command is replaced by an argument.
func placeholder(word string) (string, bool) {
	name, open := strings.CutPrefix(word, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, open && closed && isName(name)
}

func isName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return s != "" && len(s) <= 64 && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"0123456789-.") == ""
}

// complete checks a declaration and fills in what it leaves out.
func (t *Tool) complete() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: tool %q: %s", ErrDeclaration, t.Name, fmt.Sprintf(format, args...))
	}
	t.Stdin = cmp.Or(t.Stdin, "none")
	t.Kind = cmp.Or(t.Kind, Other)
	if t.Confirm == "" {
		t.Confirm = "ask"
		if t.Kind == Read {
			t.Confirm = "never"
		}
	}
	t.MaxOutput = cmp.Or(t.MaxOutput, defaultOutput)
	switch {
	case !isName(t.Name):
		return bad("a name is letters, digits, dot, dash and underscore, at most 64, and begins with a letter")
	case !t.Builtin() && (len(t.Command) == 0 || t.Command[0] == ""):
		return bad("it has no command")
	case t.Stdin != "args" && t.Stdin != "none":
		return bad("stdin must be args or none, not %q", t.Stdin)
	case !slices.Contains([]Kind{Read, Edit, Execute, Fetch, Other}, t.Kind):
		return bad("kind must be read, edit, execute, fetch or other, not %q", t.Kind)
	case !slices.Contains([]string{"never", "ask", "always"}, t.Confirm):
		return bad("confirm must be never, ask or always, not %q", t.Confirm)
	case t.MaxOutput < 100 || t.MaxOutput > maxOutput:
		return bad("max_output must be from 100 to %d", maxOutput)
	}
	for _, name := range t.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return bad("env holds %q, which is not the name of a variable", name)
		}
	}
	return t.checkCommand(bad)
}

// checkCommand returns an error for placeholders that would not work.
func (t *Tool) checkCommand(bad func(string, ...any) error) error {
	var declared struct {
		Properties map[string]jsontext.Value `json:"properties"`
	}
	if len(t.Parameters) > 0 {
		if err := json.Unmarshal(t.Parameters, &declared); err != nil {
			return bad("parameters: %v", err)
		}
	}
	for i, word := range t.Command {
		if strings.ContainsRune(word, 0) {
			return bad("the command holds a NUL character")
		}
		name, is := placeholder(word)
		if is && i == 0 {
			return bad("the program itself cannot be an argument of the call")
		}
		if _, ok := declared.Properties[name]; is && !ok {
			return bad("{%s} is not among the parameters", name)
		}
		for name := range declared.Properties {
			if !is && strings.Contains(word, "{"+name+"}") {
				return bad("{%s} must be a whole argument, not a part of %q", name, word)
			}
		}
	}
	return nil
}
