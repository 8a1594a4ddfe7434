package native

import "onward/internal/todo"

// CommandAuthor returns todo.ByUser if the user runs a command, and nothing if an agent does. It is the user's if it is typed in a
// terminal, or if nothing in the environment shows an agent, which is its sign, or a conversation. A sub-agent's list is never the user's.
func CommandAuthor(main, typed bool, conversation, sign string) string {
	if main && (typed || conversation == "" && sign == "") {
		return todo.ByUser
	}
	return ""
}
