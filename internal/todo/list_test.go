package todo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAdd(t *testing.T) {
	for _, c := range []struct{ list, at, texts, want string }{
		{"", "last", "a b", "·a ·b"},
		{"·a", "1", "b c", "·b ·c ·a"},
		{"·a", "last", "b", "·a ·b"},
		{"·a ·b", "2", "c", "·a ·c ·b"},
		{"·a ·b", "3", "c", "·a ·b ·c"},
		{"·a ·b", "id:b", "c", "·a ·c ·b"},
		{"·a", "1.1", "x y", "·a(·x ·y)"},
		{"·a(·x)", "1.last", "y", "·a(·x ·y)"},
		{"·a(·x)", "id:x", "y", "·a(·y ·x)"},
		// A new subtask reopens a finished item.
		{"xa(xx)", "1.last", "y", "·a(xx ·y)"},
	} {
		edit, err := untouched(t, parse(c.list), func(items []Item) (Edit, error) {
			var drafts []Draft
			for _, text := range strings.Fields(c.texts) {
				drafts = append(drafts, Draft{Content: text})
			}
			return Add(items, position(t, c.at), drafts, noon)
		})
		if got := show(edit.Items); err != nil || got != c.want {
			t.Errorf("add %s at %s to %q: got %s, %v, want %s", c.texts, c.at, c.list, got, err, c.want)
		}
	}
}

func TestAddAssignsUniqueIDsAndTimes(t *testing.T) {
	drafts := make([]Draft, 500)
	for i := range drafts {
		drafts[i].Content = "the same text" // the id is derived from the text
	}
	edit, err := Add(releases(), EndPosition(), drafts, noon)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, it := range edit.Items[4:] {
		if seen[it.ID] || len(it.ID) != 6 || it.ID[0] != 't' {
			t.Fatalf("id %q", it.ID)
		}
		seen[it.ID] = true
		if it.CreatedAt != noon || it.UpdatedAt != noon || it.CompletedAt != 0 {
			t.Fatalf("times of %+v", it)
		}
	}
	again, err := Add(releases(), EndPosition(), drafts, noon)
	if err != nil || !Equal(edit.Items, again.Items) {
		t.Error("the same command with the same clock gave other items")
	}
}

func TestAddWithDetails(t *testing.T) {
	edit, err := Add(releases(), position(t, "1"), []Draft{
		{Content: "  a  ", Status: Blocked, Reason: "no key", Priority: High, After: []string{"sign"}},
		{Content: "b", Status: Completed, Reason: "not blocked, so not kept"},
	}, noon)
	if err != nil {
		t.Fatal(err)
	}
	a, b := edit.Items[0], edit.Items[1]
	if a.Content != "a" || a.Status != Blocked || a.Reason != "no key" || a.Priority != High || len(a.BlockedBy) != 1 {
		t.Errorf("got %+v", a)
	}
	if b.CompletedAt != noon || b.Reason != "" {
		t.Errorf("got %+v", b)
	}
	if edit.What != "added 2 items" || edit.Touched[1].Position != "2" {
		t.Errorf("got %q, %+v", edit.What, edit.Touched)
	}
}

func TestAddRefuses(t *testing.T) {
	full := make([]Item, MaxItems)
	long := strings.Repeat("ä", MaxText/2) + "x"
	for _, c := range []struct {
		name  string
		list  []Item
		draft Draft
		want  error
	}{
		{"nothing", nil, Draft{Content: " \t\n"}, ErrSyntax},
		{"bytes that are no text", nil, Draft{Content: "a\xff"}, ErrText},
		{"NUL", nil, Draft{Content: "a\x00b"}, ErrText},
		{"a long text", nil, Draft{Content: long}, ErrLimit},
		{"one item too many", full, Draft{Content: "a"}, ErrLimit},
		{"a wait for nothing", nil, Draft{Content: "a", After: []string{"nothing"}}, ErrNotFound},
	} {
		// Either all items are added or none: the valid one before the invalid one is not added.
		edit, err := Add(c.list, EndPosition(), []Draft{{Content: "good"}, c.draft}, noon)
		if !errors.Is(err, c.want) || edit.Items != nil {
			t.Errorf("%s: got %v and %d items", c.name, err, len(edit.Items))
		}
	}
	if _, err := Add(nil, EndPosition(), []Draft{{Content: long[:MaxText]}}, noon); err != nil {
		t.Errorf("a text of just the limit: %v", err)
	}
}

func TestDelete(t *testing.T) {
	for _, c := range []struct{ args, want, what string }{
		{"1", ">build(xlinux ·mac ·windows) ?sign ·ship(·upload)", "deleted 1 item"},
		{"last", "·tests >build(xlinux ·mac ·windows) ?sign", "deleted 1 item"},
		{"2.last", "·tests >build(xlinux ·mac) ?sign ·ship(·upload)", "deleted 1 item"},
		{"2.1-2.3", "·tests >build ?sign ·ship(·upload)", "deleted 3 items"},
		{"id:mac 1", ">build(xlinux ·windows) ?sign ·ship(·upload)", "deleted 2 items"},
		{"1-3 2", "·ship(·upload)", "deleted 3 items"},
		{"2 2.1", "·tests ?sign ·ship(·upload)", "deleted 2 items"},
		{"all", "", "deleted 4 items"},
	} {
		edit, err := untouched(t, releases(), func(items []Item) (Edit, error) {
			return Delete(items, ranges(t, c.args), noon)
		})
		if got := show(edit.Items); err != nil || got != c.want || edit.What != c.what {
			t.Errorf("delete %s: got %s (%s), %v, want %s", c.args, got, edit.What, err, c.want)
		}
	}
	if edit, err := Delete(releases(), ranges(t, "1 9"), noon); !errors.Is(err, ErrNotFound) || edit.Items != nil {
		t.Errorf("one wrong position of two: got %v", err)
	}
	edit, _ := Delete(releases(), ranges(t, "1 2.1"), noon)
	if got := edit.Touched[1]; got.Position != "2.1" || got.Content != "linux" || got.Status != Completed {
		t.Errorf("a removed one is named as it stood before, got %+v", got)
	}
}

func TestSetStatus(t *testing.T) {
	for _, c := range []struct {
		list, args string
		to         Status
		want       string
	}{
		{"·a ·b", "1", InProgress, ">a ·b"},
		{"·a ·b", "all", Completed, "xa xb"},
		{"-a", "1", Blocked, "?a"}, // from any status to any
		// Closing an item closes its open subtasks, and does not change the closed ones.
		{"·a(·x >y -z xw)", "1", Completed, "xa(xx xy -z xw)"},
		{"·a(·x >y -z xw)", "1", Cancelled, "-a(-x -y -z xw)"},
		{"·a(·x)", "1", InProgress, ">a(·x)"},
		{"xa(xx)", "1", Pending, "·a(xx)"},
		// Reopening a subtask reopens its item. Completing all subtasks does not complete it.
		{"xa(xx xy)", "1.2", Pending, "·a(xx ·y)"},
		{"-a(-x)", "1.1", InProgress, "·a(>x)"},
		{"xa(xx)", "1.1", Blocked, "·a(?x)"},
		{">a(xx)", "1.1", Pending, ">a(·x)"},
		{"·a(·x)", "1.1", Completed, "·a(xx)"},
		{"xa(xx)", "1.1", Cancelled, "xa(-x)"},
	} {
		edit, err := untouched(t, parse(c.list), func(items []Item) (Edit, error) {
			return SetStatus(items, ranges(t, c.args), c.to, "", noon)
		})
		if got := show(edit.Items); err != nil || got != c.want {
			t.Errorf("%s of %s in %s: got %s, %v, want %s", c.to, c.args, c.list, got, err, c.want)
		}
	}
}

func TestSetStatusKeepsReasonsAndTimes(t *testing.T) {
	block := func(items []Item) Item {
		edit, err := SetStatus(items, ranges(t, "1"), Blocked, "no key", noon)
		if err != nil {
			t.Fatal(err)
		}
		return edit.Items[0]
	}
	it := block(parse("xa"))
	if it.Reason != "no key" || it.CompletedAt != 0 || it.UpdatedAt != noon {
		t.Errorf("blocked: got %+v", it)
	}
	edit, _ := SetStatus([]Item{it}, ranges(t, "1"), Blocked, "", noon+1)
	if got := edit.Items[0]; !got.equal(&it) {
		t.Errorf("blocked again without a reason: got %+v", got)
	}
	edit, _ = SetStatus([]Item{it}, ranges(t, "1"), Completed, "", noon+1)
	if got := edit.Items[0]; got.Reason != "" || got.CompletedAt != noon+1 || edit.What != "completed 1 item" {
		t.Errorf("completed: got %+v, %s", got, edit.What)
	}
	// If the item is already at the position, not even its time changes, so that nothing is written.
	for _, s := range Statuses() {
		items := parse(marks[s] + "a(" + marks[s] + "x)")
		edit, err := SetStatus(items, ranges(t, "1 1.1"), s, "", noon)
		if err != nil || !Equal(edit.Items, items) {
			t.Errorf("%s again changed the item", s)
		}
	}
}

func revised(items []Item, at Position, text string) (Edit, error) {
	return Revise(items, at, Revision{Content: &text}, noon)
}

func TestReword(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"1", "·new(·x) ·b"},
		{"1.1", "·a(·new) ·b"},
		{"last", "·a(·x) ·new"},
		{"id:x", "·a(·new) ·b"},
	} {
		edit, err := untouched(t, parse("·a(·x) ·b"), func(items []Item) (Edit, error) {
			return revised(items, position(t, c.at), " new ")
		})
		if got := show(edit.Items); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.at, got, err, c.want)
		}
	}
	if _, err := revised(parse("·a"), position(t, "1"), " "); !errors.Is(err, ErrSyntax) {
		t.Errorf("an empty text: got %v", err)
	}
	if _, err := revised(parse("·a"), position(t, "2"), "b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such item: got %v", err)
	}
}

func TestMoveItem(t *testing.T) {
	for _, c := range []struct{ list, from, to, want string }{
		{"·a ·b ·c", "1", "3", "·b ·c ·a"}, // the item has the given position afterwards
		{"·a ·b ·c", "3", "1", "·c ·a ·b"},
		{"·a ·b ·c", "1", "last", "·b ·c ·a"},
		{"·a ·b ·c", "2", "2", "·a ·b ·c"},
		{"·a(·x) ·b", "1", "2", "·b ·a(·x)"},
		{"·a(·x ·y ·z)", "1.1", "1.3", "·a(·y ·z ·x)"},
		{"·a(·x ·y ·z)", "1.3", "1.1", "·a(·z ·x ·y)"},
		{"·a(·x ·y) ·b", "1.1", "2.1", "·a(·y) ·b(·x)"},
		{"·a(·x ·y) ·b(·z)", "1.1", "2.last", "·a(·y) ·b(·z ·x)"},
		{"·a(·x) ·b(·z)", "id:x", "id:z", "·a ·b(·x ·z)"},
		{"·a(·x) xb", "1.1", "2.1", "·a ·b(·x)"},
		{"·a(xx) xb", "1.1", "2.1", "·a xb(xx)"},
	} {
		edit, err := untouched(t, parse(c.list), func(items []Item) (Edit, error) {
			return Move(items, position(t, c.from), position(t, c.to), noon)
		})
		if got := show(edit.Items); err != nil || got != c.want {
			t.Errorf("move %s to %s in %s: got %s, %v, want %s", c.from, c.to, c.list, got, err, c.want)
		}
	}
	for _, c := range []struct {
		from, to string
		want     error
	}{
		{"1", "2.1", ErrSyntax},
		{"2.1", "1", ErrSyntax},
		{"9", "1", ErrNotFound},
		{"1", "9", ErrNotFound},
		{"2.1", "2.9", ErrNotFound},
	} {
		if _, err := Move(releases(), position(t, c.from), position(t, c.to), noon); !errors.Is(err, c.want) {
			t.Errorf("move %s to %s: got %v", c.from, c.to, err)
		}
	}
}

func TestNextItem(t *testing.T) {
	waiting := parse("·a ·b ·c")
	waiting[0].BlockedBy = []string{"b"}
	circle := parse("·a ·b")
	circle[0].BlockedBy, circle[1].BlockedBy = []string{"b"}, []string{"a"}
	urgent := parse("·a ·b ·c ·d")
	urgent[0].Priority, urgent[2].Priority, urgent[3].Priority = Low, High, High
	over := parse("·a xb")
	over[0].BlockedBy = []string{"b", "of another list"}
	for _, c := range []struct {
		name  string
		items []Item
		want  int
	}{
		{"nothing", nil, -1},
		{"only blocked and closed", parse("?a xb -c"), -1},
		{"the item in progress, although it is not the first", parse("·a >b"), 1},
		{"the first pending", parse("xa ·b ·c"), 1},
		{"not one that waits", waiting, 1},
		{"each waits for the other", circle, -1},
		{"by priority, then by place", urgent, 2},
		{"a wait that is over", over, 0},
	} {
		if got := Next(c.items); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestCountByStatus(t *testing.T) {
	c := Count(parse("·a ·b >c xd -e ?f(·x ·y)"))
	got, err := c.MarshalJSON()
	want, of := `{"total":6,"open":4`, map[Status]int{Pending: 2, InProgress: 1, Completed: 1, Cancelled: 1, Blocked: 1}
	for _, s := range Statuses() {
		want += fmt.Sprintf(`,"%s":%d`, s, of[s])
	}
	if want += "}"; string(got) != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	sum := 0
	for _, s := range Statuses() {
		sum += c.Of(s)
	}
	if sum != c.Total {
		t.Errorf("the statuses add up to %d", sum)
	}
}

// TestReasonOnlyForBlockedItems checks that a reason for any other status is refused, since it would be lost.
func TestReasonOnlyForBlockedItems(t *testing.T) {
	items := []Item{{ID: "a", Content: "x", Status: Completed, CreatedAt: 1, UpdatedAt: 1, CompletedAt: 1}}
	for _, s := range []Status{Pending, InProgress, Completed, Cancelled} {
		if e, err := SetStatus(items, ranges(t, "all"), s, "why", 2); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: got %+v, %v", s, e.Items, err)
		}
	}
}

// TestReasonOfASubtask checks that the reason of a blocked subtask stays until it is replaced or the status changes.
func TestReasonOfASubtask(t *testing.T) {
	items := []Item{{ID: "a", Content: "x", Status: Pending, Subtasks: []Subtask{{ID: "s", Content: "y", Status: Pending}}}}
	for _, step := range []struct {
		place  string
		status Status
		reason string
		want   Subtask
	}{
		{"1.1", Blocked, "why", Subtask{ID: "s", Content: "y", Status: Blocked, Reason: "why"}},
		{"1.1", Blocked, "", Subtask{ID: "s", Content: "y", Status: Blocked, Reason: "why"}},
		{"1.1", Blocked, "other", Subtask{ID: "s", Content: "y", Status: Blocked, Reason: "other"}},
		{"1", Completed, "", Subtask{ID: "s", Content: "y", Status: Completed}},
		{"1.1", Blocked, "again", Subtask{ID: "s", Content: "y", Status: Blocked, Reason: "again"}},
		{"1.1", Pending, "", Subtask{ID: "s", Content: "y", Status: Pending}},
	} {
		e, err := SetStatus(items, ranges(t, step.place), step.status, step.reason, 2)
		if err != nil {
			t.Fatal(err)
		}
		if items = e.Items; !items[0].Subtasks[0].equal(step.want) {
			t.Errorf("%+v: got %+v", step, items[0].Subtasks[0])
		}
	}
}

// TestOnlyWhatChangesIsCounted checks that only items that were not completed before count as completed.
func TestOnlyWhatChangesIsCounted(t *testing.T) {
	items := []Item{{ID: "a", Content: "x", Status: Completed}, {ID: "b", Content: "y", Status: Pending}}
	e, err := SetStatus(items, ranges(t, "1-2"), Completed, "", 2)
	if err != nil || e.What != "completed 1 item" || len(e.Touched) != 1 || e.Touched[0].Position != "2" {
		t.Errorf("got %q, %+v, %v", e.What, e.Touched, err)
	}
}
