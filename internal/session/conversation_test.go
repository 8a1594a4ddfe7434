package session

import (
	"testing"
	"time"

	"onward/internal/todo"
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
		doc.ClaimOwnership(c.by, live, noon)
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

// TestConversationAndOwner compares a conversation with the recorded owner of a list: whether it may change the list, need not be noted,
// and from when on the items are its own.
func TestConversationAndOwner(t *testing.T) {
	const now, stale = todo.Time(1_000_000_000), time.Hour
	owner := func(id string, seen, ended todo.Time) *Owner {
		return &Owner{Session: id, Since: 7, SeenAt: seen, EndedAt: ended}
	}
	recent, old := now-1000, now-todo.Time(stale.Milliseconds())/2
	for name, c := range map[string]struct {
		by           Conversation
		owner        *Owner
		change, seen bool
		since        todo.Time
	}{
		"nobody owns it":             {Conversation{ID: "me"}, nil, true, false, now + 1},
		"its owner":                  {Conversation{ID: "me"}, owner("me", recent, 0), true, true, 7},
		"its owner after a while":    {Conversation{ID: "me"}, owner("me", old, 0), true, false, 7},
		"its owner, resumed":         {Conversation{ID: "me"}, owner("me", recent, recent), true, false, 7},
		"another one owns it":        {Conversation{ID: "me"}, owner("you", recent, 0), false, false, now + 1},
		"another one that has ended": {Conversation{ID: "me"}, owner("you", recent, recent), true, false, now + 1},
		"no id":                      {Conversation{}, owner("you", recent, 0), false, true, 0},
		"an agent without ids":       {Conversation{Anonymous: true}, owner("you", recent, 0), true, true, 0},
	} {
		doc := &Document{Owner: c.owner}
		if change, seen, since := c.by.MayChange(doc, stale, now), c.by.WasNotedRecently(c.owner, stale, now), c.by.OwnsSince(c.owner, now); change != c.change || seen != c.seen || since != c.since {
			t.Errorf("%s: got %v, %v and %d, want %v, %v and %d", name, change, seen, since, c.change, c.seen, c.since)
		}
	}
}

// TestProcessOfAConversation: it is looked for once, unless the conversation begins or another process is recorded.
func TestProcessOfAConversation(t *testing.T) {
	found := &Process{PID: 2}
	looks := func(*Process) *Process { return found }
	unknown, known := &Owner{Session: "me"}, &Owner{Session: "me", Process: &Process{PID: 1}}
	for name, c := range map[string]struct {
		by    Conversation
		owner *Owner
		want  *Process
	}{
		"it comes":                 {Conversation{ID: "me", Process: looks}, nil, found},
		"it was not found before":  {Conversation{ID: "me", Process: looks}, unknown, nil},
		"it begins again":          {Conversation{ID: "me", Process: looks, Begins: true}, unknown, found},
		"one is recorded":          {Conversation{ID: "me", Process: looks}, known, found},
		"nobody looks":             {Conversation{ID: "me"}, known, known.Process},
		"nobody looks for another": {Conversation{ID: "you"}, known, nil},
	} {
		if got := c.by.ProcessFor(c.owner); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestWorkerOfACommand(t *testing.T) {
	agent := Conversation{Agent: "claude", ID: "s1"}
	for _, c := range []struct {
		name         string
		by           Conversation
		worker       string
		take, person bool
		want         string
		claims       bool
		takes        bool
		wrong        bool
	}{
		{"a person", Conversation{}, "", false, true, "", false, true, false},
		{"a script", Conversation{}, "", false, false, "", false, false, false},
		{"an agent", agent, "", false, false, "claude/s1", false, false, false},
		{"an agent that takes over", agent, "", true, false, "claude/s1", false, true, false},
		{"a worker", Conversation{}, "w1", false, false, "w1", true, false, false},
		{"a worker in a terminal", Conversation{}, "w1", false, true, "w1", true, false, false},
		{"a worker of an agent", agent, "w1", true, false, "w1", true, true, false},
		{"no name", Conversation{}, "a\nb", false, true, "", false, false, true},
	} {
		w, err := c.by.WorkerNamed(c.worker, c.take, func() bool { return c.person })
		if (err != nil) != c.wrong || err == nil && (w.Name != c.want || w.Claims != c.claims || w.Take != c.takes) {
			t.Errorf("%s: %+v, %v", c.name, w, err)
		}
	}
}
