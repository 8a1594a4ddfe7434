package todo

import (
	"errors"
	"slices"
	"testing"
)

// guardedList is a list with an item of an agent, one of the user, one with a gate, and one of an agent with a subtask of the user.
func guardedList() []Item {
	return []Item{
		{ID: "a", Content: "of the agent", Status: Pending},
		{ID: "u", Content: "of the user", Status: Pending, By: ByUser},
		{ID: "g", Content: "gated", Status: Completed, Gate: &Gate{Command: "make"}},
		{ID: "p", Content: "with parts", Status: Pending, Subtasks: []Subtask{{ID: "p1", Content: "one", By: ByUser}, {ID: "p2", Content: "two"}}},
	}
}

func TestAuthorityCheck(t *testing.T) {
	part := func(items []Item, j int) *Subtask {
		items[3].Subtasks = slices.Clone(items[3].Subtasks)
		return &items[3].Subtasks[j]
	}
	without := func(items []Item, i int) []Item { return slices.Delete(items, i, i+1) }
	for _, c := range []struct {
		name   string
		change func([]Item) []Item
		want   string // in a turn that the user began
		alone  string
	}{
		{"nothing", func(l []Item) []Item { return l }, "", ""},
		{"delete the agent's", func(l []Item) []Item { return without(l, 0) }, "", ""},
		{"delete the user's", func(l []Item) []Item { return without(l, 1) }, "item 2 is the user's: an agent may not delete it", "item 2 is the user's: an agent may not delete it"},
		{"delete a completed one with a gate", func(l []Item) []Item { return without(l, 2) }, "item 3 has a gate: an agent may not delete it", "item 3 has a gate: an agent may not delete it"},
		{"delete an item with a user's part", func(l []Item) []Item { return without(l, 3) }, "item 4.1 is the user's: an agent may not delete it", "item 4.1 is the user's: an agent may not delete it"},
		{"cancel the agent's", func(l []Item) []Item { l[0].Status = Cancelled; return l }, "", ""},
		{"cancel the user's", func(l []Item) []Item { l[1].Status = Cancelled; return l }, "", "item 2 is the user's: an agent may not cancel it"},
		{"cancel one with a gate", func(l []Item) []Item { l[2].Status = Cancelled; return l }, "item 3 has a gate: an agent may not cancel it", "item 3 has a gate: an agent may not cancel it"},
		{"cancel the user's part", func(l []Item) []Item { part(l, 0).Status = Cancelled; return l }, "", "item 4.1 is the user's: an agent may not cancel it"},
		{"cancel an item with the user's part", func(l []Item) []Item { l[3].Status = Cancelled; l[3].closeSubtasks(); return l }, "", "item 4.1 is the user's: an agent may not cancel it"},
		{"reword the agent's", func(l []Item) []Item { l[0].Content = "x"; return l }, "", ""},
		{"reword the user's", func(l []Item) []Item { l[1].Content = "x"; return l }, "item 2 is the user's: an agent may not edit it", "item 2 is the user's: an agent may not edit it"},
		{"reword one with a gate", func(l []Item) []Item { l[2].Content = "x"; return l }, "item 3 has a gate: an agent may not edit it", "item 3 has a gate: an agent may not edit it"},
		{"reword the user's part", func(l []Item) []Item { part(l, 0).Content = "x"; return l }, "item 4.1 is the user's: an agent may not edit it", "item 4.1 is the user's: an agent may not edit it"},
		{"reword the agent's part", func(l []Item) []Item { part(l, 1).Content = "x"; return l }, "", ""},
		{"dependencies of the user's", func(l []Item) []Item { l[1].BlockedBy = []string{"a"}; return l }, "item 2 is the user's: an agent may not edit it", "item 2 is the user's: an agent may not edit it"},
		{"statuses and reasons", func(l []Item) []Item { l[1].Status, l[1].Reason = Blocked, "no key"; l[2].Status = Pending; return l }, "", ""},
		{"add a part to the user's", func(l []Item) []Item { l[1].Subtasks = []Subtask{{ID: "n", Content: "step"}}; return l }, "", ""},
		{"reorder", func(l []Item) []Item { slices.Reverse(l); return l }, "", ""},
		{"move the user's part", func(l []Item) []Item {
			l[0].Subtasks, l[3].Subtasks = l[3].Subtasks[:1], l[3].Subtasks[1:]
			return l
		}, "", ""},
	} {
		for alone, want := range map[bool]string{false: c.want, true: c.alone} {
			err := Authority{Alone: alone}.Check(guardedList(), c.change(guardedList()))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != want || err != nil && !errors.Is(err, ErrForbidden) {
				t.Errorf("%s, alone %t: got %q, want %q", c.name, alone, got, want)
			}
		}
	}
}

// TestAuthorityKeeps takes back what an agent's own tool may not do, and nothing else.
func TestAuthorityKeeps(t *testing.T) {
	saved := guardedList()
	list := guardedList()
	list[0].Content, list[0].Status = "x", Cancelled
	list[1].Content, list[1].Status, list[1].BlockedBy, list[1].Priority = "easy", Cancelled, []string{"a"}, "low"
	list[2].Status = Cancelled
	list[3].Status, list[3].Subtasks = Cancelled, []Subtask{{ID: "p2", Content: "changed", Status: Cancelled}}
	got, _ := Authority{Alone: true}.RestoreForbidden(saved, list, []int{0, 1, 2, 3})
	if !got[0].equal(&list[0]) {
		t.Errorf("the agent's own item is %+v", got[0])
	}
	if !got[1].equal(&saved[1]) || !got[2].equal(&saved[2]) {
		t.Errorf("got %+v and %+v", got[1], got[2])
	}
	if p := got[3]; p.Status != Pending || len(p.Subtasks) != 2 || p.Subtasks[0].Content != "changed" || !p.Subtasks[1].equal(saved[3].Subtasks[0]) {
		t.Errorf("the item with the user's subtask is %+v", p)
	}
	if list[1].Content != "easy" {
		t.Error("the list itself was changed")
	}
	if got, _ := (Authority{}).RestoreForbidden(saved, list, []int{0, 1, 2, 3}); got[1].Status != Cancelled || got[1].Content != "of the user" || got[2].Status != Completed {
		t.Errorf("in the user's turn: %+v and %+v", got[1], got[2])
	}
}

// TestAuthorityOfOneItemInTwoLists refuses a list that has the user's items by their ids, but not as the user's, or without their gates:
// an agent can import them into a session of its own, and load that.
func TestAuthorityOfOneItemInTwoLists(t *testing.T) {
	before := []Item{
		{ID: "u", Content: "of the user", By: ByUser, NeedsProof: true, Subtasks: []Subtask{{ID: "p", Content: "part", By: ByUser}}},
		{ID: "g", Content: "gated", Gate: &Gate{Command: "false"}},
	}
	if err := (Authority{}).Check(before, slices.Clone(before)); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(items []Item){
		"maker":   func(items []Item) { items[0].By = "" },
		"proof":   func(items []Item) { items[0].NeedsProof = false },
		"subtask": func(items []Item) { items[0].Subtasks = []Subtask{{ID: "p", Content: "part"}} },
		"no gate": func(items []Item) { items[1].Gate = nil },
		"gate":    func(items []Item) { items[1].Gate = &Gate{Command: "true"} },
	} {
		after := slices.Clone(before)
		change(after)
		if err := (Authority{}).Check(before, after); err == nil {
			t.Errorf("%s: allowed", name)
		}
	}
	after := slices.Clone(before)
	after[1].Gate = &Gate{Command: "false", At: 1, Code: 1}
	if err := (Authority{}).Check(before, after); err != nil {
		t.Errorf("a result of the gate: %v", err)
	}
}

// TestSubtaskOfUserKeepsItsItem keeps an item of the agent that its own list lacks, for the open subtask that the user added to it.
func TestSubtaskOfUserKeepsItsItem(t *testing.T) {
	part := Subtask{ID: "p", Content: "by the user", By: ByUser}
	saved := []Item{{ID: "a", Content: "of the agent", Status: Pending, Subtasks: []Subtask{part}}}
	if list, from, n := KeepUserItems(saved, nil, nil, false); n != 1 || len(from) != 1 || !list[0].equal(&saved[0]) {
		t.Errorf("kept %d: %+v", n, list)
	}
	moved := []Item{{ID: "b", Content: "another", Status: Pending, Subtasks: []Subtask{part}}}
	if list, _, n := KeepUserItems(saved, moved, []int{-1}, false); n != 0 {
		t.Errorf("kept an item whose subtask was moved: %+v", list)
	}
	saved[0].Subtasks = []Subtask{{ID: "p", Content: "by the user", By: ByUser, Status: Completed}}
	if list, _, n := KeepUserItems(saved, nil, nil, false); n != 0 {
		t.Errorf("kept an item whose subtask is done: %+v", list)
	}
}

// TestAuthorityInQueue lets an agent that works on one item of a queue change that one, and neither close it nor change others.
func TestAuthorityInQueue(t *testing.T) {
	queue := func() []Item {
		held := func(by string) *Claim { return &Claim{By: by, Until: 100} }
		return []Item{
			{ID: "own", Content: "one", Status: InProgress, Claim: held("w1"), Claims: 1},
			{ID: "free", Content: "two", Status: Pending},
			{ID: "held", Content: "three", Status: InProgress, Claim: held("w2"), Claims: 1},
		}
	}
	who := Authority{Alone: true, Item: "own", Worker: Worker{Name: "w1"}, Now: 50}
	for _, c := range []struct {
		name   string
		change func([]Item) []Item
		want   error
	}{
		{"nothing", func(l []Item) []Item { return l }, nil},
		{"a subtask of its own", func(l []Item) []Item { l[0].Subtasks = []Subtask{{ID: "n", Content: "step"}}; return l }, nil},
		{"block its own", func(l []Item) []Item { l[0].Status, l[0].Reason, l[0].Claim = Blocked, "no key", nil; return l }, nil},
		{"add another", func(l []Item) []Item { return append(l, Item{ID: "new", Content: "four", Status: Pending}) }, ErrForbidden},
		{"renew its claim", func(l []Item) []Item { l[0].Claim = &Claim{By: "w1", Until: 200}; return l }, nil},
		{"complete its own", func(l []Item) []Item { l[0].Status = Completed; return l }, ErrForbidden},
		{"cancel its own", func(l []Item) []Item { l[0].Status = Cancelled; return l }, ErrForbidden},
		{"reword its own", func(l []Item) []Item { l[0].Content = "x"; return l }, ErrForbidden},
		{"delete its own", func(l []Item) []Item { return l[1:] }, ErrForbidden},
		{"delete a free one", func(l []Item) []Item { return slices.Delete(l, 1, 2) }, ErrForbidden},
		{"complete a free one", func(l []Item) []Item { l[1].Status = Completed; return l }, ErrForbidden},
		{"subtask of a free one", func(l []Item) []Item { l[1].Subtasks = []Subtask{{ID: "n", Content: "step"}}; return l }, ErrForbidden},
		{"move its own", func(l []Item) []Item { return []Item{l[1], l[0], l[2]} }, ErrForbidden},
		{"move free ones", func(l []Item) []Item { return []Item{l[0], l[2], l[1]} }, ErrForbidden},
		{"add one at the front", func(l []Item) []Item { return append([]Item{{ID: "new", Content: "zero", Status: Pending}}, l...) }, ErrForbidden},
		{"delete what another holds", func(l []Item) []Item { return l[:2] }, ErrHeld},
	} {
		if err := who.Check(queue(), c.change(queue())); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}

	// What its own tool writes there as a new item is left out.
	written := append(queue(), Item{ID: "new", Content: "four", Status: Pending})
	if got, from := who.RestoreForbidden(queue(), written, []int{0, 1, 2, -1}); len(got) != 3 || len(from) != 3 || got[2].ID != "held" {
		t.Errorf("written: %+v, %v", got, from)
	}

	// Elsewhere, an agent leaves what another worker holds, until the claim ends.
	who.Item = ""
	for _, c := range []struct {
		name   string
		worker Worker
		now    Time
		want   error
	}{
		{"another's", Worker{Name: "w1"}, 50, ErrHeld},
		{"without a name", Worker{}, 50, ErrHeld},
		{"its own", Worker{Name: "w2"}, 50, nil},
		{"taken over", Worker{Name: "w1", Take: true}, 50, nil},
		{"a claim that has ended", Worker{Name: "w1"}, 150, nil},
	} {
		who.Worker, who.Now = c.worker, c.now
		for _, change := range []func([]Item) []Item{
			func(l []Item) []Item { return l[:2] },
			func(l []Item) []Item { l[2].Content = "x"; return l },
		} {
			if err := who.Check(queue(), change(queue())); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}
