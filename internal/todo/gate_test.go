package todo

import (
	"errors"
	"testing"
)

func gated(text string) []Item {
	items := parse(text)
	items[0].Gate = &Gate{Command: "make test"}
	return items
}

func TestGateHoldsBack(t *testing.T) {
	for _, c := range []struct {
		name       string
		saved, new string
		from       []int
		gate       string // the gate of the saved item
		passed     []string
		want       Status
		claimed    bool
	}{
		{"completed without a run", ">a", "xa", []int{0}, "make test", nil, InProgress, true},
		{"completed after a run", ">a", "xa", []int{0}, "make test", []string{"a"}, Completed, false},
		{"it was completed before", "xa", "xa", []int{0}, "make test", nil, Completed, false},
		{"it was completed before, by another gate", "xa", "xa", []int{0}, "true", nil, InProgress, true},
		{"it was completed before, without a gate", "xa", "xa", []int{0}, "", nil, InProgress, true},
		{"a new item that is completed", "·b", "xa", []int{-1}, "", nil, InProgress, true},
		{"it is cancelled", ">a", "-a", []int{0}, "make test", nil, Cancelled, false},
		{"it is open", ">a", "·a", []int{0}, "make test", nil, Pending, false},
	} {
		saved, items := parse(c.saved), gated(c.new)
		if c.gate != "" {
			saved[0].Gate = &Gate{Command: c.gate}
		}
		before := deepCopy(items)
		got := HoldBackUnproven(saved, items, c.from, c.passed)
		if !Equal(items, before) {
			t.Errorf("%s: the given list was changed", c.name)
		}
		if got[0].Status != c.want || got[0].ClaimedDone() != c.claimed || (got[0].CompletedAt != 0) != (c.want == Completed) {
			t.Errorf("%s: %s, claimed to be done %v", c.name, got[0].Status, got[0].ClaimedDone())
		}
	}
}

// TestGateHoldsBackAClaimedItem checks that an item with a gate that an agent's list completes stays open, and is marked as claimed to
// be done. The time of that mark stays if the list is written again.
func TestGateHoldsBackAClaimedItem(t *testing.T) {
	saved := gated(">a")
	saved[0].Claim, saved[0].Claims = &Claim{By: "w1", Number: 1, Until: noon}, 1
	list, from := Carry(saved, parse("xa"), false, 0, noon)
	first := HoldBackUnproven(saved, list, from, nil)
	if it := first[0]; it.Status != InProgress || !it.ClaimedDone() || it.Claim == nil || it.UpdatedAt != noon {
		t.Fatalf("got %+v", it)
	}
	list, from = Carry(first, parse("xa"), false, 0, noon+1)
	if again := HoldBackUnproven(first, list, from, nil); !Equal(again, first) {
		t.Errorf("the same list changed %+v to %+v", first, again)
	}
	list, from = Carry(first, parse(">a"), false, 0, noon+1)
	if open := HoldBackUnproven(first, list, from, nil); open[0].ClaimedDone() {
		t.Errorf("an agent that is at work on it again claims %+v", open[0])
	}
	list, from = Carry(first, first, false, 0, noon+1)
	if same := HoldBackUnproven(first, list, from, nil); !same[0].ClaimedDone() {
		t.Errorf("a tool that changes another item gave %+v", same[0])
	}
}

// TestGateComesFromNoList checks that an agent's list can neither add a gate to an item nor remove one.
func TestGateComesFromNoList(t *testing.T) {
	saved := gated("·a ·b")
	brought := gated("·b ·c")
	brought[1].Gate = &Gate{Command: "true"}
	list, from := Carry(saved, brought, false, 0, noon)
	list, _, kept := KeepUserItems(saved, list, from, false)
	if kept != 1 || show(list) != "·b ·c ·a" || list[0].Gate != nil || list[1].Gate != nil || list[2].Gate == nil {
		t.Errorf("got %s, %d kept, %+v", show(list), kept, list)
	}
	list, from = Carry(saved, []Item{{Content: "another text"}, {Content: "b"}}, false, 0, noon)
	if from[0] != -1 || list[0].Gate != nil {
		t.Errorf("another text took the gate: %+v", list[0])
	}
	e, err := Append(saved, brought, noon)
	if err != nil || GateCommands(e.Items)[0] != "make test" || len(GateCommands(e.Items)) != 1 {
		t.Errorf("an import brought the gates %q, %v", GateCommands(e.Items), err)
	}
}

func TestSettleGates(t *testing.T) {
	for _, c := range []struct {
		name   string
		run    GateRun
		change func(*Item)
		want   Status
		what   string
	}{
		{"passed", GateRun{}, nil, Completed, "the gate of item 1 passed"},
		{"failed", GateRun{Code: 2, Output: "red"}, nil, InProgress, "the gate of item 1 failed with exit code 2"},
		{"broken", GateRun{Problem: "it ran too long"}, nil, InProgress, "the gate of item 1 has no result"},
		{"the text is another", GateRun{}, func(it *Item) { it.Content = "b" }, InProgress, ""},
		{"the command is another", GateRun{}, func(it *Item) { it.Gate = &Gate{Command: "true", ClaimedDone: true} }, InProgress, ""},
		{"the gate is gone", GateRun{}, func(it *Item) { it.Gate = nil }, InProgress, ""},
		{"another worker has it", GateRun{}, func(it *Item) { it.Claim, it.Claims = &Claim{By: "w2", Number: 1}, 1 }, InProgress, ""},
		{"it was completed meanwhile", GateRun{Code: 1}, func(it *Item) { it.Status = Completed }, Completed, ""},
		{"it was reopened meanwhile", GateRun{}, func(it *Item) { it.move(Pending, "", noon) }, Pending, ""},
		{"another run has failed", GateRun{}, func(it *Item) { it.Gate = it.Gate.fresh(false) }, InProgress, ""},
		{"it is another item", GateRun{}, func(it *Item) { it.ID = "b" }, InProgress, ""},
	} {
		items := gated(">a")
		items[0].Gate.ClaimedDone = true
		c.run.Item = items[0]
		items = deepCopy(items)
		if c.change != nil {
			c.change(&items[0])
		}
		e, err := untouched(t, items, func(items []Item) (Edit, error) {
			e, _ := SettleGateRuns(items, []GateRun{c.run}, noon)
			return e, nil
		})
		it := e.Items[0]
		if err != nil || it.Status != c.want || e.What != c.what {
			t.Errorf("%s: %s, %q, %v", c.name, it.Status, e.What, err)
		}
		if err := CheckRuns(items, []GateRun{c.run}); errors.Is(err, ErrChanged) != (c.what == "") {
			t.Errorf("%s: %v", c.name, err)
		}
		if g := it.Gate; c.what != "" && (g.Output != c.run.Output || g.Code != c.run.Code || g.Problem != c.run.Problem || g.ClaimedDone != (c.run.Problem != "") || g.Failed() != (c.run.Code != 0)) {
			t.Errorf("%s: the gate is %+v", c.name, g)
		}
		if c.run.Problem != "" {
			if again, _ := SettleGateRuns(e.Items, []GateRun{{Item: it, Problem: c.run.Problem}}, noon+1); again.What != "" {
				t.Errorf("%s: the same problem again changed %+v", c.name, again)
			}
		}
	}
}

// TestCompleteBy checks that a worker cannot complete an item whose gate has not passed, or that another worker holds.
func TestCompleteBy(t *testing.T) {
	items := gated(">a ·b")
	run := []GateRun{{Item: items[0]}}
	w1, w2 := Worker{Name: "w1"}, Worker{Name: "w2"}
	held := deepCopy(items)
	held[0].Claim, held[0].Claims = &Claim{By: "w1", Number: 1, Until: noon + 1}, 1
	for _, c := range []struct {
		name  string
		items []Item
		runs  []GateRun
		w     Worker
		want  error
	}{
		{"it ran", items, run, w2, nil},
		{"it did not run", items, nil, w2, ErrChanged},
		{"it was claimed while it ran", held, run, w1, ErrChanged},
		{"another holds it", held, []GateRun{{Item: held[0]}}, w2, ErrHeld},
		{"the holder has run it", held, []GateRun{{Item: held[0]}}, w1, nil},
	} {
		e, passed, err := CompleteBy(c.items, ranges(t, "all"), "", c.runs, c.w, noon)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err == nil && (show(e.Items) != "xa xb" || len(passed) != 1 || e.Items[0].Claim != nil) {
			t.Errorf("%s: %s, passed %v", c.name, show(e.Items), passed)
		}
	}
}

// TestNextPassesOverWhatIsClaimedToBeDone checks that an item that only waits for its gate is skipped while there is another one to do.
func TestNextPassesOverWhatIsClaimedToBeDone(t *testing.T) {
	items := gated(">a ·b")
	items[0].Gate.ClaimedDone = true
	if at := Next(items); at != 1 {
		t.Errorf("next is %d", at)
	}
	if at := Next(items[:1]); at != -1 {
		t.Errorf("next of nothing else is %d", at)
	}
}
