package find

import (
	"slices"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

func TestSavedGates(t *testing.T) {
	list := func(gate string, ofItems ...string) *session.Document {
		doc := &session.Document{Settings: map[string]string{"gate": gate}}
		doc.Todos.Active = true
		for i, command := range ofItems {
			doc.Todos.Items = append(doc.Todos.Items, todo.Item{ID: string(rune('a' + i)), Content: "item", Gate: &todo.Gate{Command: command}})
		}
		return doc
	}
	project := func(gate string) *session.ProjectSettings {
		return &session.ProjectSettings{Project: "/src/app", Values: map[string]string{"gate": gate}}
	}
	for _, c := range []struct {
		name    string
		doc     *session.Document
		project *session.ProjectSettings
		want    SavedGates
	}{
		{"nothing is saved", nil, nil, SavedGates{Where: continuation.FromSession}},
		{"the list has one", list("make test"), project("make check"), SavedGates{Command: "make test", Where: continuation.FromSession}},
		{"the project has one", list(""), project("make check"), SavedGates{Command: "make check", Where: continuation.FromProject, Project: "/src/app"}},
		{"there is no list", nil, project("make check"), SavedGates{Command: "make check", Where: continuation.FromProject, Project: "/src/app"}},
		{"the list is without one", list("none"), project("make check"), SavedGates{Where: continuation.FromSession}},
		{"items have some", list("", "make a", "make b"), nil, SavedGates{Where: continuation.FromSession, Items: []string{"make a", "make b"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := savedGates(c.doc, c.project)
			if got.Command != c.want.Command || got.Where != c.want.Where || got.Project != c.want.Project || !slices.Equal(got.Items, c.want.Items) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestTypedGate(t *testing.T) {
	for text, want := range map[string]string{"make test": "make test", " make test\n": "make test", "none": "", " none ": "", "": "", "  ": ""} {
		if got := typedGate(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
