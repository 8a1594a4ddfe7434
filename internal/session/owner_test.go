package session

import (
	"testing"
	"time"

	"onward/internal/todo"
)

// owned saves a list with an owner; nil means no owner.
func owned(t *testing.T, s *kept, id string, owner *Owner) {
	t.Helper()
	_, err := s.Update(Name{Session: id}, "", noon, func(doc *Document) (Change, error) {
		doc.Owner = owner
		return Change{What: "owner"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSessionByOwner(t *testing.T) {
	const live = 2 * time.Hour
	now := noon + todo.Time(time.Hour/time.Millisecond)
	other := &Owner{Agent: "claude", Session: "other", SeenAt: noon}
	for _, c := range []struct {
		name   string
		meant  *Owner // owner of the session that is meant
		own    *Owner // owner of the session with the caller's id; nil if there is no such session
		caller string
		want   string
	}{
		{"the list has no owner", nil, nil, "me", "project"},
		{"the caller has it", &Owner{Session: "me", SeenAt: noon}, nil, "me", "project"},
		{"the caller has it since long ago", &Owner{Session: "me", SeenAt: noon - 1e9}, nil, "me", "project"},
		{"another one has it", other, nil, "me", "me"},
		{"another one had it", &Owner{Session: "other", SeenAt: noon, EndedAt: noon}, nil, "me", "project"},
		{"another one was not seen for long", &Owner{Session: "other", SeenAt: noon - 1e8}, nil, "me", "project"},
		{"an owner without a name", &Owner{SeenAt: noon}, nil, "me", "project"},
		{"a caller without a name", other, nil, "", "project"},
		{"an id that cannot name a file", other, nil, "a/b:c", "a-b-c"},
		{"a newcomer stays in its session after the other one ended", nil, &Owner{Session: "me", SeenAt: noon}, "me", "me"},
		{"a session of that name belongs to another user", nil, &Owner{Session: "x", SeenAt: noon}, "me", "project"},
	} {
		s := testStore(t)
		meant := Name{Session: "project"}
		owned(t, s, "project", c.meant)
		if c.own != nil {
			owned(t, s, "me", c.own)
		}
		doc, err := s.Load(meant)
		if err != nil {
			t.Fatal(err)
		}
		got, there, err := s.ListFor(meant, doc, c.caller, live, now)
		if err != nil || got.Session != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, got, err, c.want)
		}
		if there != nil && there.Session != got.Session {
			t.Errorf("%s: the document is of %s, not %s", c.name, there.Session, got)
		}
	}
}

func TestRepeatedOwnershipKeepsStartTime(t *testing.T) {
	var doc Document
	if doc.SetOwner(Conversation{Agent: "claude"}, noon); doc.Owner != nil {
		t.Errorf("nobody owns the list: %+v", doc.Owner)
	}
	doc.SetOwner(Conversation{Agent: "claude", ID: "a"}, noon)
	doc.Owner.EndedAt = noon + 1
	doc.SetOwner(Conversation{Agent: "claude", ID: "a"}, noon+2)
	if o := *doc.Owner; o.Since != noon || o.SeenAt != noon+2 || o.EndedAt != 0 {
		t.Errorf("got %+v", o)
	}
	doc.SetOwner(Conversation{Agent: "other", ID: "a"}, noon+2)
	if o := *doc.Owner; o.Since != noon || o.Agent != "other" {
		t.Errorf("got %+v", o)
	}
	if doc.SetOwner(Conversation{Agent: "codex", ID: "b"}, noon+3); doc.Owner.Since != noon+3 || doc.Owner.Agent != "codex" {
		t.Errorf("got %+v", doc.Owner)
	}
}
