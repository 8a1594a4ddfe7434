package hook

import (
	"fmt"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// OpeningContext is the context that a new conversation receives.
type OpeningContext struct {
	Name  session.Name // of its list
	Apart bool         // another live conversation holds the project's list, so this one has its own
	List  bool         // the open items are included
	Help  string       // how the model keeps a list; {session} in it is the session's id
}

// ListHelp instructs a model without a todo tool how to keep a list, in the user's text if one is given; empty for any other model.
func (p *Protocol) ListHelp(c Call, env func(string) string, text string, given bool) string {
	switch {
	case !p.todoToolOff(c, env):
		return ""
	case !given:
		return defaultListHelp
	case text == "":
		return ""
	}
	return strings.TrimRight(text, "\n") + "\n"
}

// todoToolOff reports whether the agent's own todo tool is known to be off,
// so that its model needs instructions how to keep a list.
func (p *Protocol) todoToolOff(c Call, env func(string) string) bool {
	return p.LacksTodoTool != nil && p.LacksTodoTool(c, env)
}

const defaultListHelp = "If you have no todo tool, keep your todo list with these commands, one item for each step of a task with several:\n" +
	"`onward todo add --session {session} 'text'`, and with the same flag `onward todo start N` and `onward todo done N`.\n" +
	"If you cannot continue, run `onward pause 'reason'`, with that flag too.\n"

// maxOpening is the maximum number of open items that are listed.
const maxOpening = 20

// Text writes it. Every command names the session, because the model's shell may be in another folder.
// A missing document is nil.
func (o OpeningContext) Text(doc *session.Document) string {
	var b strings.Builder
	if o.Apart {
		fmt.Fprintf(&b, "Another conversation holds this project's todo list, so this one has a list of its own.\n"+
			"Name its onward session in every command: `onward todo show --session %s`.\n", o.Name.Session)
	}
	if o.List && doc != nil {
		b.WriteString(openItems(o.Name, doc.Todos.Current()))
	}
	if o.Help != "" {
		b.WriteString(strings.ReplaceAll(o.Help, "{session}", o.Name.Session))
	}
	return b.String()
}

func openItems(name session.Name, items []todo.Item) string {
	counts := todo.Count(items)
	if counts.Open == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The todo list of this project is kept by onward. Open, %d of %d:\n", counts.Open, counts.Total)
	shown := 0
	for i := range items {
		if !items[i].Status.Open() {
			continue
		}
		if shown++; shown <= maxOpening {
			fmt.Fprintf(&b, "%d. [%s] %s\n", i+1, items[i].Status, continuation.QuoteLine(items[i].Content))
		}
	}
	if shown > maxOpening {
		fmt.Fprintf(&b, "+%d more: `onward todo show --session %s`\n", shown-maxOpening, name.Session)
	}
	fmt.Fprintf(&b, "Continue with it if the user's request is about it; `onward todo done --session %s N` marks item N as done.\n", name.Session)
	return b.String()
}
