package session

import (
	"strings"
	"testing"
)

// FuzzHistory looks for a history that makes a command panic or run forever.
func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"rev":1,"previous":0,"op":"a","at":"2026-01-01T09:00:00.000Z","change":"added","active":true,"items":[{"id":"a","content":"a","status":"pending"}]}` + "\n"))
	f.Add([]byte("{\"rev\":2,\"undo\":true,\"back\":2}\n"))
	f.Add([]byte("{\"rev\":2,\"previous\":2}\n\x00\n{\"rev\":1,\"undo\":true,\"back\":1}\n{"))
	s := testStore(f)
	mustAdd(f, s, "a")
	mustAdd(f, s, "b")
	f.Fuzz(func(t *testing.T, data []byte) {
		s.memory.DamageLog(Key(name), data, "")
		entries, err := s.Entries(name)
		if err != nil {
			t.Fatal(err)
		}
		chained, err := s.History(name)
		if err != nil || len(chained) > len(entries) {
			t.Fatalf("%d of %d entries, %v", len(chained), len(entries), err)
		}
		if to, undone, err := StateBefore(mustLoad(t, s), entries, 1); err == nil && (len(undone) != 1 || to.Rev >= 2) {
			t.Fatalf("back to rev %d, %d undone", to.Rev, len(undone))
		}
	})
}

// FuzzChosen searches for a project's choice that is accepted although it is not the name of a session.
func FuzzChosen(f *testing.F) {
	f.Add([]byte(`{"schema":"onward/project/v1","project":"/p","session":"a"}`))
	f.Add([]byte(`{"session":"../a"}`))
	s := testStore(f)
	p := Project{Dir: "/p", Session: "p"}
	f.Fuzz(func(t *testing.T, data []byte) {
		s.memory.Damage(p.ChoiceKey(), data)
		if id, err := s.ChosenSession(p); err == nil && CheckName(Name{Session: id}) != nil {
			t.Fatalf("chosen is %q", id)
		}
	})
}

// FuzzOrigin looks for an origin whose name contains a user, a password or a line break, or
// does not yield a valid name of a session.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{
		"https://me:secret@Example.com:443/team/app.git", "git@example.com:team/app", `"https://h/a # b" # c`, "ssh://git@[::1]:22/a", `h\u:..\/x`, "file:///x", "C:/x",
	} {
		f.Add("[remote \"origin\"]\n\turl = " + seed + "\n")
	}
	f.Fuzz(func(t *testing.T, config string) {
		origin := OriginURL(config)
		if origin == "" {
			return
		}
		host, file, _ := strings.Cut(origin, "/")
		if host == "" || file == "" || strings.Contains(host, "@") || strings.Contains(origin, "\n") {
			t.Fatalf("%q is of %q", config, origin)
		}
		p := Project{Origin: origin}
		if id, err := p.shared(); err != nil || CheckName(Name{Session: id}) != nil {
			t.Fatalf("%q: %q, %v", origin, id, err)
		}
	})
}

// FuzzActivity looks for activity that changes when it is written and read again.
func FuzzActivity(f *testing.F) {
	f.Add([]byte("post-tool 1767258000000 3\n"))
	f.Add([]byte("stop 1767258000000\n00 1\n"))
	f.Add([]byte("tool-start 1767258000000 0 0 2\n"))
	f.Add([]byte("tool-end 1767258000000 1 0a1b2c3d,00000000 2\n"))
	f.Add([]byte("a -1 1000001"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := parseActivity(data)
		if again := parseActivity([]byte(a.line())); again != a && a.Kind != "" {
			t.Fatalf("%q is %+v, and then %+v", data, a, again)
		}
	})
}
