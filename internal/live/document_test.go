package live

import (
	"slices"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// document makes a document by changing a plain one: an active list of one item, with an owner.
func document(changes ...func(*session.Document)) *session.Document {
	doc := &session.Document{Rev: 1, Owner: &session.Owner{Agent: "codex", Session: "a"}}
	doc.Todos = session.Todos{Active: true, Items: []todo.Item{{Content: "one", Status: todo.Pending}}}
	for _, change := range changes {
		change(doc)
	}
	return doc
}

func turn(doc *session.Document)   { doc.Continuation.Turns++ }
func abort(doc *session.Document)  { doc.Continuation.AbortedAt = 7 }
func fail(doc *session.Document)   { doc.Continuation.Error = &session.Failure{At: 7, Count: 1} }
func again(doc *session.Document)  { doc.Continuation.Error = &session.Failure{At: 8, Count: 2} }
func leave(doc *session.Document)  { doc.Owner = nil }
func done(doc *session.Document)   { doc.Todos.Items[0].Status = todo.Completed }
func aside(doc *session.Document)  { doc.Todos.Active = false }
func paused(doc *session.Document) { doc.Continuation.Paused = &session.Paused{Reason: "a key"} }

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after *session.Document
		want          []continuation.Type
	}{
		{"nothing at all", nil, nil, nil},
		{"the first look", nil, document(), []continuation.Type{continuation.Todos}},
		{"the first look, at what was aborted long ago", nil, document(abort), []continuation.Type{continuation.Todos}},
		{"the first look, and no list", nil, document(aside), nil},
		{"nothing that is seen", document(), document(paused), nil},
		{"the list", document(), document(done), []continuation.Type{continuation.Todos}},
		{"the list put aside", document(), document(aside), []continuation.Type{continuation.Todos}},
		{"the file gone", document(leave), nil, []continuation.Type{continuation.Todos}},
		{"a turn", document(), document(turn), []continuation.Type{continuation.TurnEnd}},
		{"a turn with its list", document(), document(done, turn), []continuation.Type{continuation.Todos, continuation.TurnEnd}},
		{"a failed turn", document(), document(turn, fail), []continuation.Type{continuation.Error}},
		{"another failed turn", document(fail), document(turn, again), []continuation.Type{continuation.Error}},
		{"the same failure", document(fail), document(fail, paused), nil},
		{"an abort", document(), document(abort), []continuation.Type{continuation.Abort}},
		{"after an abort it goes on", document(abort), document(), []continuation.Type{continuation.Todos}},
		{"after an error it goes on", document(fail), document(), []continuation.Type{continuation.Todos}},
		{"after an abort it goes on, and no agent owns the list", document(leave, abort), document(leave), []continuation.Type{continuation.Todos}},
		{"the end of what was aborted", document(abort), document(leave), []continuation.Type{continuation.Todos, continuation.SessionEnd}},
		{"nothing after the end", document(leave), document(leave, paused), nil},
		{"a new conversation that is aborted at once", document(leave), document(abort), []continuation.Type{continuation.Abort}},
		{"the conversation's end", document(), document(leave), []continuation.Type{continuation.SessionEnd}},
		{"a new conversation", document(leave), document(), []continuation.Type{continuation.Todos}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []continuation.Type
			for _, e := range Between(c.before, c.after) {
				got = append(got, e.Type)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
