package todo

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestDependenciesByPositionAndID(t *testing.T) {
	list := releases()
	for _, c := range []struct {
		names []string
		want  string // the expected ids or error
	}{
		{nil, ""},
		{[]string{"1"}, list[0].ID},
		{[]string{"id:" + list[1].ID, list[1].ID}, list[1].ID},
		{[]string{"last", "1"}, list[len(list)-1].ID + " " + list[0].ID},
		{[]string{"99"}, "out of range"},
		{[]string{"nothing"}, `id "nothing"`},
		{[]string{"2.1"}, "2.1 is a subtask"},
	} {
		ids, err := dependencies(list, c.names)
		got := strings.Join(ids, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q: got %s, want %s", c.names, got, c.want)
		}
	}
}

func TestReviseRefusesCircles(t *testing.T) {
	list := parse("·a ·b ·c")
	for i := range list {
		list[i].ID = list[i].Content
	}
	after := func(at string, names ...string) error {
		e, err := Revise(list, position(t, at), Revision{After: &names}, noon)
		if err == nil {
			list = e.Items
		}
		return err
	}
	if err := after("1", "1"); !errors.Is(err, ErrSyntax) {
		t.Errorf("an item after itself: %v", err)
	}
	if err := errors.Join(after("2", "1"), after("3", "2")); err != nil {
		t.Fatal(err)
	}
	if err := after("1", "3"); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "item 1 would wait for itself") {
		t.Errorf("a circle: %v", err)
	}
	if !slices.Equal(WaitsFor(list, 2), []Ref{{1, -1}}) {
		t.Errorf("item 3 waits for %v", WaitsFor(list, 2))
	}
}

func TestReviseSubtask(t *testing.T) {
	high := High
	if _, err := Revise(releases(), position(t, "2.1"), Revision{Priority: &high}, noon); !errors.Is(err, ErrSyntax) {
		t.Error(err)
	}
	if _, err := Add(releases(), position(t, "2.1"), []Draft{{Content: "x", After: []string{"1"}}}, noon); !errors.Is(err, ErrSyntax) {
		t.Error(err)
	}
}
