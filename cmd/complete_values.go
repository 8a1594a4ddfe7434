package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"onward/internal/agent"
	continuation "onward/internal/continue"
	"onward/internal/hook/install"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// values gives what the tag `complete` of a flag or argument names.
func (c *completing) values(v *kong.Value) []candidate {
	kind := v.Tag.Get("complete")
	if words, ok := strings.CutPrefix(kind, "="); ok {
		var out []candidate
		for word := range strings.SplitSeq(words, "|") {
			out = append(out, candidate{text: word})
		}
		return out
	}
	a := c.app
	switch kind {
	case "file":
		return []candidate{filesWanted}
	case "status":
		return named(todo.Statuses[:])
	case "setting":
		return settingCandidates()
	case "setting or native-session":
		return append(settingCandidates(), candidate{"native-session", "the id for the agent's own resume"})
	case "value":
		return valueCandidates(c.args)
	case "position", "range":
		return a.positions(kind == "range")
	case "item":
		return a.items()
	case "change":
		return a.changes()
	case "session":
		return a.sessions()
	case "agent":
		return a.agents()
	case "background":
		return a.background(c.args)
	case "list":
		return a.numbers()
	case "hook":
		return named(agentNames())
	case "hooks":
		return named(install.Names())
	case "stream":
		return named(agent.Formats())
	case "shown help":
		return helpCandidates(c.args)
	default:
		return a.scheduleValues(kind, slices.Contains(c.given, "for-session"))
	}
}

// named makes candidates of words that say themselves what they are.
func named[S ~string](words []S) []candidate {
	out := make([]candidate, len(words))
	for i, w := range words {
		out[i].text = string(w)
	}
	return out
}

// helpCandidates gives the commands below the words of one, and the topics.
func helpCandidates(args []string) []candidate {
	table := commands()
	var out []candidate
	if len(args) == 0 {
		out = named(topics())
	}
	for _, word := range args {
		i := slices.IndexFunc(table, func(c command) bool { return c.name == word })
		if i < 0 {
			return nil
		}
		table = table[i].sub
	}
	for _, c := range table {
		out = append(out, candidate{c.name, c.help})
	}
	return out
}

func settingCandidates() []candidate {
	var out []candidate
	for _, s := range continuation.Table() {
		out = append(out, candidate{s.Key, s.Help})
	}
	return out
}

// valueCandidates gives the values of the setting that was named before.
func valueCandidates(args []string) []candidate {
	if len(args) == 0 {
		return nil
	}
	s, err := continuation.Find(args[0])
	if err != nil {
		return nil
	}
	var out []candidate
	for _, word := range []string{"true", "false", "cli", "tool", "auto"} {
		if continuation.CheckSetting(s.Key, word) == nil && strings.Contains(s.Allowed, word) {
			out = append(out, candidate{text: word})
		}
	}
	if !slices.ContainsFunc(out, func(c candidate) bool { return c.text == s.Default }) {
		out = append(out, candidate{s.Default, "the default; allowed: " + s.Allowed})
	}
	return out
}

// positions gives the positions of the current list with their texts.
func (a *app) positions(ranges bool) []candidate {
	_, doc, err := a.load()
	if err != nil {
		return nil
	}
	var out []candidate
	items := current(doc)
	for i := range items {
		out = append(out, candidate{strconv.Itoa(i + 1), items[i].Content})
		for j := range items[i].Subtasks {
			out = append(out, candidate{todo.Ref{Item: i, Sub: j}.Label(), items[i].Subtasks[j].Content})
		}
	}
	out = append(out, candidate{"last", "the last item"})
	if ranges {
		out = append(out, candidate{"all", "every item"})
	}
	return out
}

// items gives the items of the current list by their ids.
func (a *app) items() []candidate {
	_, doc, err := a.load()
	if err != nil {
		return nil
	}
	var out []candidate
	for _, it := range current(doc) {
		out = append(out, candidate{it.ID, it.Content})
	}
	return out
}

// changes gives how many changes can be undone, with what the last of them was.
func (a *app) changes() []candidate {
	const offered = 10
	t, err := a.target()
	if err != nil {
		return nil
	}
	entries, err := t.store.History(t.name)
	if err != nil {
		return nil
	}
	var out []candidate
	for i := range entries[:min(offered, len(entries))] {
		out = append(out, candidate{strconv.Itoa(i + 1), entries[i].Change})
	}
	return out
}

// background gives the work that is under way, for the event of its end.
func (a *app) background(args []string) []candidate {
	_, doc, err := a.load()
	if err != nil || doc == nil || !slices.Equal(args, []string{"background-end"}) {
		return nil
	}
	var out []candidate
	for _, task := range doc.Continuation.Background {
		out = append(out, candidate{task.ID, task.Kind})
	}
	return out
}

// maxSessions is how many saved sessions are offered, because each of them is read.
const maxSessions = 50

func (a *app) sessions() []candidate {
	var out []candidate
	for _, l := range a.listed() {
		text := "cannot be read"
		if l.Doc != nil {
			text = render.Totals(todo.Count(l.Doc.Todos.Items))
		}
		out = append(out, candidate{l.Name.String(), text})
	}
	return out
}

// numbers gives the numbers of the saved lists, with their sessions.
func (a *app) numbers() []candidate {
	var out []candidate
	for _, l := range a.listed() {
		out = append(out, candidate{strconv.Itoa(l.Number), l.Name.String()})
	}
	return append(out, a.sessions()...)
}

// agents gives the sub-agents that have a list in the session.
func (a *app) agents() []candidate {
	t, err := a.target()
	if err != nil {
		return nil
	}
	var out []candidate
	for _, l := range a.listed() {
		if l.Name.Session == t.name.Session && l.Name.Agent != "" && l.Name.Agent != session.Primary {
			text := ""
			if l.Doc != nil {
				text = render.Totals(todo.Count(l.Doc.Todos.Items))
			}
			out = append(out, candidate{l.Name.Agent, text})
		}
	}
	return out
}

func (a *app) listed() []session.Listed {
	t, err := a.target()
	if err != nil {
		return nil
	}
	lists, _, err := t.store.Lists(t.name, maxSessions)
	if err != nil {
		return nil
	}
	return lists
}
