package doctor

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"onward/internal/session"
	"onward/internal/todo"
)

// unread gathers the kinds of events and lines that onward did not know, from the documents of sessions, by agent.
type unread map[string]*unreadOf

// unreadOf has what one agent sent.
type unreadOf struct {
	version string // the newest
	at      todo.Time
	names   []string
}

// goal reports an agent that follows a goal on its own, which onward does not decide about; nil if it does not.
func goal(doc *session.Document, title func(agent string) string) []Finding {
	if doc.ActiveGoal() == nil {
		return nil
	}
	return []Finding{{
		Name: doc.Goal.Agent, State: Note,
		Detail: title(doc.Goal.Agent) + " follows a goal by itself in session " + session.Name{Session: doc.Session, Agent: doc.Agent}.String() + ": " + doc.Goal.Text,
	}}
}

// add adds the kinds that a document recorded lately.
func (u unread) add(doc *session.Document, now todo.Time) {
	for _, one := range doc.Unread {
		if one.At.Since(now) > session.UnreadFor {
			continue
		}
		of := u[one.Agent]
		if of == nil {
			of = new(unreadOf)
			u[one.Agent] = of
		}
		if one.At >= of.at {
			of.at, of.version = one.At, cmp.Or(one.Version, of.version)
		}
		if !slices.Contains(of.names, one.Name) {
			of.names = append(of.names, one.Name)
		}
	}
}

// maxNames is how many kinds a finding names.
const maxNames = 10

// findings returns one finding for each agent.
func (u unread) findings(title func(agent string) string) (findings []Finding) {
	for _, agent := range slices.Sorted(maps.Keys(u)) {
		of := u[agent]
		slices.Sort(of.names)
		who := title(agent)
		if of.version != "" {
			who += " " + of.version
		}
		named, more := of.names, ""
		if n := len(named) - maxNames; n > 0 {
			named, more = named[:maxNames], ", and "+strconv.Itoa(n)+" more"
		}
		findings = append(findings, Finding{
			Name: agent, State: Note,
			Detail: who + " sent " + todo.Plural(len(of.names), "kind") + " of events or lines that this version of onward does not know: " + strings.Join(named, ", ") + more,
			Hint:   "a newer onward may know them; if this is the newest one, report them",
		})
	}
	return findings
}
