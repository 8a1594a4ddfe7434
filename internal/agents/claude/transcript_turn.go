package claude

import (
	"slices"

	"onward/internal/agents/stream"
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// transcriptPoint is the position of a user's message, with the list as it was then.
// The next message with the same parent replaces it: the user went back.
type transcriptPoint struct {
	parent string
	list   []todo.Item
}

// beginTurn begins a turn. A message in the place of an earlier one means that the user went back to before that one,
// and the list is again what it was there. Tasks stay: the program keeps them outside the conversation.
func (c *transcript) beginTurn(l *Line, s *Session, st *transcriptState) {
	at := l.At()
	parent := string(l.Word("parentUuid"))
	c.dropMain(s)
	s.EndOpenTurns(0)
	back := slices.IndexFunc(st.prompts, func(p transcriptPoint) bool {
		return p.parent == parent && (p.parent != "" || st.linked)
	})
	if back >= 0 {
		list := st.prompts[back].list
		st.prompts = st.prompts[:back]
		if !todo.Equal(list, s.lists[""]) {
			if s.lists == nil {
				s.lists = make(map[string][]todo.Item)
			}
			s.lists[""] = list
			s.EmitList(stream.Update{Event: continuation.Event{Removes: true}, At: at}, list)
		}
	}
	if len(st.prompts) == maxPrompts {
		st.prompts = slices.Delete(st.prompts, 0, 1)
	}
	st.prompts = append(st.prompts, transcriptPoint{parent: parent, list: s.lists[""]})
	s.updateWeight()
	s.BeginTurn(at)
	st.commanded, c.prompt = false, string(l.uuid())
}

// interrupt ends the turn. One that seemed to have ended goes on while Stop hooks run, and a slash command begins none before
// the model's first answer: then the interrupt has a turn of its own, or the agent would be sent on although the user stopped it.
func (c *transcript) interrupt(l *Line, s *Session, st *transcriptState) {
	switch {
	case s.NewestTurn() != nil:
	case st.commanded:
		s.BeginTurn(l.At())
	case s.LastTurnInterrupted():
		return // it has a line for the call and one for the turn
	default:
		s.BeginTurn(l.At(), stream.InferredTurn)
	}
	st.commanded = false
	c.end(s, continuation.Aborted, l.At())
}

func (c *transcript) end(s *Session, status continuation.TurnStatus, at todo.Time) {
	c.dropMain(s)
	s.EndTurn(status, at)
}

// dropMain abandons the main agent's calls whose result never came. Sub-agents may continue in the background.
func (c *transcript) dropMain(s *Session) {
	s.AbandonMatchingCalls(func(c *stream.AwaitedTodoCall) bool { return c.SubAgent == "" })
}
