package output

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"

	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// WhyHeld returns the reason why a session with a list does not continue until the user resumes it; empty if there is none.
func WhyHeld(name session.Name, doc *session.Document) string {
	why := ""
	switch l := &doc.Continuation; {
	case l.Stopped():
		why = "stopped"
	case l.AbortedAt != 0:
		why = "interrupted"
	case l.Paused != nil:
		why = "paused: " + render.Text(l.Paused.Reason)
	default:
		return ""
	}
	return fmt.Sprintf("session %s is still %s; `onward resume` ends that", name, why)
}

// mostAsking is how many sessions a hint names.
const mostAsking = 3

// ReplyHint names the commands that answer the sessions whose agents ask, where the one that was meant waits for nothing; empty if none
// asks. A session that was named, as a list of sessions shows it by its project's name, is not taken for another one.
func ReplyHint(asking []live.Row, meant string, named bool, answer string) string {
	var hints []string
	for i := range asking {
		r := &asking[i]
		if project, _ := r.Location(); (!named || project == meant) && len(hints) < mostAsking {
			words := []string{"reply", "--session", r.Name.Session}
			if strings.HasPrefix(answer, "-") {
				words = append(words, "--")
			}
			hints = append(hints, "`onward "+shellquote.Join(append(words, answer)...)+"` answers session "+strconv.Quote(r.Name.String())+", "+WhyText(r.Standing))
		}
	}
	return strings.Join(hints, "; ")
}

// StateText is the state in words, with the reason if there is one.
func StateText(s continuation.Standing) string {
	text := s.State.Words()
	if why := WhyText(s); why != "" {
		text += ": " + render.Text(why)
	}
	return text
}

// NoList says that a session has no list.
const NoList = "none is saved"

// ListText counts the items of a list. One that was cleared has none, whatever is kept of it.
func ListText(doc *session.Document) string {
	text := render.Totals(todo.Count(doc.Todos.Items))
	if !doc.Todos.Active && len(doc.Todos.Items) > 0 {
		return "cleared; it had " + text
	}
	return text
}

// RemovedText shows the deleted sessions, a line each: `deleted demo`.
func RemovedText(done string, names []session.Name) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(done + " " + n.String() + "\n")
	}
	return b.String()
}

// PathJSON is onward/path/v1: the file of a session.
func PathJSON(name session.Name, path string) any {
	return Document("onward/path/v1", name, "path", path)
}

// RemovedJSON is onward/removed/v1: the lists that were deleted, or in a dry run would be.
func RemovedJSON(names []session.Name, dryRun bool) any {
	removed := render.Map(names, func(_ int, n *session.Name) Members { return Members{"session", n.Session, "agent", n.AgentID()} })
	return Members{"schema", "onward/removed/v1", "dry_run", dryRun, "removed", removed}
}
