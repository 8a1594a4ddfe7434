package todo

import (
	"strings"
	"testing"
)

// FuzzRanges looks for a position that changes when it is written and read again.
func FuzzRanges(f *testing.F) {
	for _, seed := range []string{"1", "last", "2.1", "2.last", "id:a", "1-3", "2.1-2.3", "all", "1 2 1-9", "0", "+1", "1.", "99999999999999999999", "-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			return
		}
		ranges, err := ParseRanges(strings.Fields(text))
		if err != nil {
			return
		}
		again, err := ParseRanges(strings.Fields(strings.Join(strings.Fields(text), " ")))
		if err != nil || len(again) != len(ranges) {
			t.Fatalf("%q: %v, and then %v, %v", text, ranges, again, err)
		}
		items := []Item{{ID: "a", Content: "a", Status: Pending, Subtasks: []Subtask{{ID: "b", Content: "b"}}}, {ID: "c", Content: "c", Status: Pending}}
		before := Count(items)
		if _, err := SetStatus(items, ranges, Completed, "", 1); err == nil && Count(items) != before {
			t.Fatalf("%q changed the list it was given", text)
		}
	})
}
