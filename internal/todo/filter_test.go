package todo

import (
	"slices"
	"testing"
)

func TestFilter(t *testing.T) {
	items := []Item{
		{Content: "Fix the parser", Status: Completed},
		{Content: "write the notes", Status: Pending, Subtasks: []Subtask{{Content: "for the Parser"}}},
		{Content: "publish", Status: Blocked, Reason: "no PARSER key"},
	}
	for _, c := range []struct {
		name     string
		open     bool
		statuses []string
		match    string
		want     []int
	}{
		{"all", false, nil, "", []int{0, 1, 2}},
		{"open", true, nil, "", []int{1, 2}},
		{"a status", false, []string{"completed"}, "", []int{0}},
		{"open and a status", true, []string{"completed"}, "", []int{0, 1, 2}},
		{"text, subtask and reason in any case", false, nil, "parser", []int{0, 1, 2}},
		{"a text of that status", true, nil, "Fix", []int{}},
		{"nothing", false, []string{"in_progress"}, "", []int{}},
	} {
		f, err := ParseFilter(c.open, c.statuses, c.match)
		if got := f.Select(items); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if _, err := ParseFilter(false, []string{"done?"}, ""); err == nil {
		t.Error("an invalid status was accepted")
	}
}
