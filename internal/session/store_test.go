package session

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"onward/internal/store"
	"onward/internal/todo"
)

func TestErrorChangesNothing(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	before := s.content(t, name)
	oops := errors.New("oops")
	_, err := s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Todos.Items = nil
		return Change{What: "cleared", List: true}, oops
	})
	if !errors.Is(err, oops) {
		t.Errorf("got %v", err)
	}
	// A document that is too large to be read is refused before anything is written.
	_, err = s.Update(name, "", noon, func(d *Document) (Change, error) {
		d.Project = strings.Repeat("a", maxDocument)
		return Change{What: "grown", List: true}, nil
	})
	if !errors.Is(err, store.ErrLimit) {
		t.Errorf("got %v", err)
	}
	if after := s.content(t, name); !bytes.Equal(before, after) {
		t.Errorf("the document changed: %s", after)
	}
	if h, err := s.History(name); err != nil || len(h) != 1 {
		t.Errorf("%d entries, %v", len(h), err)
	}
}

func TestDamagedDocumentIsUnchanged(t *testing.T) {
	for _, content := range []string{"", "\x00\x00", "{", `{"schema":"onward/session/v1","session":"other"}`, `{"schema":"onward/session/v9","min_reader":9,"session":"s"}`} {
		s := testStore(t)
		mustAdd(t, s, "a")
		s.memory.Damage(Key(name), []byte(content))
		if d, err := s.Load(name); d != nil || err == nil {
			t.Errorf("%q: loaded %v", content, d)
		}
		if _, err := addItem(s, "b"); err == nil {
			t.Errorf("%q: updated", content)
		}
		if got := s.content(t, name); string(got) != content {
			t.Errorf("%q: became %q", content, got)
		}
	}
}

// TestNewerDocumentIsReadOnly checks that a document of a newer version that allows older readers can be read but not changed.
func TestNewerDocumentIsReadOnly(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	s.memory.Damage(Key(name), store.Seal(bytes.Replace(s.content(t, name), []byte("session/v1"), []byte("session/v2"), 1)))
	if d := mustLoad(t, s); len(d.Todos.Items) != 1 {
		t.Errorf("got %+v", d)
	}
	if _, err := addItem(s, "b"); !errors.Is(err, store.ErrNewer) {
		t.Errorf("got %v", err)
	}
}

func TestApplyOperationOnce(t *testing.T) {
	s := testStore(t)
	add := func(op string) Commit {
		t.Helper()
		c, err := s.Update(name, op, noon, func(d *Document) (Change, error) {
			edit, err := todo.Add(d.Todos.Items, todo.EndPosition(), []todo.Draft{{Content: op}}, noon)
			d.Todos.Items, d.Todos.Active = edit.Items, true
			return Change{What: edit.What, By: "cli", List: true, Touched: edit.Touched}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := add("op-1")
	add("op-2")
	again := add("op-1")
	if !again.Again || !again.Changed || again.Doc.Rev != 1 || !reflect.DeepEqual(again.Change, first.Change) {
		t.Errorf("got %+v, want %+v", again, first)
	}
	if d := mustLoad(t, s); d.Rev != 2 || len(d.Todos.Items) != 2 {
		t.Errorf("it was applied again: rev %d, %d items", d.Rev, len(d.Todos.Items))
	}
	// The document keeps only the last operations; otherwise it would grow forever.
	for i := range 50 {
		add(fmt.Sprint("later-", i))
	}
	if d := mustLoad(t, s); len(d.OperationIDs) != 16 || len(d.Operations) > 24 {
		t.Errorf("%d operations are kept, %d results", len(d.OperationIDs), len(d.Operations))
	}
	if again := add("op-1"); !again.Again || again.Doc.Rev != 1 || again.Change.What != first.Change.What {
		t.Errorf("got %+v, want %+v", again, first)
	}
}

// TestApplyOperationAfterFailedCommit checks that an operation is applied if an earlier attempt crashed between the history and the document.
func TestApplyOperationAfterFailedCommit(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	appendLine(t, s, `{"rev":2,"previous":1,"op":"op-1","at":"2026-01-01T09:00:00.000Z","change":"never","active":true,"items":[]}`+"\n")
	c, err := s.Update(name, "op-1", noon, func(d *Document) (Change, error) { return Change{What: "now", List: true}, nil })
	if err != nil || c.Again || c.Doc.Rev != 2 {
		t.Errorf("got %+v, %v", c, err)
	}
	again, err := s.Update(name, "op-1", noon, nil)
	if err != nil || again.Change.What != "now" {
		t.Errorf("got %+v, %v", again, err)
	}
}

func TestMembersOfANewerVersionSurvive(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	added := strings.NewReplacer(
		`{"schema"`, `{"future":{"a":[1]},"schema"`,
		`"todos":{`, `"todos":{"future":"t",`,
		`"continuation":{`, `"continuation":{"future":"c",`,
		`{"id"`, `{"future":"i","id"`,
	).Replace(string(s.content(t, name)))
	s.memory.Damage(Key(name), store.Seal([]byte(added)))
	mustAdd(t, s, "b")
	got := s.content(t, name)
	for _, want := range []string{`"future":{"a":[1]}`, `"future":"t"`, `"future":"c"`, `"future":"i"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is lost in %s", want, got)
		}
	}
}

func TestNamesDifferingOnlyInCase(t *testing.T) {
	s := testStore(t)
	save := func(n Name) error {
		_, err := s.Update(n, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil })
		return err
	}
	for _, n := range []Name{{Session: "App"}, {Session: "App", Agent: "helper"}} {
		if err := save(n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []Name{{Session: "app"}, {Session: "APP"}, {Session: "App", Agent: "Helper"}} {
		if err := save(n); !errors.Is(err, store.ErrInvalidName) {
			t.Errorf("%s: got %v", n, err)
		}
	}
	if err := save(Name{Session: "App"}); err != nil {
		t.Errorf("the old one: %v", err)
	}
}

// TestRefuseDocumentOfAnotherAgent checks that a document that was copied to another name is refused.
func TestRefuseDocumentOfAnotherAgent(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	other := Name{Session: name.Session, Agent: "helper"}
	s.memory.Damage(Key(other), s.content(t, name))
	if _, err := s.Load(other); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}
