package session

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onward/internal/store"
)

func TestSessionNames(t *testing.T) {
	for _, id := range []string{
		"a", "7", "A", "release-1.2_final", "0198c2a4-2f6e-7cc1-9d3e-0c8f5a1b2c3d", strings.Repeat("a", maxSession),
		"com", "com10", "console", "nul-1", "a.con", "a..b", "a-", "a_",
	} {
		if err := CheckName(Name{Session: id}); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{
		"", ".", "..", ".a", "-a", "_a", "a.", "a b", "a/b", "../a", `a\b`, "a:b", "a*", "a+b", "a%2f", "a\n", "a\x00", "ä", "a\u200b", "~a",
		strings.Repeat("a", maxSession+1),
		"con", "CON", "Nul", "aux.json", "prn.a.b", "com1", "LPT9.txt", "com0",
	} {
		if err := CheckName(Name{Session: id}); !errors.Is(err, store.ErrInvalidName) {
			t.Errorf("session %q: got %v", id, err)
		}
		if id == "" {
			continue // an empty name of an agent means the main list
		}
		if err := CheckName(Name{Session: "s", Agent: id}); !errors.Is(err, store.ErrInvalidName) {
			t.Errorf("agent %q: got %v", id, err)
		}
	}
	if err := CheckName(Name{Session: "s", Agent: strings.Repeat("a", maxAgent)}); err != nil {
		t.Error(err)
	}
	if err := CheckName(Name{Session: "s", Agent: strings.Repeat("a", maxAgent+1)}); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("got %v", err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for n, want := range map[Name]string{
		{Session: "s"}:                 "s",
		{Session: "s", Agent: Primary}: "s",
		{Session: "s", Agent: "a"}:     "s+a",
	} {
		if n.String() != want {
			t.Errorf("%+v: got %s", n, n)
		}
	}
}

// TestNoBadNameTouchesTheStore checks that invalid names are refused before the store is used: this one has no backend.
func TestNoBadNameTouchesTheStore(t *testing.T) {
	s := &Store{}
	if _, err := s.Load(Name{Session: "../x"}); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Update(Name{Session: "../x"}, "", noon, nil); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Update(name, "white space", noon, nil); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("op: got %v", err)
	}
	if err := s.UpdateActivity(Name{Session: "../x"}, saw("x", noon)); !errors.Is(err, store.ErrInvalidName) {
		t.Errorf("a sign of life: got %v", err)
	}
}

func TestCleanedIDsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[-._]{0,3}[Cc]om[0-9](\.[a-z]{0,9})?`),
			rapid.StringMatching(`[a-zA-Z0-9._/ -]{0,200}`),
		).Draw(t, "text")
		id := cleanID(s, maxSession-9)
		if err := CheckName(Name{Session: id}); err != nil {
			t.Fatal(err)
		}
		if again := cleanID(id, maxSession-9); again != id {
			t.Fatalf("%q became %q", id, again)
		}
	})
}

func TestCleanedDeviceNamesStayWithinTheLimit(t *testing.T) {
	if id := cleanID("con."+strings.Repeat("a", maxSession), maxSession); len(id) > maxSession {
		t.Errorf("%d characters", len(id))
	}
}
