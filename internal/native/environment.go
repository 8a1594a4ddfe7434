package native

import "onward/internal/todo"

// By returns todo.ByUser where a command is the user's, and nothing where an agent runs it: the user types it,
// or there is no sign of an agent or a conversation. A sub-agent's list is never the user's.
func By(main, typed bool, conversation, agent string) string {
	if main && (typed || conversation == "" && agent == "") {
		return todo.ByUser
	}
	return ""
}
