package todo

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// plain is a simple model of a list: nodes with children, which are changed in place.
type plain struct {
	text   string
	status Status
	parts  []*plain
}

func (p *plain) insert(at int, n *plain) {
	rest := append([]*plain{n}, p.parts[at:]...)
	p.parts = append(append([]*plain{}, p.parts[:at]...), rest...)
}

func (p *plain) remove(at int) *plain {
	n := p.parts[at]
	p.parts = append(append([]*plain{}, p.parts[:at]...), p.parts[at+1:]...)
	return n
}

func (p *plain) close(s Status) {
	p.status = s
	for _, n := range p.parts {
		if !s.Open() && n.status.Open() {
			n.status = s
		}
	}
}

func (p *plain) items() []Item {
	var out []Item
	for _, n := range p.parts {
		it := Item{Content: n.text, Status: n.status}
		for _, s := range n.parts {
			it.Subtasks = append(it.Subtasks, Subtask{Content: s.text, Status: s.status})
		}
		out = append(out, it)
	}
	return out
}

// TestRandomOperationsAgreeWithAPlainModel compares the list with the model after each of many random changes.
func TestRandomOperationsAgreeWithAPlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []Item
		model := &plain{}
		now, serial := noon, 0
		do := func(t *rapid.T, change func([]Item) (Edit, error)) {
			before := deepCopy(items)
			edit, err := change(items)
			if err != nil {
				t.Fatal(err)
			}
			if !Equal(items, before) {
				t.Fatal("the given list was changed")
			}
			items = edit.Items
		}
		at := func(t *rapid.T, s string) Position {
			p, err := ParsePosition(s)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		// pick returns the index of an item, and that of one of its subtasks or -1.
		pick := func(t *rapid.T, part bool) (int, int) {
			if len(model.parts) == 0 {
				t.Skip("empty")
			}
			i := rapid.IntRange(0, len(model.parts)-1).Draw(t, "item")
			if !part {
				return i, -1
			}
			if len(model.parts[i].parts) == 0 {
				t.Skip("no parts")
			}
			return i, rapid.IntRange(0, len(model.parts[i].parts)-1).Draw(t, "part")
		}
		label := func(i, j int) string {
			if j < 0 {
				return fmt.Sprint(i + 1)
			}
			return fmt.Sprintf("%d.%d", i+1, j+1)
		}
		status := rapid.SampledFrom(Statuses())
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				serial++
				text, s := fmt.Sprint("n", serial), status.Draw(t, "status")
				i := rapid.IntRange(0, len(model.parts)).Draw(t, "at")
				model.insert(i, &plain{text: text, status: s})
				do(t, func(items []Item) (Edit, error) {
					return Add(items, at(t, label(i, -1)), []Draft{{Content: text, Status: s}}, now)
				})
			},
			"add part": func(t *rapid.T) {
				serial++
				text, s := fmt.Sprint("n", serial), status.Draw(t, "status")
				i, _ := pick(t, false)
				parent := model.parts[i]
				j := rapid.IntRange(0, len(parent.parts)).Draw(t, "part")
				parent.insert(j, &plain{text: text, status: s})
				if s.Open() && !parent.status.Open() {
					parent.status = Pending
				}
				do(t, func(items []Item) (Edit, error) {
					return Add(items, at(t, label(i, j)), []Draft{{Content: text, Status: s}}, now)
				})
			},
			"delete": func(t *rapid.T) {
				i, j := pick(t, rapid.Bool().Draw(t, "of parts"))
				if j < 0 {
					model.remove(i)
				} else {
					model.parts[i].remove(j)
				}
				do(t, func(items []Item) (Edit, error) {
					r, err := ParseRange(label(i, j))
					if err != nil {
						t.Fatal(err)
					}
					return Delete(items, []Range{r}, now)
				})
			},
			"set": func(t *rapid.T) {
				s := status.Draw(t, "status")
				i, j := pick(t, rapid.Bool().Draw(t, "of parts"))
				parent := model.parts[i]
				if j < 0 {
					if parent.status != s {
						parent.close(s)
					}
				} else if parent.parts[j].status != s {
					parent.parts[j].status = s
					if s.Open() && !parent.status.Open() {
						parent.status = Pending
					}
				}
				do(t, func(items []Item) (Edit, error) {
					r, err := ParseRange(label(i, j))
					if err != nil {
						t.Fatal(err)
					}
					return SetStatus(items, []Range{r}, s, "", now)
				})
			},
			"reword": func(t *rapid.T) {
				serial++
				text := fmt.Sprint("n", serial)
				i, j := pick(t, rapid.Bool().Draw(t, "of parts"))
				if j < 0 {
					model.parts[i].text = text
				} else {
					model.parts[i].parts[j].text = text
				}
				do(t, func(items []Item) (Edit, error) {
					return Revise(items, at(t, label(i, j)), Revision{Content: &text}, now)
				})
			},
			"move": func(t *rapid.T) {
				i, _ := pick(t, false)
				to := rapid.IntRange(0, len(model.parts)-1).Draw(t, "to")
				model.insert(to, model.remove(i))
				do(t, func(items []Item) (Edit, error) {
					return Move(items, at(t, label(i, -1)), at(t, label(to, -1)), now)
				})
			},
			"move part": func(t *rapid.T) {
				i, j := pick(t, true)
				to, _ := pick(t, false)
				k := rapid.IntRange(0, len(model.parts[to].parts)).Draw(t, "to part")
				part := model.parts[i].remove(j)
				parent := model.parts[to]
				parent.insert(min(k, len(parent.parts)), part)
				if part.status.Open() && !parent.status.Open() {
					parent.status = Pending
				}
				do(t, func(items []Item) (Edit, error) { return Move(items, at(t, label(i, j)), at(t, label(to, k)), now) })
			},
			"": func(t *rapid.T) {
				now++
				if got, want := show(items), show(model.items()); got != want {
					t.Fatalf("got  %s\nwant %s", got, want)
				}
				ids := map[string]bool{}
				for i := range items {
					if ids[items[i].ID] || (items[i].Status == Completed) != (items[i].CompletedAt != 0) {
						t.Fatalf("item %d: %+v", i+1, items[i])
					}
					ids[items[i].ID] = true
				}
			},
		})
	})
}
