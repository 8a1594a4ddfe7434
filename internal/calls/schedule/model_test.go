package schedule

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// model follows a schedule from outside, and checks what must never happen.
type model struct {
	t        *rapid.T
	started  map[string]int  // number of starts of each call
	final    map[string]Call // the final state of each call
	approved map[string]bool
	complete map[string]int
	seen     []string
}

func (m *model) look(d *Document, did Change) {
	for i := range d.Calls {
		c := d.Calls[i]
		if was, ended := m.final[c.ID]; ended && (was.Status != c.Status || len(was.Transitions) != len(c.Transitions)) {
			m.t.Fatalf("call %s went from %s to %s", c.ID, was.Status, c.Status)
		}
		if c.Status.Final() {
			m.final[c.ID] = c
		}
		for j := 1; j < len(c.Transitions); j++ {
			if from := c.Transitions[j-1].Status; !contains(from.next(), c.Transitions[j].Status) {
				m.t.Fatalf("call %s went from %s to %s", c.ID, from, c.Transitions[j].Status)
			}
		}
		if c.ReachedAt(Executing) != 0 && c.Tool == "edit" && !m.approved[c.ID] {
			m.t.Fatalf("call %s ran unapproved", c.ID)
		}
	}
	for _, id := range m.seen {
		if d.Find(id) == nil {
			m.t.Fatalf("call %s is lost", id)
		}
	}
	for _, id := range did.Complete {
		if m.complete[id]++; m.complete[id] > 1 {
			m.t.Fatalf("batch %s was reported twice", id)
		}
		for i := range d.Calls {
			if c := &d.Calls[i]; c.Batch == id && !c.Status.Final() {
				m.t.Fatalf("batch %s was reported, but %s is %s", id, c.ID, c.Status)
			}
		}
	}
}

func contains(list []Status, s Status) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// TestRandomInterleavings submits, approves, denies, cancels, starts and ends calls through the store in random order, with deaths of runners.
func TestRandomInterleavings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := testStore()
		m := &model{t: t, started: map[string]int{}, final: map[string]Call{}, approved: map[string]bool{}, complete: map[string]int{}}
		run, err := s.Begin(name)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { run.End() }()
		running := map[string]bool{}
		var plan *Plan
		pickID := func(label string) string {
			if len(m.seen) == 0 {
				return "none"
			}
			return rapid.SampledFrom(m.seen).Draw(t, label)
		}
		update := func(change func(*Document) (Change, error)) {
			c, err := s.Update(name, "", noon, change)
			if err == nil {
				m.look(c.Doc, c.Change)
			} else if !errors.Is(err, ErrState) && !errors.Is(err, ErrNotFound) {
				t.Fatal(err)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"submit": func(t *rapid.T) {
				var batch []Request
				for range rapid.IntRange(1, 3).Draw(t, "calls") {
					q := Request{ID: fmt.Sprint("c", len(m.seen)+len(batch)), Tool: rapid.SampledFrom([]string{"view", "edit", "free", "none"}).Draw(t, "tool")}
					if rapid.Bool().Draw(t, "depends") && len(m.seen) > 0 {
						q.After = []string{pickID("after")}
					}
					q.Barrier = rapid.IntRange(0, 4).Draw(t, "barrier") == 0
					q.Priority = rapid.IntRange(0, 2).Draw(t, "priority")
					batch = append(batch, q)
				}
				update(func(d *Document) (Change, error) { return Submit(d, batch, judge(t), noon) })
				for _, q := range batch {
					m.seen = append(m.seen, q.ID)
				}
			},
			"approve": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) {
					did, _, err := Approve(d, []string{id}, judge(t), false, false, noon)
					if err == nil {
						m.approved[id] = true
					}
					return did, err
				})
			},
			"deny": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) { return DenyBatch(d, []string{id}, "", noon) })
			},
			"cancel": func(t *rapid.T) {
				id := pickID("call")
				update(func(d *Document) (Change, error) { return Cancel(d, []string{id}, "", alive, noon) })
			},
			"run": func(t *rapid.T) {
				d, err := run.Doc()
				if d == nil || err != nil {
					return
				}
				if plan == nil {
					if plan = NewPlan(d, func(tool string) bool { return tool == "view" }); plan == nil {
						return
					}
				}
				did, err := run.Append(func(d *Document) (Change, error) {
					step := d.Step(noon)
					for _, c := range plan.Next(d, len(running), 2-len(running)) {
						step.Start(c, Process{PID: 1})
						running[c.ID] = true
						if m.started[c.ID]++; m.started[c.ID] > 1 {
							t.Fatalf("call %s was started twice", c.ID)
						}
						for _, id := range c.After {
							if on := d.Find(id); on != nil && on.Status != Success {
								t.Fatalf("call %s ran before %s", c.ID, id)
							}
						}
					}
					return step.Result()
				})
				if err != nil {
					t.Fatal(err)
				}
				d, _ = run.Doc()
				m.look(d, did)
				if len(running) == 0 {
					plan = nil
				}
			},
			"end": func(t *rapid.T) {
				if len(running) == 0 {
					return
				}
				var endings []Ending
				for id := range running {
					endings = append(endings, Ending{ID: id, Status: rapid.SampledFrom([]Status{Success, Success, Errored, Cancelled}).Draw(t, "status")})
					delete(running, id)
				}
				did, err := run.Append(func(d *Document) (Change, error) {
					step := d.Step(noon)
					step.End(endings)
					return step.Result()
				})
				if err != nil {
					t.Fatal(err)
				}
				d, _ := run.Doc()
				m.look(d, did)
			},
			"kill": func(t *rapid.T) {
				run.End()
				if run, err = s.Begin(name); err != nil {
					t.Fatal(err)
				}
				plan = nil
				clear(running)
				if d, err := run.Doc(); d == nil || err != nil {
					return
				}
				c, err := run.Commit(noon, func(d *Document) (Change, error) {
					did, err := Recover(d, dead, noon)
					if did.What == "" && d.Journal > 0 {
						did.What = "took the journal in"
					}
					return did, err
				})
				if err != nil {
					t.Fatal(err)
				}
				m.look(c.Doc, c.Change)
			},
			"": func(t *rapid.T) {
				d, err := s.Load(name)
				if err != nil {
					t.Fatal(err)
				}
				if d != nil {
					m.look(d, Change{})
					again, err := decode([]byte(encoded(t, d)))
					if err != nil || encoded(t, again) != encoded(t, d) {
						t.Fatalf("%v", err)
					}
				}
			},
		})
	})
}
