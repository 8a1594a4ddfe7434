//go:build unix

package torture

import (
	"fmt"
	"sync"

	"github.com/anishathalye/porcupine"
)

// This file checks sessions that are created by their first item and deleted, again and again. A deletion removes the list.

// drop is the operation that deletes a session.
type drop struct{}

func sessionModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			switch s := state.(string); do := input.(type) {
			case add:
				if s == "" {
					s = active
				}
				return true, s + do.item + "=pending;"
			case drop:
				return output == nil || output == "" || s == "", ""
			default:
				return output == s, s
			}
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%T%v -> %v", input, input, output) },
	}
}

// sessions is the work of several processes that create and delete the same sessions.
type sessions struct {
	*world
	mu      sync.Mutex
	rounds  []*round
	now     *round
	created int
	deleted int
}

func (s *sessions) join() *round {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil || !s.now.begin() {
		s.now = &round{history: history{name: fmt.Sprint("session", len(s.rounds))}, most: 60}
		s.rounds = append(s.rounds, s.now)
	}
	return s.now
}

func (s *sessions) work(c *client, who int) {
	for n := 0; !c.ended(); n++ {
		r := s.join()
		item := fmt.Sprintf("s%d.%d", who, n)
		switch luck := c.throw(100); {
		case luck < 40: // without an operation id, because a deletion also deletes the ids that the session remembers
			a := c.run(job{session: r.name, args: []string{"todo", "add", item}})
			switch {
			case a.open():
				r.add(who, add{item}, nil, a)
			case a.code == 0:
				r.add(who, add{item}, "", a)
				s.count(&s.created)
			}
		case luck < 75:
			s.look(c, who, r)
		default:
			a := c.run(job{session: r.name, args: []string{"session", "delete", "--yes", r.name}})
			switch {
			case a.open():
				r.add(who, drop{}, nil, a)
			case a.code == 0:
				r.add(who, drop{}, "", a)
				s.count(&s.deleted)
			case a.code == 66:
				r.add(who, drop{}, gone, a)
			}
		}
	}
}

func (s *sessions) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

func (s *sessions) look(c *client, who int, r *round) {
	if a := c.run(job{session: r.name, args: []string{"todo", "show", "--json"}}); !a.killed && a.code == 0 {
		list, _ := items(a.out)
		r.add(who, show{}, list, a)
	}
}

func (s *sessions) close(c *client) {
	var all []history
	for _, r := range s.rounds {
		s.look(c, 0, r)
		all = append(all, r.history)
	}
	s.report("sessions: %d items added to %d of them, %d deletions", s.created, len(s.rounds), s.deleted)
	s.judge("sessions, created and deleted", sessionModel(), all)
}
