package agent

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// transcriptPoint is the position of a user's message, with the list as it was then.
// The next message with the same parent replaces it: the user went back.
type transcriptPoint struct {
	parent string
	list   []todo.Item
}

// prompt begins a turn. A message in the place of an earlier one means that the user went back to before that one,
// and the list is again what it was there. Tasks stay: the program keeps them outside the conversation.
func (c *claudeTranscript) prompt(l *claudeLine, s *claudeSession, st *transcriptState) {
	at := l.at()
	parent := string(l.word("parentUuid"))
	c.dropMain(s)
	s.cut(0)
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
			s.list(Update{Event: continuation.Event{Removes: true}, At: at}, list)
		}
	}
	if len(st.prompts) == maxPrompts {
		st.prompts = slices.Delete(st.prompts, 0, 1)
	}
	st.prompts = append(st.prompts, transcriptPoint{parent: parent, list: s.lists[""]})
	s.weigh()
	s.begin(at)
	st.commanded = false
}

func (c *claudeTranscript) end(s *claudeSession, status continuation.TurnStatus, at todo.Time) {
	c.dropMain(s)
	s.end(status, at)
}

// dropMain abandons the main agent's calls whose result never came. Sub-agents may continue in the background.
func (c *claudeTranscript) dropMain(s *claudeSession) {
	s.dropMatching(func(c *todoCall) bool { return c.sub == "" })
}
