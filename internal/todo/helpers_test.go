package todo

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

const (
	yesterday Time = 1_767_171_600_000
	noon      Time = 1_767_258_000_000
)

// marks are the characters with which show writes the statuses. One that the tests do not know has its name.
var marks = func() map[Status]string {
	known := map[Status]string{Pending: "·", InProgress: ">", Completed: "x", Cancelled: "-", Blocked: "?"}
	for _, s := range Statuses() {
		if known[s] == "" {
			known[s] = string(s) + ":"
		}
	}
	return known
}()

// show returns a list on one line, which fits into a table: `·a xb(xb1 -b2)`.
func show(items []Item) string {
	words := make([]string, len(items))
	for i, it := range items {
		words[i] = marks[it.Status] + it.Content
		if len(it.Subtasks) > 0 {
			subs := make([]string, len(it.Subtasks))
			for j, s := range it.Subtasks {
				subs[j] = marks[s.StatusOrPending()] + s.Content
			}
			words[i] += "(" + strings.Join(subs, " ") + ")"
		}
	}
	return strings.Join(words, " ")
}

// parse reads the form that show writes. The ids of the items are their texts.
func parse(text string) []Item {
	var items []Item
	inside := false
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		switch word {
		case "(":
			inside = true
			continue
		case ")":
			inside = false
			continue
		}
		status := Pending
		for s, mark := range marks {
			if rest, ok := strings.CutPrefix(word, mark); ok {
				status, word = s, rest
				break
			}
		}
		if inside {
			parent := &items[len(items)-1]
			parent.Subtasks = append(parent.Subtasks, Subtask{ID: word, Content: word, Status: status})
			continue
		}
		it := Item{ID: word, Content: word, Status: status, CreatedAt: yesterday, UpdatedAt: yesterday}
		if status == Completed {
			it.CompletedAt = yesterday
		}
		items = append(items, it)
	}
	return items
}

// releases returns four items, two of which have subtasks.
func releases() []Item { return parse("·tests >build(xlinux ·mac ·windows) ?sign ·ship(·upload)") }

func position(t testing.TB, s string) Position {
	t.Helper()
	p, err := ParsePosition(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ranges(t testing.TB, s string) []Range {
	t.Helper()
	r, err := ParseRanges(strings.Fields(s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// deepCopy returns a copy that shares no memory with the original, so that a comparison reveals writes to the original.
func deepCopy(items []Item) []Item {
	out := slices.Clone(items)
	for i := range out {
		out[i].BlockedBy = slices.Clone(out[i].BlockedBy)
		out[i].Unknown = slices.Clone(out[i].Unknown)
		if g := out[i].Gate; g != nil {
			out[i].Gate = new(*g)
		}
		if c := out[i].Claim; c != nil {
			out[i].Claim = new(*c)
		}
		out[i].Subtasks = slices.Clone(out[i].Subtasks)
		for j := range out[i].Subtasks {
			out[i].Subtasks[j].Unknown = slices.Clone(out[i].Subtasks[j].Unknown)
		}
	}
	return out
}

// untouched runs a change, and fails the test if it wrote into the given list:
// undo and the history compare a list with the one before.
func untouched(t testing.TB, items []Item, change func([]Item) (Edit, error)) (Edit, error) {
	t.Helper()
	before := deepCopy(items)
	edit, err := change(items)
	if !reflect.DeepEqual(items, before) {
		t.Fatalf("the given list was changed: %s, it was %s", show(items), show(before))
	}
	return edit, err
}
