package session

import (
	"errors"
	"testing"
)

func TestDeletedEarlierIsSkipped(t *testing.T) {
	s := testStore(t)
	mustAdd(t, s, "a")
	if err := s.Delete(name); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Named([]string{name.String()}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
	other := Name{Session: "other", Agent: Primary}
	if _, err := s.Update(other, "", noon, func(*Document) (Change, error) { return Change{What: "x"}, nil }); err != nil {
		t.Fatal(err)
	}
	if names, err := s.Named([]string{name.String(), "other"}); err != nil || len(names) != 1 || names[0].Session != "other" {
		t.Errorf("got %v, %v", names, err)
	}
	if _, err := s.Named([]string{"never", "other"}); !errors.Is(err, ErrNoSession) {
		t.Errorf("got %v", err)
	}
}
