package continuation

import (
	"errors"
	"testing"

	"onward/internal/session"
	"onward/internal/todo"
)

func TestImport(t *testing.T) {
	more := []todo.Item{{Content: "more", Status: todo.Pending}}
	for _, c := range []struct {
		name    string
		items   []todo.Item
		replace bool
		want    int // number of items
		active  bool
		changed bool
	}{
		{"items are appended", more, false, 4, true, true},
		{"items replace the list", more, true, 1, true, true},
		{"no items change nothing", nil, false, 3, true, false},
		{"no items in place of the list clear it", nil, true, 0, false, true},
	} {
		doc := document()
		did, err := Import(doc, c.items, c.replace, todo.ByUser, noon)
		if err != nil || (did.What != "") != c.changed || len(doc.Todos.Current()) != c.want || doc.Todos.Active != c.active {
			t.Errorf("%s: %+v, %v, %+v", c.name, did, err, doc.Todos)
		}
	}
	long := make([]todo.Item, todo.MaxItems)
	for i := range long {
		long[i] = more[0]
	}
	doc := document()
	if _, err := Import(doc, long, false, "", noon); !errors.Is(err, todo.ErrLimit) || len(doc.Todos.Items) != 3 {
		t.Errorf("%v, %d items", err, len(doc.Todos.Items))
	}
}

func TestUndo(t *testing.T) {
	doc := document()
	doc.Todos.Rev = 3
	entries := []session.Entry{
		{Rev: 1, Active: true, Items: []todo.Item{item("a", todo.Pending)}, Change: "added a"},
		{Rev: 2, Previous: 1, Active: true, Items: []todo.Item{item("a", todo.Pending), item("b", todo.Pending)}, Change: "added b"},
		{Rev: 3, Previous: 2, Active: true, Items: doc.Todos.Items, Change: "added c"},
	}
	for n, want := range []string{1: "undid: added c", 2: "undid 2 changes, back to before: added b", 3: "undid 3 changes, back to before: added a"} {
		if n == 0 {
			continue
		}
		d := *doc
		did, err := Undo(&d, entries, n, true, false, noon)
		if err != nil || did.What != want || len(d.Todos.Items) != 3-n {
			t.Errorf("%d: %+v, %v, %d items", n, did, err, len(d.Todos.Items))
		}
	}
	if _, err := Undo(doc, entries, 4, true, false, noon); !errors.Is(err, session.ErrNoChange) {
		t.Error(err)
	}
}

func TestGateHolds(t *testing.T) {
	own := map[string]string{"gate": "go test ./..."}
	for _, c := range []struct {
		doc  *session.Document
		want bool
	}{
		{nil, true},
		{&session.Document{Agent: session.Primary}, true},
		{&session.Document{Agent: "scout"}, false},
		{&session.Document{Agent: "scout", Settings: own}, true},
	} {
		if got := (&Settings{}).GateAppliesTo(c.doc); got != c.want {
			t.Errorf("%+v: %v", c.doc, got)
		}
	}
}

func TestStandingMatters(t *testing.T) {
	for _, c := range []struct {
		is   Standing
		want bool
	}{
		{Standing{}, false},
		{Standing{Attention: AttentionContinuing, Reason: "continue"}, false},
		{Standing{Attention: AttentionStopped, Reason: "stopped"}, false},
		{Standing{State: IsEmpty, Attention: AttentionDone, Reason: ReasonNoList}, false},
		{Standing{Attention: AttentionDone, Reason: "done"}, true},
		{Standing{Attention: AttentionUser, Reason: "paused"}, true},
		{Standing{Attention: AttentionStalled, Reason: "continue"}, true},
	} {
		if got := c.is.NotifiesUser(); got != c.want {
			t.Errorf("%+v: %v", c.is, got)
		}
	}
}

func TestCountdownOfThePlace(t *testing.T) {
	for _, c := range []struct {
		text string
		user bool
		want string
	}{{"auto", true, "2s"}, {"auto", false, "0s"}, {"0s", true, "0s"}, {"5s", false, "5s"}} {
		set, _, err := Resolve(Source{Get: func(key string) (string, bool) { return c.text, key == "countdown" }})
		if got := set.CountdownFor(c.user).String(); err != nil || got != c.want {
			t.Errorf("%s, user %v: %s, %v", c.text, c.user, got, err)
		}
	}
}

// TestUndoOfAgent leaves what the user did: an agent's undo that would reach it is refused.
func TestUndoOfAgent(t *testing.T) {
	entries := []session.Entry{{Rev: 1, Change: "added 1 item"}, {Rev: 2, Previous: 1, Change: "deleted 1 item", Person: true}, {Rev: 3, Previous: 2, Change: "completed 1 item"}}
	for n, refused := range map[int]bool{1: false, 2: true, 3: true} {
		doc := &session.Document{Rev: 3, Todos: session.Todos{Active: true, Rev: 3}}
		if _, err := Undo(doc, entries, n, false, true, noon); errors.Is(err, todo.ErrForbidden) != refused {
			t.Errorf("the agent undoes %d: %v", n, err)
		}
		if did, err := Undo(doc, entries, n, true, false, noon); err != nil || !did.Person {
			t.Errorf("the user undoes %d: %+v, %v", n, did, err)
		}
	}
}
