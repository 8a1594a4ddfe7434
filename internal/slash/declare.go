package slash

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/todo"
)

// schema is the schema of a file of declared commands.
const schema = "onward/commands/v1"

// ErrDeclaration marks a declared command that cannot be used.
var ErrDeclaration = errors.New("bad command")

// Declaration describes a command. One that a user or a project declares has an action, subcommands, or both.
type Declaration struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Action      *Effect       `json:"action"`
	SubCommands []Declaration `json:"subCommands"`
	Source      string        `json:"-"` // builtin, user or project
	Usage       string        `json:"-"` // of a built-in command
}

// Effect is what a declared command does. {args} in its texts is replaced by the text after the command.
type Effect struct {
	Type     Type           `json:"type"`
	Level    string         `json:"level"`    // message: info or error
	Content  string         `json:"content"`  // message, submit_prompt
	Prompt   string         `json:"prompt"`   // confirm_action
	Action   *Effect        `json:"action"`   // confirm_action: what follows the confirmation
	Commands []string       `json:"commands"` // confirm_shell_commands
	Session  string         `json:"session"`  // load_history: whose list
	Name     string         `json:"name"`     // tool
	Args     jsontext.Value `json:"args"`     // tool: an object
	Dialog   string         `json:"dialog"`   // dialog
}

// Decode reads a file of declared commands. An unknown member is an error, because
// a misspelt one would be ignored silently.
func Decode(data []byte, source string) ([]Declaration, error) {
	var file struct {
		Schema   string        `json:"schema"`
		Commands []Declaration `json:"commands"`
	}
	if err := json.Unmarshal(data, &file, json.RejectUnknownMembers(true)); err != nil {
		var wrong *json.SemanticError
		if errors.As(err, &wrong) && errors.Is(err, json.ErrUnknownName) {
			return nil, fmt.Errorf("%w: unknown member %s", ErrDeclaration, wrong.JSONPointer)
		}
		return nil, fmt.Errorf("%w: %w", ErrDeclaration, todo.DescribeJSONError(data, err))
	}
	if file.Schema != schema {
		return nil, fmt.Errorf("%w: the schema is %q, not %q", ErrDeclaration, file.Schema, schema)
	}
	for i := range file.Commands {
		file.Commands[i].Source = source
	}
	return file.Commands, check(file.Commands, "/")
}

// check refuses commands that could not be run.
func check(list []Declaration, before string) error {
	for i, d := range list {
		path := before + d.Name
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("%w: %s: %s", ErrDeclaration, path, fmt.Sprintf(format, args...))
		}
		switch {
		case d.Name == "" || len(d.Name) > 64 || strings.Trim(d.Name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "":
			return wrong("the name must have 1 to 64 lower-case letters, digits, - or _")
		case before == "/" && slices.ContainsFunc(Builtin(), func(b Declaration) bool { return b.Name == d.Name }):
			return wrong("the name is that of a built-in command")
		case slices.ContainsFunc(list[:i], func(o Declaration) bool { return o.Name == d.Name }):
			return wrong("it is declared twice")
		case d.Action == nil && len(d.SubCommands) == 0:
			return wrong("it has neither an action nor sub-commands")
		}
		if d.Action != nil {
			if why := d.Action.problem(); why != "" {
				return wrong("action: %s", why)
			}
		}
		if err := check(d.SubCommands, path+" "); err != nil {
			return err
		}
	}
	return nil
}

// problem returns why an effect is invalid: it lacks a member that its type needs, or has one of another type.
func (e *Effect) problem() string {
	members := []struct {
		name       string
		given      bool
		needs, may []Type // the types that need the member, and those that may have it
	}{
		{"level", e.Level != "", nil, []Type{Message}},
		{"content", e.Content != "", []Type{Message, SubmitPrompt}, nil},
		{"prompt", e.Prompt != "", []Type{Confirm}, nil},
		{"action", e.Action != nil, []Type{Confirm}, nil},
		{"commands", len(e.Commands) > 0, []Type{ConfirmShell}, nil},
		{"session", e.Session != "", []Type{LoadHistory}, nil},
		{"name", e.Name != "", []Type{ScheduleTool}, nil},
		{"args", e.Args != nil, nil, []Type{ScheduleTool}},
		{"dialog", e.Dialog != "", []Type{OpenDialog}, nil},
	}
	if !slices.Contains([]Type{Message, Confirm, ConfirmShell, LoadHistory, SubmitPrompt, ScheduleTool, OpenDialog, Quit}, e.Type) {
		return fmt.Sprintf("unknown type %q", e.Type)
	}
	for _, m := range members {
		if !m.given && slices.Contains(m.needs, e.Type) {
			return fmt.Sprintf("%s needs %q", e.Type, m.name)
		}
	}
	for _, m := range members {
		if m.given && !slices.Contains(m.needs, e.Type) && !slices.Contains(m.may, e.Type) {
			return fmt.Sprintf("%s has no %q", e.Type, m.name)
		}
	}
	switch {
	case e.Level != "" && e.Level != Info && e.Level != Error:
		return fmt.Sprintf("the level must be %s or %s, not %q", Info, Error, e.Level)
	case e.Args != nil && e.Args.Kind() != '{':
		return "args must be an object"
	case e.Action != nil:
		if e.Action.Type == Confirm {
			return "what is confirmed cannot ask again"
		}
		return e.Action.problem()
	}
	return ""
}

// placeholder is replaced by the text after the command.
const placeholder = "{args}"

// AcceptsArgs reports whether the effect uses the text after the command.
func (e *Effect) AcceptsArgs() bool {
	return e.Action != nil && e.Action.AcceptsArgs() ||
		strings.Contains(e.Content+e.Prompt+e.Session+string(e.Args)+strings.Join(e.Commands, ""), placeholder)
}

// WithArgs returns the effect with {args} replaced by a text.
func (e *Effect) WithArgs(args string) Effect {
	out := *e
	fill := func(s string) string { return strings.ReplaceAll(s, placeholder, args) }
	out.Content, out.Prompt, out.Session = fill(e.Content), fill(e.Prompt), fill(e.Session)
	out.Commands = nil
	for _, c := range e.Commands {
		out.Commands = append(out.Commands, fill(c))
	}
	if e.Args != nil {
		// In JSON, {args} can only occur inside a string.
		quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(args, "\uFFFD"))
		if err == nil {
			out.Args = jsontext.Value(strings.ReplaceAll(string(e.Args), placeholder, string(quoted[1:len(quoted)-1])))
		}
	}
	if e.Action != nil {
		inner := e.Action.WithArgs(args)
		out.Action = &inner
	}
	return out
}

// Find returns the declared command that a line names, with its path as typed and the text after it.
// It returns nil if no command has that name.
func Find(list []Declaration, l Line) (found *Declaration, path, rest string) {
	name, rest := l.Name, l.Rest
	for {
		i := slices.IndexFunc(list, func(d Declaration) bool { return d.Name == name })
		if i < 0 {
			return found, path, strings.TrimSpace(name + " " + rest)
		}
		found, path, list = &list[i], strings.TrimSpace(path+" "+name), list[i].SubCommands
		word, behind := cut(rest)
		if !slices.ContainsFunc(list, func(d Declaration) bool { return d.Name == word }) {
			return found, path, rest
		}
		name, rest = word, behind
	}
}
