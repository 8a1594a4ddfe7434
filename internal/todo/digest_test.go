package todo

import "testing"

func TestDigest(t *testing.T) {
	items := func(change func([]Item)) string {
		list := []Item{
			{ID: "a", Content: "one", Status: Completed},
			{ID: "b", Content: "two", Status: Completed, Subtasks: []Subtask{{ID: "c", Content: "part"}}},
		}
		change(list)
		return Digest(list)
	}
	same := items(func([]Item) {})
	if got := items(func(l []Item) { l[0].Content, l[1].Subtasks[0].Content = "other", "words" }); got != same {
		t.Error("other words make another digest")
	}
	for name, change := range map[string]func([]Item){
		"a status":            func(l []Item) { l[0].Status = Pending },
		"an id":               func(l []Item) { l[0].ID = "x" },
		"the order":           func(l []Item) { l[0], l[1] = l[1], l[0] },
		"a subtask's status":  func(l []Item) { l[1].Subtasks[0].Status = Completed },
		"one subtask less":    func(l []Item) { l[1].Subtasks = nil },
		"an id with a status": func(l []Item) { l[0].ID = "a\" completed\n" },
	} {
		if items(change) == same {
			t.Errorf("%s makes no other digest", name)
		}
	}
}
