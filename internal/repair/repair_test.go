package repair

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
	"onward/test/storetest"
)

const noon todo.Time = 1_767_258_000_000

var name = session.Name{Session: "s"}

// rulesStore records the key of the rules, which only package policy knows.
type rulesStore struct {
	*storetest.Memory
	key store.Key
}

func (s *rulesStore) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	s.key = k
	return s.Memory.Update(k, change)
}

// documents returns a store in memory with all documents of a session, and the key of the rules.
func documents(t *testing.T) (s Stores, memory *storetest.Memory, key store.Key) {
	t.Helper()
	memory = storetest.NewMemory()
	rules := &rulesStore{Memory: memory}
	calls, users := &schedule.Store{Backend: memory}, policy.Store{Backend: rules, Machine: memory}
	s = Stores{Lists: &session.Store{Backend: memory, Notes: memory}, Calls: calls, Rules: users}
	_, err := s.Lists.Update(name, "", noon, func(d *session.Document) (session.Change, error) {
		d.Todos.Active = true
		return session.Change{What: "began", By: "cli", List: true}, nil
	})
	if err == nil {
		_, err = calls.Update(name, "", noon, func(d *schedule.Document) (schedule.Change, error) {
			return schedule.PushMessage(d, "message", "", noon)
		})
	}
	if err == nil {
		err = users.Update(time.Unix(0, 0), func(f *policy.File) error {
			f.Rules = policy.AppendMissing(f.Rules, policy.Rule{Tool: "shell", Decision: policy.Allow})
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, memory, rules.key
}

// edited returns the content of a document with a text replaced, as after an edit by hand.
func edited(t *testing.T, memory *storetest.Memory, k store.Key, from, to string) []byte {
	t.Helper()
	v, err := memory.Get(k)
	if err != nil || !strings.Contains(string(v.Data), from) {
		t.Fatalf("%s, %v", v.Data, err)
	}
	return []byte(strings.Replace(string(v.Data), from, to, 1))
}

// TestSession damages some of a session's documents, and uses each remedy.
func TestSession(t *testing.T) {
	for _, c := range []struct {
		damage  string
		remedy  store.Remedy
		changed bool
		remains bool
		err     error
		left    string // the remaining problem; "" if there is none
	}{
		{"", store.Examine, false, false, nil, ""},
		{"", store.Restore, false, false, nil, ""},
		{"list calls", store.Examine, false, true, nil, "list calls"},
		{"list calls", store.Restore, true, false, nil, ""},
		{"list", store.Accept, false, false, store.ErrCorrupt, "list"},
		{"edit", store.Accept, true, false, nil, ""},
		{"edit calls", store.Accept, true, false, store.ErrNotDurable, "calls"},
		{"run", store.Examine, false, true, nil, "run"},
		{"run", store.Restore, true, false, nil, ""},
		{"run", store.Accept, false, false, store.ErrCorrupt, "run"},
		{"edit run", store.Accept, true, false, store.ErrNotDurable, "run"},
		{"rules", store.Examine, false, true, nil, "rules"},
		{"rules", store.Restore, false, true, nil, "rules"},
		{"rules", store.Accept, true, false, nil, ""},
		{"list rules", store.Restore, true, true, nil, "rules"},
		{"edit rules", store.Accept, true, false, nil, ""},
	} {
		s, memory, rules := documents(t)
		for _, what := range strings.Fields(c.damage) {
			switch what {
			case "list":
				memory.Damage(session.Key(name), []byte("{"))
			case "edit":
				memory.Damage(session.Key(name), edited(t, memory, session.Key(name), `"active":true`, `"active":false`))
			case "calls":
				memory.Damage(schedule.Key(name), []byte("{"))
			case "run":
				memory.Damage(session.RunKey(name), []byte("{"))
			case "rules":
				memory.Lose(rules)
			}
		}
		f, err := s.Session(name, c.remedy, noon)
		if !errors.Is(err, c.err) {
			t.Errorf("%s, remedy %d: %v", c.damage, c.remedy, err)
		}
		if err == nil && (f.Intact() != (c.damage == "") || f.Changed() != c.changed || f.Remains() != c.remains) {
			t.Errorf("%s, remedy %d: intact %v, changed %v, remains %v", c.damage, c.remedy, f.Intact(), f.Changed(), f.Remains())
		}
		f, err = s.Session(name, store.Examine, noon)
		var left []string
		for what, problem := range map[string]error{"list": f.List.Problem, "calls": f.Calls.Problem, "run": f.Run.Problem, "rules": f.Rules} {
			if problem != nil {
				left = append(left, what)
			}
		}
		want := strings.Fields(c.left)
		slices.Sort(left)
		slices.Sort(want)
		if err != nil || !slices.Equal(left, want) {
			t.Errorf("%s, remedy %d: %v is wrong afterwards, %v", c.damage, c.remedy, left, err)
		}
	}
}
