package cmd

import (
	"slices"
	"strconv"
	"strings"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/live"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// values returns the candidates of a kind, which the tag `complete` of a flag or an argument names.
func (a *app) values(t cli.CompletionContext) []candidate {
	switch t.Kind {
	case "file":
		return cli.FileCandidates()
	case "status":
		return cli.WordCandidates(todo.Statuses())
	case "attention":
		return cli.WordCandidates(continuation.States[:])
	case "setting":
		return settingCandidates()
	case "setting or native-session":
		return append(settingCandidates(), candidate{Text: "native-session", Help: "the id for the agent's own resume"})
	case "value":
		return valueCandidates(t.Args)
	case "position", "range":
		return a.itemPositions(t.Kind == "range")
	case "item":
		return a.items()
	case "claimed":
		return a.claimedItems()
	case "held":
		return a.heldPositions()
	case "worker":
		return a.workers()
	case "gate":
		return append(a.itemGates(), candidate{Text: "none", Help: "no gate"})
	case "change":
		return a.changes()
	case "session":
		return a.sessions()
	case "agent":
		return a.agents()
	case "background":
		return a.background(t.Args)
	case "list":
		return a.listNumbers()
	case "program":
		return cli.WordCandidates(programNames())
	case "program with flags":
		return flagCandidates(t.Args)
	case "hook":
		return cli.WordCandidates(agentNames())
	case "hooks":
		return cli.WordCandidates(installNames())
	case "stream":
		return cli.WordCandidates(agents.Formats())
	case "list format":
		return cli.WordCandidates(importable().Formats())
	case "shown help":
		return a.helpCandidates(t.Args)
	default:
		return a.scheduleValues(t.Kind, slices.Contains(t.Given, "for-session"))
	}
}

// flagCandidates returns what --with begins with: the agents of the run, as far as they are typed.
func flagCandidates(args []string) []candidate {
	names := programNames()
	if len(args) > 0 {
		names = strings.Split(args[0], ",")
	}
	return render.Map(names, func(_ int, name *string) candidate { return candidate{Text: *name + "="} })
}

// helpCandidates returns the commands below the words of one, and the topics.
func (a *app) helpCandidates(args []string) []candidate {
	if len(args) == 0 {
		return append(cli.WordCandidates(a.program().Topics()), cli.CommandNames(commands())...)
	}
	if group, _ := cli.FindPath(commands(), args); group != nil && group.Sub != nil {
		return cli.CommandNames(group.Sub)
	}
	return nil
}

func settingCandidates() []candidate {
	return render.Map(continuation.AllSettings(), func(_ int, s *continuation.Setting) candidate { return candidate{Text: s.Key, Help: s.Help} })
}

// valueCandidates returns the values of the setting that was named before.
func valueCandidates(args []string) []candidate {
	if len(args) == 0 {
		return nil
	}
	s, err := continuation.FindSetting(args[0])
	if err != nil {
		return nil
	}
	var out []candidate
	for _, word := range []string{"true", "false", "cli", "tool", "auto"} {
		if _, err := continuation.CheckSetting(s.Key, word); err == nil && strings.Contains(s.Allowed, word) {
			out = append(out, candidate{Text: word})
		}
	}
	if !slices.ContainsFunc(out, func(c candidate) bool { return c.Text == s.Default }) {
		out = append(out, candidate{Text: s.Default, Help: "the default; allowed: " + s.Allowed})
	}
	return out
}

// itemPositions returns the positions of the current list with their texts.
func (a *app) itemPositions(ranges bool) []candidate {
	_, doc, err := a.load()
	if err != nil {
		return nil
	}
	var out []candidate
	items := doc.Current()
	for i := range items {
		out = append(out, candidate{Text: strconv.Itoa(i + 1), Help: items[i].Content})
		for j := range items[i].Subtasks {
			out = append(out, candidate{Text: todo.Ref{Item: i, Sub: j}.Label(), Help: items[i].Subtasks[j].Content})
		}
	}
	out = append(out, candidate{Text: "last", Help: "the last item"})
	if ranges {
		out = append(out, candidate{Text: "all", Help: "every item"})
	}
	return out
}

// items returns the items of the current list by their ids.
func (a *app) items() []candidate {
	_, doc, _ := a.load() // a list that cannot be read has no candidates
	return render.Map(doc.Current(), func(_ int, it *todo.Item) candidate { return candidate{Text: it.ID, Help: it.Content} })
}

// claimedItems returns the items of the current list that workers hold, as SESSION:ID.
func (a *app) claimedItems() []candidate {
	t, doc, _ := a.load()
	var out []candidate
	for _, it := range doc.Current() {
		if it.Claim.Live(t.Now) {
			out = append(out, candidate{Text: t.Name.String() + ":" + it.ID, Help: it.Claim.By + ": " + it.Content})
		}
	}
	return out
}

// heldPositions returns the positions of the items that workers hold.
func (a *app) heldPositions() (out []candidate) {
	_, doc, _ := a.load()
	for i, it := range doc.Current() {
		if it.Claim != nil {
			out = append(out, candidate{Text: strconv.Itoa(i + 1), Help: it.Claim.By + ": " + it.Content})
		}
	}
	return out
}

// workers returns the names of the workers that hold items.
func (a *app) workers() (out []candidate) {
	_, doc, _ := a.load()
	for i, it := range doc.Current() {
		if it.Claim != nil {
			out = append(out, candidate{Text: it.Claim.By, Help: "holds item " + strconv.Itoa(i+1)})
		}
	}
	return out
}

// itemGates returns the commands of the gates that items have.
func (a *app) itemGates() []candidate {
	_, doc, _ := a.load()
	return render.Map(todo.GateCommands(doc.Current()), func(_ int, command *string) candidate { return candidate{Text: *command, Help: "the gate of an item"} })
}

// changes returns how many changes can be undone, with what the last of them was.
func (a *app) changes() []candidate {
	const offered = 10
	t, err := a.target()
	if err != nil {
		return nil
	}
	entries, err := t.Store.History(t.Name)
	if err != nil {
		return nil
	}
	return render.Map(entries[:min(offered, len(entries))], func(i int, e *session.Entry) candidate {
		return candidate{Text: strconv.Itoa(i + 1), Help: e.Change}
	})
}

// background returns the work that is under way, for the event of its end.
func (a *app) background(args []string) []candidate {
	_, doc, _ := a.load()
	if doc == nil || !slices.Equal(args, []string{"background-end"}) {
		return nil
	}
	return render.Map(doc.Continuation.Background, func(_ int, t *session.BackgroundTask) candidate { return candidate{Text: t.ID, Help: t.Kind} })
}

// maxSessions is how many saved sessions are offered; each of them must be read.
const maxSessions = 50

func (a *app) sessions() []candidate {
	return render.Map(a.loadedLists(), func(_ int, l *session.LoadedList) candidate {
		return candidate{Text: l.Name.String(), Help: totalsText(l)}
	})
}

// totalsText are those of a saved list.
func totalsText(l *session.LoadedList) string {
	if l.Doc == nil {
		return live.NewRow(*l).Standing.Why
	}
	return render.Totals(todo.Count(l.Doc.Todos.Items))
}

// listNumbers returns the numbers of the saved lists, with their sessions.
func (a *app) listNumbers() []candidate {
	byNumber := render.Map(a.loadedLists(), func(_ int, l *session.LoadedList) candidate {
		return candidate{Text: strconv.Itoa(l.Number), Help: l.Name.String()}
	})
	return append(byNumber, a.sessions()...)
}

// agents returns the sub-agents that have a list in the session.
func (a *app) agents() []candidate {
	t, err := a.target()
	if err != nil {
		return nil
	}
	var out []candidate
	for _, l := range a.loadedLists() {
		if l.Name.Session == t.Name.Session && !l.Name.IsMain() {
			out = append(out, candidate{Text: l.Name.Agent, Help: totalsText(&l)})
		}
	}
	return out
}

func (a *app) loadedLists() (lists []session.LoadedList) {
	if t, err := a.target(); err == nil {
		_, _ = t.Store.VisitLists(t.Name, maxSessions, func(l session.LoadedList) { lists = append(lists, l) })
	}
	return lists
}
