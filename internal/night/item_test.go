package night

import (
	"errors"
	"strings"
	"testing"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

func TestFindTheItemOfARun(t *testing.T) {
	doc := &session.Document{}
	doc.Todos.Active = true
	doc.Todos.Items = []todo.Item{{ID: "t1", Content: "fix it"}, {ID: "t2", Content: "prove it", NeedsProof: true}}
	for _, c := range []struct {
		id, text string
		proof    bool
	}{{"t1", "fix it", false}, {"t2", "prove it", true}, {"t3", "", false}} {
		q := NewItem(c.id)
		q.Name, q.Label = session.Name{Session: "queue"}, "queue:"+c.id
		it, err := q.Find(doc)
		if c.text == "" {
			if !errors.Is(err, todo.ErrNotFound) || !strings.Contains(err.Error(), `"t3"`) {
				t.Errorf("%s: %v", c.id, err)
			}
			continue
		}
		if err != nil || it.ID != c.id || q.Text != c.text || q.Proof != c.proof {
			t.Errorf("%s: %v, %v, text %q, proof %v", c.id, it, err, q.Text, q.Proof)
		}
	}
}

func TestGateOfAnItemMustBeTrusted(t *testing.T) {
	failed := errors.New("disk")
	for _, c := range []struct {
		trusted bool
		err     error
		refused bool
	}{{true, nil, false}, {false, nil, true}, {false, failed, false}} {
		q := NewItem("t1")
		err := q.CheckGate(&todo.Item{ID: "t1", Gate: &todo.Gate{Command: "make item"}}, func(set *continuation.Settings) (bool, error) {
			if set.Gate != "make item" || set.GateFrom != continuation.FromItem {
				t.Errorf("asked about %q from %q", set.Gate, set.GateFrom)
			}
			return c.trusted, c.err
		})
		if errors.As(err, new(*cli.Error)) != c.refused || !c.refused && !errors.Is(err, c.err) {
			t.Errorf("trusted %v, %v: %v", c.trusted, c.err, err)
		}
	}
}
