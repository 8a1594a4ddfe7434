package todo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendImportedItems(t *testing.T) {
	for _, c := range []struct{ name, items, list, want string }{
		{"to nothing", "", "·a xb", "·a xb"},
		{"behind the others", "·a", "·b(xb1)", "·a ·b(xb1)"},
		{"closed items close their subtasks", "", "xa(·a1 -a2)", "xa(xa1 -a2)"},
		{"nothing", "·a", "", "·a"},
	} {
		edit, err := untouched(t, parse(c.items), func(items []Item) (Edit, error) { return Append(items, parse(c.list), noon) })
		if got := show(edit.Items); err != nil || got != c.want || len(edit.Touched) != len(parse(c.list)) {
			t.Errorf("%s: %s, %v, touched %v, want %s", c.name, got, err, edit.Touched, c.want)
		}
	}
}

// TestAppendKeepsIDsUnique imports a list twice. The items of the second import must be new ones.
func TestAppendKeepsIDsUnique(t *testing.T) {
	list := parse("·a ·b(·c)")
	list[1].BlockedBy = []string{"a"}
	once, err := Append(nil, list, noon)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := untouched(t, once.Items, func(items []Item) (Edit, error) { return Append(items, list, noon) })
	if err != nil {
		t.Fatal(err)
	}
	items := twice.Items
	if !Equal(items[:2], list) {
		t.Errorf("the first list became %+v", items[:2])
	}
	if items[3].BlockedBy[0] != items[2].ID || items[2].ID == "a" {
		t.Errorf("b waits for %v, the new a is %q", items[3].BlockedBy, items[2].ID)
	}
	if ids := allIDs(items); len(ids) != 6 {
		t.Errorf("ids are duplicated: %v", ids)
	}
}

func allIDs(items []Item) map[string]bool {
	ids := map[string]bool{}
	for _, it := range items {
		ids[it.ID] = true
		for _, sub := range it.Subtasks {
			ids[sub.ID] = true
		}
	}
	return ids
}

func TestAppendAndReplaceOverLimit(t *testing.T) {
	many := make([]Item, MaxItems)
	for i := range many {
		many[i] = Item{Content: "a", ID: fmt.Sprint(i)}
	}
	one := []Item{{Content: "b"}}
	parts := []Item{{Content: "a", Subtasks: make([]Subtask, MaxItems+1)}}
	for name, change := range map[string]func() (Edit, error){
		"one more":            func() (Edit, error) { return Append(many, one, noon) },
		"too many items":      func() (Edit, error) { return Replace(one, slices.Concat(many, one), noon) },
		"subtasks":            func() (Edit, error) { return Append(nil, parts, noon) },
		"subtasks in a place": func() (Edit, error) { return Replace(nil, parts, noon) },
	} {
		if _, err := change(); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "at most 10000 are kept") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReplace(t *testing.T) {
	bare := func(text string) []Item { // a list from a file without ids
		items := parse(text)
		for i := range items {
			items[i].ID, items[i].CreatedAt, items[i].UpdatedAt, items[i].CompletedAt = "", 0, 0, 0
			for j := range items[i].Subtasks {
				items[i].Subtasks[j].ID = ""
			}
		}
		return items
	}
	saved := parse("·a(·a1 ·a2) ?b >c")
	saved[0].Priority, saved[1].Reason, saved[2].BlockedBy, saved[2].NativeStatus = High, "the key", []string{"a"}, "doing"

	t.Run("the parts are what the list says", func(t *testing.T) {
		edit, err := untouched(t, saved, func(items []Item) (Edit, error) {
			return Replace(items, bare("·c ·a(·new ·a2) ?b"), noon)
		})
		if got, want := show(edit.Items), "·c ·a(·new ·a2) ?b"; err != nil || got != want {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
		c, a, b := edit.Items[0], edit.Items[1], edit.Items[2]
		if c.ID != "c" || a.ID != "a" || b.ID != "b" || a.CreatedAt != yesterday {
			t.Errorf("the items lost their ids or times: %+v", edit.Items)
		}
		if a.Subtasks[0].ID != "a1" || a.Subtasks[1].ID != "a2" {
			t.Errorf("the subtasks lost their ids: %+v", a.Subtasks)
		}
		if a.Priority != "" || b.Reason != "" || a.UpdatedAt != noon {
			t.Errorf("what the list does not say is still there: %+v", edit.Items)
		}
		if !slices.Equal(c.BlockedBy, []string{"a"}) || c.NativeStatus != "" {
			t.Errorf("c is %+v", c)
		}
		if edit.What != "replaced the list with 3 items" || len(edit.Touched) != 3 {
			t.Errorf("%q, touched %v", edit.What, edit.Touched)
		}
	})
	t.Run("no subtasks means none", func(t *testing.T) {
		edit, err := Replace(saved, bare("·a"), noon)
		if got := show(edit.Items); err != nil || got != "·a" || edit.What != "replaced the list with 1 item" {
			t.Errorf("%s, %v, %q", got, err, edit.What)
		}
	})
	t.Run("the same list changes nothing", func(t *testing.T) {
		list := bare("·a(·a1 ·a2) ?b >c")
		list[0].Priority, list[1].Reason = High, "the key"
		edit, err := Replace(saved, list, noon)
		if err != nil || !Equal(edit.Items, saved) {
			t.Errorf("%v: %+v", err, edit.Items)
		}
	})
}

// TestImportedIDsAreUnique imports lists with ids that the saved list already uses, and with other ones.
func TestImportedIDsAreUnique(t *testing.T) {
	id := rapid.SampledFrom([]string{"", "1", "2", "a", "b"})
	list := func(t *rapid.T, name string) []Item {
		var items []Item
		used := map[string]bool{"": true}
		for range rapid.IntRange(0, 4).Draw(t, name) {
			it := Item{ID: id.Draw(t, "id"), Content: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "text"), Status: Pending}
			if used[it.ID] {
				it.ID = ""
			}
			used[it.ID] = true
			for range rapid.IntRange(0, 2).Draw(t, "subtasks") {
				it.Subtasks = append(it.Subtasks, Subtask{ID: id.Draw(t, "id"), Content: "z", Status: Pending})
			}
			items = append(items, it)
		}
		return items
	}
	rapid.Check(t, func(t *rapid.T) {
		first, err := Append(nil, list(t, "saved"), yesterday)
		if err != nil {
			t.Fatal(err)
		}
		change := rapid.SampledFrom([]func([]Item, []Item, Time) (Edit, error){Append, Replace}).Draw(t, "change")
		second, err := change(first.Items, list(t, "imported"), noon)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, it := range second.Items {
			n += 1 + len(it.Subtasks)
		}
		if ids := allIDs(second.Items); len(ids) != n || ids[""] {
			t.Fatalf("%d entries have the ids %v", n, ids)
		}
	})
}
