package agent

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// todoCall is a call of a todo tool whose result has not come.
type todoCall struct {
	id, tool string
	sub      string // name of the sub-agent, empty for the main agent
	parent   string
	input    jsontext.Value
}

func (c todoCall) named() Call { return Call{Tool: c.tool, ID: c.id, SubAgent: c.sub} }

// todoCalls are a session's calls without a result, in order. A call changes nothing before its result says success.
type todoCalls []todoCall

// add notes a call. A call that is shown again, with its input complete, takes the place of the first showing.
func (q *todoCalls) add(s *stream, c todoCall) {
	if i := q.find(c.id); i >= 0 && c.id != "" {
		(*q)[i] = c
		return
	}
	if len(*q) == maxWaiting {
		s.lose((*q)[0])
		*q = slices.Delete(*q, 0, 1)
	}
	*q = append(*q, c)
}

func (q *todoCalls) find(id string) int {
	return slices.IndexFunc(*q, func(c todoCall) bool { return c.id == id })
}

// take gives the call that a result answers, and forgets it.
func (q *todoCalls) take(id string) (todoCall, bool) {
	i := q.find(id)
	if i < 0 {
		return todoCall{}, false
	}
	c := (*q)[i]
	*q = slices.Delete(*q, i, i+1)
	return c, true
}

// drop gives up the calls whose result never came.
func (q *todoCalls) drop(s *stream) {
	for _, c := range *q {
		s.lose(c)
	}
	*q = nil
}

func (s *stream) lose(c todoCall) {
	s.unconfirmed(c.named())
}
