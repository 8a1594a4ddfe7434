package todo

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestCarryMatchesItemsToSavedOnes(t *testing.T) {
	for _, c := range []struct {
		name  string
		saved string
		list  []Item
		want  string // for each item, the index of the saved item that it is
	}{
		{"by id, whatever text and place", "·a ·b", []Item{{ID: "b", Content: "x"}, {ID: "a", Content: "b"}}, "[1 0]"},
		{"by text, whatever place", "·a ·b ·c", []Item{{Content: "c"}, {Content: "a"}, {Content: "b"}}, "[2 0 1]"},
		{"by position if only the text changed", "·a ·b", []Item{{Content: "a, but more"}, {Content: "b"}}, "[0 1]"},
		{"an id before a text", "·a ·b", []Item{{Content: "a"}, {ID: "a", Content: "x"}}, "[-1 0]"},
		{"a text before a place", "·a ·b", []Item{{Content: "b"}, {Content: "new"}}, "[1 -1]"},
		{"an item with a new id is not matched by position", "·a", []Item{{ID: "new", Content: "x"}}, "[-1]"},
		{"an id of its own does take a text", "·a", []Item{{ID: "7", Content: "a"}}, "[0]"},
		{"the same text twice", "·a", []Item{{Content: "a"}, {Content: "a"}}, "[0 -1]"},
		{"nothing saved", "", []Item{{Content: "a"}}, "[-1]"},
		{"more than there was", "·a", []Item{{Content: "a"}, {Content: "b"}}, "[0 -1]"},
	} {
		_, from := Carry(parse(c.saved), c.list, false, 0, noon)
		if got := fmt.Sprint(from); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestNewConversationHasPlansOfItsOwn: what another one left open becomes something else only if the texts are about the same.
func TestNewConversationHasPlansOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		saved, list string
		same        bool
	}{
		{"port the parser to Rust", "Inspect the repository", false},
		{"write the parser", "Write parser.", true},
		{"port the parser to Rust", "port parser", true},
		{"fix CI", "do it", false},
		{"publish the docs", "the plan and the docs", true},
		{"write tests for the lexer", "look at the README for hints", false},
		{"解析器を書く", "リポジトリを調べる", false},
	} {
		saved := []Item{{ID: "a", Content: c.saved, CreatedAt: yesterday}}
		list := []Item{{Content: c.list, Status: Completed}}
		if _, from := Carry(saved, list, false, noon, noon); (from[0] == 0) != c.same {
			t.Errorf("%q, then %q: %v", c.saved, c.list, from)
		}
		if _, from := Carry(saved, list, false, yesterday, noon); from[0] != 0 {
			t.Errorf("%q becomes %q in the conversation that wrote it: %v", c.saved, c.list, from)
		}
	}
}

func TestCarryKeepsOmittedMembers(t *testing.T) {
	saved := parse("?a(·x)")
	saved[0].Priority, saved[0].ActiveForm, saved[0].Reason = High, "doing a", "no key"
	saved[0].BlockedBy, saved[0].Unknown = []string{"b"}, []byte(`{"colour":"red"}`)
	out, _ := Carry(saved, []Item{{Content: "a", Status: Blocked}}, false, 0, noon)
	if !Equal(out, saved) {
		t.Errorf("got %+v, want %+v", out, saved)
	}
	// The active form and the reason belong to the old text.
	out, _ = Carry(saved, []Item{{ID: "a", Content: "b", Status: Pending}}, false, 0, noon)
	if it := out[0]; it.ActiveForm != "" || it.Reason != "" || it.UpdatedAt != noon || it.CreatedAt != yesterday {
		t.Errorf("got %+v", it)
	}
}

func TestCarryWithInferredStatuses(t *testing.T) {
	for _, c := range []struct{ saved, written, told, inferred Status }{
		{InProgress, Pending, Pending, InProgress},
		{Blocked, Pending, Pending, Blocked},
		{Completed, Pending, Pending, Pending}, // even an inferred status says that the item is open
		{Pending, Completed, Completed, Completed},
		{Pending, InProgress, InProgress, InProgress},
		{InProgress, "", Pending, Pending},
	} {
		saved := []Item{{ID: "a", Content: "a", Status: c.saved}}
		for inferred, want := range map[bool]Status{false: c.told, true: c.inferred} {
			if c.written == "" && inferred {
				continue
			}
			out, _ := Carry(saved, []Item{{Content: "a", Status: c.written}}, inferred, 0, noon)
			if out[0].Status != want {
				t.Errorf("saved %s, written %q, inferred %v: got %s, want %s", c.saved, c.written, inferred, out[0].Status, want)
			}
		}
	}
}

func TestCarryClosesAndNames(t *testing.T) {
	out, _ := Carry(parse("·a(·x)"), []Item{
		{Content: "a", Status: Completed},
		{Content: "b", Subtasks: []Subtask{{Content: "y"}}},
	}, false, 0, noon)
	if got := show(out); got != "xa(xx) ·b(·y)" {
		t.Errorf("got %s", got)
	}
	if out[0].ID != "a" || out[0].CompletedAt != noon {
		t.Errorf("got %+v", out[0])
	}
	if out[1].ID == "" || out[1].CreatedAt != noon || out[1].Subtasks[0].ID == "" {
		t.Errorf("got %+v", out[1])
	}
}

func someItems(label string) *rapid.Generator[[]Item] {
	return rapid.Custom(func(t *rapid.T) []Item {
		items := make([]Item, rapid.IntRange(0, 6).Draw(t, label))
		used := map[string]bool{}
		for i := range items {
			it := &items[i]
			// Few texts and ids, so that they often match.
			it.Content = rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "text")
			it.Status = rapid.SampledFrom(append(Statuses(), "")).Draw(t, "status")
			if id := rapid.SampledFrom([]string{"", "1", "2", "3"}).Draw(t, "id"); !used[id] {
				it.ID = id
				used[id] = id != ""
			}
			for range rapid.IntRange(0, 2).Draw(t, "parts") {
				it.Subtasks = append(it.Subtasks, Subtask{Content: "x", Status: it.Status})
			}
		}
		return items
	})
}

// TestCarryOfItsOwnOutputChangesNothing checks that a list that is written again does not change. Agents often write the same list,
// and each change would cause a commit and an entry in the history.
func TestCarryOfItsOwnOutputChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		saved, _ := Carry(nil, someItems("saved").Draw(t, "saved"), false, 0, yesterday)
		list := someItems("list").Draw(t, "list")
		before := deepCopy(saved)
		inferred := rapid.Bool().Draw(t, "inferred")
		first, _ := Carry(saved, list, inferred, 0, noon)
		if !Equal(saved, before) {
			t.Fatal("the saved list was changed")
		}
		second, from := Carry(first, first, inferred, 0, noon+1)
		if !Equal(first, second) {
			t.Fatalf("got  %+v\nwant %+v", second, first)
		}
		for i := range from {
			if from[i] != i {
				t.Fatalf("item %d continues %d", i, from[i])
			}
		}
		ids := map[string]bool{}
		for _, it := range first {
			if it.ID == "" || ids[it.ID] {
				t.Fatalf("id %q", it.ID)
			}
			ids[it.ID] = true
		}
	})
}

func TestMergePrependsUnnamedItems(t *testing.T) {
	got := show(Merge(parse("·a ·b ·c"), parse("xb ·d")))
	if got != "·a ·c xb ·d" {
		t.Errorf("got %s", got)
	}
}

// TestDuplicateID checks that only the first of two items keeps a duplicate id; otherwise the list could not be read again.
func TestDuplicateID(t *testing.T) {
	got, _ := Carry(nil, []Item{{ID: "1", Content: "x"}, {ID: "1", Content: "y"}}, false, 0, 1)
	if got[0].ID != "1" || got[1].ID == "1" || got[1].ID == "" {
		t.Errorf("got ids %q and %q", got[0].ID, got[1].ID)
	}
}

// TestCarryKeepsIDsUnique checks lists in which a subtask has the id of an item, from the new list or from the saved one.
func TestCarryKeepsIDsUnique(t *testing.T) {
	saved := []Item{{ID: "a", Content: "one", Status: Pending, Subtasks: []Subtask{{ID: "b", Content: "part", Status: Pending}}}}
	list := []Item{
		{ID: "a", Content: "one"},
		{ID: "b", Content: "two", Subtasks: []Subtask{{ID: "a", Content: "x"}, {ID: "c", Content: "y"}, {ID: "c", Content: "z"}}},
	}
	out, _ := Carry(saved, list, false, 0, 1)
	seen := map[string]bool{"": true}
	for _, it := range out {
		ids := []string{it.ID}
		for _, sub := range it.Subtasks {
			ids = append(ids, sub.ID)
		}
		for _, id := range ids {
			if seen[id] {
				t.Errorf("the id %q is duplicated, or is none: %+v", id, out)
			}
			seen[id] = true
		}
	}
	if out[0].ID != "a" || out[1].ID != "b" {
		t.Errorf("the items lost their ids: %+v", out)
	}
}
