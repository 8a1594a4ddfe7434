package agents

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"onward/internal/agents/stream"
	"onward/internal/todo"
)

// KindOf returns the name in events of an agent, by its short name, as the owner of a list has it.
// A list that no agent wrote is onward's own.
func KindOf(name string) stream.Kind {
	if a := Find(name); a != nil && a.Kind != "" {
		return a.Kind
	}
	return stream.Onward
}

// NameOf returns the short name of the agent that has a name in events.
func NameOf(kind stream.Kind) string {
	for _, a := range all {
		if a.Kind == kind {
			return a.Name
		}
	}
	return string(kind)
}

// NewReader reads the streams of all agents from r.
func NewReader(r io.Reader, opt stream.Options) *stream.Reader {
	return stream.NewReader(r, opt, stream.Agents{Adapters: adapters(), Strangers: strangers[:], Tools: Tools(), Texts: FailureTexts()})
}

// adapters are the formats of all agents.
func adapters() []stream.Adapter {
	var list []stream.Adapter
	for _, a := range all {
		for _, format := range a.Formats {
			format.Kind, format.Source, format.Title = a.Kind, a.Name, a.Title
			list = append(list, format)
		}
	}
	return list
}

// Formats lists the names that ParseFormat accepts.
func Formats() []string {
	names := []string{string(stream.Auto)}
	for _, a := range adapters() {
		names = append(names, string(a.Format))
	}
	return names
}

// ParseFormat reads the name of a format; the empty string is auto.
func ParseFormat(name string) (stream.Format, error) {
	if name == "" {
		return stream.Auto, nil
	}
	names := Formats()
	if slices.Contains(names, name) {
		return stream.Format(name), nil
	}
	return "", &todo.UnknownWordError{Text: fmt.Sprintf("unknown format %q (one of %s)", name, strings.Join(names, ", ")), Word: name, Known: names}
}

// TodoToolHint names the switch of an agent's own todo tool, by the agent's short name;
// empty if none is known, or the environment has it on.
func TodoToolHint(name string, env func(string) string) string {
	a := Find(name)
	if a == nil || len(a.Formats) == 0 || a.TodoToolOn != nil && a.TodoToolOn(env) {
		return ""
	}
	return a.Formats[0].Hint
}
