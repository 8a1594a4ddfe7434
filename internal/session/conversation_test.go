package session

import (
	"testing"
	"time"
)

func TestParseConversation(t *testing.T) {
	for _, c := range []struct {
		text      string
		agent, id string
		owns, ok  bool
	}{
		{"claude/a1", "claude", "a1", true, true},
		{"claude/a1/start", "claude", "a1", false, true},
		{"claude/a1/end", "claude", "a1", false, false},
		{"claude/a1/", "claude", "a1", false, false},
		{"claude/a1/start/", "claude", "a1", false, false},
		{"claude", "claude", "", true, false},
		{"/a1", "", "a1", true, false},
		{"claude//start", "claude", "", false, false},
		{"", "", "", true, false},
	} {
		got, ok := ParseConversation(c.text)
		if ok != c.ok || got.Agent != c.agent || got.ID != c.id || got.Owns != c.owns {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
}

func TestClaim(t *testing.T) {
	const live = time.Hour
	mine, others := &Process{PID: 1, Start: "1"}, &Process{PID: 2, Start: "2"}
	me := Conversation{Agent: "claude", ID: "me", Owns: true, Process: func(recorded *Process) *Process {
		if mine.Is(recorded) {
			return recorded
		}
		return mine
	}}
	guest := me
	guest.Owns = false
	for _, c := range []struct {
		name    string
		by      Conversation
		owner   *Owner
		want    string
		process *Process
	}{
		{"a list without an owner", me, nil, "me", mine},
		{"its own", me, &Owner{Session: "me", SeenAt: noon, Process: mine}, "me", mine},
		{"its own, resumed in another process", me, &Owner{Session: "me", SeenAt: noon, EndedAt: noon, Process: others}, "me", mine},
		{"a live one's", me, &Owner{Session: "other", SeenAt: noon, Process: others}, "other", others},
		{"an ended one's", me, &Owner{Session: "other", SeenAt: noon, EndedAt: noon, Process: others}, "me", mine},
		{"one that was not seen for long", me, &Owner{Session: "other", SeenAt: noon - 3_600_000}, "me", mine},
		{"one that owns nothing", guest, &Owner{Session: "other", EndedAt: noon, Process: others}, "other", others},
	} {
		doc := &Document{Owner: c.owner}
		doc.Claim(c.by, live, noon)
		if doc.Owner.Session != c.want || !doc.Owner.Process.Is(c.process) {
			t.Errorf("%s: %+v", c.name, doc.Owner)
		}
	}
	if !me.Ended(mine) || me.Ended(others) || me.Ended(nil) {
		t.Error("only what ran in the conversation's own process has ended")
	}
}

// TestCheckExists checks the errors about names without a document.
func TestCheckExists(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "one")
	for _, c := range []struct {
		name Name
		doc  *Document
		ok   bool
	}{
		{Name{Session: "other"}, nil, false},
		{Name{Session: "other"}, &Document{}, true},
		{Name{Session: "other", Agent: "a"}, nil, false},
		{Name{Session: name.Session, Agent: "a"}, nil, true},
	} {
		if err := s.CheckExists(c.name, c.doc); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.name, err)
		}
	}
}
