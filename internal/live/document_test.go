package live

import (
	"slices"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// document applies changes to a document with an owner and an active list of one item, and returns it.
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

func TestEventsBetweenDocuments(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after *session.Document
		want          []continuation.Type
	}{
		{"nothing at all", nil, nil, nil},
		{"the first look", nil, document(), []continuation.Type{continuation.Todos}},
		{"the first look, at a turn that was aborted long ago", nil, document(abort), []continuation.Type{continuation.Todos}},
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
		{"it continues after an abort", document(abort), document(), []continuation.Type{continuation.Todos}},
		{"it continues after an error", document(fail), document(), []continuation.Type{continuation.Todos}},
		{"it continues after an abort, and no agent owns the list", document(leave, abort), document(leave), []continuation.Type{continuation.Todos}},
		{"the end of an aborted conversation", document(abort), document(leave), []continuation.Type{continuation.Todos, continuation.SessionEnd}},
		{"nothing after the end", document(leave), document(leave, paused), nil},
		{"a new conversation that is aborted immediately", document(leave), document(abort), []continuation.Type{continuation.Abort}},
		{"the conversation's end", document(), document(leave), []continuation.Type{continuation.SessionEnd}},
		{"a new conversation", document(leave), document(), []continuation.Type{continuation.Todos}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []continuation.Type
			for _, e := range EventsBetween(c.before, c.after) {
				got = append(got, e.Type)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestWhyNothingIsShown(t *testing.T) {
	empty := document(func(doc *session.Document) { doc.Todos.Items = nil })
	never := document(aside, func(doc *session.Document) { doc.Todos.Items = nil })
	for _, c := range []struct {
		doc          *session.Document
		list, reason string
	}{
		{nil, "no list", "no list"},
		{empty, "the list is empty", "the list is empty"},
		{never, "no active list", "no active list"},
		{document(aside), "no active list (the last one was archived)", "no active list (the last one was archived)"},
		{document(abort), "the list is empty", "the turn was aborted"},
		{document(fail, func(doc *session.Document) { doc.Continuation.Error.Class = "auth" }), "the list is empty", "the agent's last turn failed: it is not logged in"},
		{document(leave), "the list is empty", "the conversation is over"},
	} {
		if list, reason := WhyNoItems(c.doc), WhyNoList(c.doc); list != c.list || reason != c.reason {
			t.Errorf("%q %q, want %q %q", list, reason, c.list, c.reason)
		}
	}
}

func TestWriter(t *testing.T) {
	derived := session.Name{Session: "api-0123456789abcdef0123456789abcdef"}
	for _, c := range []struct {
		name session.Name
		doc  *session.Document
		want string
	}{
		{session.Name{Session: "demo"}, document(), "codex"},
		{session.Name{Session: "demo"}, document(leave), "demo"},
		{derived, document(leave), "api"},
		{derived, nil, "api"},
	} {
		if got := ListWriter(c.name, c.doc); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestGateRan(t *testing.T) {
	gate := func(rev uint64) *session.Document {
		return document(func(doc *session.Document) { doc.Continuation.Gate = &session.GateResult{Rev: rev} })
	}
	for _, c := range []struct {
		before, after *session.Document
		want          bool
	}{
		{nil, gate(1), false},
		{gate(1), nil, false},
		{document(), document(), false},
		{document(), gate(1), true},
		{gate(1), gate(1), false},
		{gate(1), gate(2), true},
	} {
		if got := GateRan(c.before, c.after); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
