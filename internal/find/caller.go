package find

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/kballard/go-shellquote"

	"onward/internal/agents"
	"onward/internal/cli"
	"onward/internal/native"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// AnyAgentVariable names the variable that shows that an agent runs the command, also if it was cleared on the way here.
func AnyAgentVariable() string { return cmp.Or(AgentVariable(), clearedVariable()) }

// RequirePerson refuses what is not a change of a list, and what only a person may do: it chooses by what the agent's work is measured,
// what may run, or how far the agent may go. Instead is what an agent may do, with a command that can be typed.
// The stores ask it where they commit: the settings of projects, the deletion of lists, calls with their approvals and rules, the rules of
// the configuration, what is trusted, hooks. So a command that changes one of these asks nothing itself.
// The variables that an agent sets in its shell show that the command is not a person's. A terminal proves nothing,
// because several agents run their commands in one.
func RequirePerson(what, instead string) error {
	sign := AgentSign()
	if sign.Variable == "" {
		return nil
	}
	return cli.WithHint(
		cli.Failf(cli.ExitPermission, "only a person may %s, and this is an agent's shell (%s)", what, sign),
		instead+"; the user can "+what+" in a terminal "+sign.Without())
}

// Sign is what shows that an agent runs a command: a variable, or above the process a run or a gate that has set it.
type Sign struct {
	Variable string
	Cleared  bool // the variable was cleared on the way here
}

// AgentSign returns what shows that an agent runs the command; it has no variable if nothing does.
func AgentSign() Sign {
	if set := AgentVariable(); set != "" {
		return Sign{Variable: set}
	}
	return Sign{clearedVariable(), true}
}

func (s Sign) String() string {
	switch {
	case !s.Cleared:
		return s.Variable + " is set"
	case s.Variable == supervise.InGateVariable:
		return "a gate or a tool call has started it"
	}
	return "a run has started it"
}

// Without says in which terminal the sign is missing.
func (s Sign) Without() string {
	if s.Cleared {
		return "of their own"
	}
	return "where " + s.Variable + " is not set"
}

// CommandOfUser returns where the user gives a command that an agent may not give, from its words after "onward": as a line in the agent's
// window, or in another terminal. A line in the window has no flags, and changes the list of that window. A run has no window, and the
// user's terminal does not have the session that the run has set for its agent, so the command names it.
func (f *Finder) CommandOfUser(list session.Name, words string) string {
	sign := AgentSign()
	named, _ := FlagOrVariable(f.Session, "ONWARD_SESSION")
	alone := WithoutUser()
	if f.Session == nil && !alone {
		named = ""
	}
	switch {
	case named != "" && list.Session != "":
		words += " --session " + shellquote.Join(list.Session)
	case strings.HasPrefix(words, "todo ") && !strings.Contains(words, " --") && !alone:
		return "type /" + words + ", or use a terminal " + sign.Without()
	}
	return "run `onward " + words + "` in a terminal " + sign.Without()
}

// mayDelete returns an error if an agent deletes sessions.
func mayDelete() error { return RequirePerson("delete sessions", "`onward session list` shows them") }

// AgentVariable names the variable that shows that an agent runs the command; empty if none does. What a gate runs is an agent's
// too: the agent writes the tests.
func AgentVariable() string { return cmp.Or(agents.MarkerVariable(os.LookupEnv), runOrGateVariable()) }

// runOrGateVariable names the variable that shows that a run or a gate started the command; empty if none does. There the agent works
// without its user, who types nothing into its window either.
func runOrGateVariable() string {
	for _, own := range runAndGateVariables() {
		if os.Getenv(own) != "" {
			return own
		}
	}
	return ""
}

// WithoutUser reports whether a run or a gate started the command, also if the variable was cleared on the way here and another agent's
// was set: nobody types anything there.
func WithoutUser() bool { return runOrGateVariable() != "" || clearedVariable() != "" }

func runAndGateVariables() []string { return []string{supervise.RunVariable, supervise.InGateVariable} }

// cleared is the variable of a run or a gate that a process above this one has, whatever was cleared or set on the way here.
var cleared struct {
	once sync.Once
	sign string
	item string // of the run, as it has set ONWARD_ITEM
	run  string // its mark, as it has set ONWARD_RUN
}

// clearedVariable names the variable of a run or a gate that a process above this one has, though it was cleared on the way here; empty if
// there is none. The search takes time, so callers ask only if the answer matters. A test suite with a
// store and a configuration of its own is free to do what a person may.
func clearedVariable() string {
	cleared.once.Do(func() {
		named := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "--store") })
		for sign, above := range process.SignsAbove(map[string]string{supervise.RunnerName: supervise.InGateVariable, supervise.TurnName: supervise.RunVariable}, runAndGateVariables()...) {
			if !named && above != nil && UsesOtherStore(above, os.Args[1:]) {
				continue // an agent may have set that one's environment, so those above it count too
			}
			cleared.sign = cmp.Or(cleared.sign, sign)
			for _, line := range above {
				if item, is := strings.CutPrefix(line, supervise.ItemVariable+"="); is {
					cleared.item = item // that of the run itself is the last
				}
				if mark, is := strings.CutPrefix(line, supervise.RunVariable+"="); is {
					cleared.run = mark
				}
			}
		}
	})
	return cleared.sign
}

// ownRun returns the mark of the run that started this command, or the variable of the gate that did; empty if neither did. What the agent
// itself has set does not count where a run is found above it.
func ownRun() string {
	sign := clearedVariable()
	return cmp.Or(cleared.run, os.Getenv(supervise.RunVariable), sign, os.Getenv(supervise.InGateVariable))
}

// itemOfRun returns the item of a queue that the run which started this command is about; empty if it is about none of that list. What the
// agent itself has set does not count where a run is found above it. Search also looks for what was cleared on the way here, which takes time.
func itemOfRun(queue session.Name, search bool) string {
	label := os.Getenv(supervise.ItemVariable)
	if (search || label != "") && clearedVariable() != "" {
		label = cmp.Or(cleared.item, label)
	}
	if name, id, is := strings.Cut(label, ":"); is && name == queue.String() {
		return id
	}
	return ""
}

// Writer returns the agent that writes the list by a tool of its own, which this command reads: whether it works without its user, the item
// that it works on alone if the list is a queue, and its name as a worker, if the environment says it. Search also looks for what was
// cleared on the way here, which takes time.
func (t List) Writer(search bool) todo.Authority {
	return todo.Authority{
		Alone: runOrGateVariable() != "" || search && clearedVariable() != "", Item: itemOfRun(t.Name, search),
		Worker: todo.Worker{
			Name:  os.Getenv("ONWARD_WORKER"),
			Holds: func(it *todo.Item, now todo.Time) bool { return t.Store.ClaimHolds(t.Name, it, now) },
		},
	}
}

// Author returns who changes the list with this command: todo.ByUser, or nothing for an agent. It is the user if it is typed at a
// terminal, or as a line in an agent; in a run the user types nothing. The gate is the user's command, though it may not do all that the
// user may.
func (t List) Author(typed bool) string {
	sign := AnyAgentVariable()
	if sign == supervise.InGateVariable {
		sign = ""
	}
	inRun := cmp.Or(runOrGateVariable(), clearedVariable()) == supervise.RunVariable
	return native.CommandAuthor(t.Name.IsMain(), typed && !inRun, t.Conversation.ID, sign)
}

// Authority returns what an agent that runs this command may do to the list.
func (t List) Authority() *todo.Authority {
	return &todo.Authority{
		Alone: AgentVariable() == "" || WithoutUser(), Item: itemOfRun(t.Name, false), Hidden: func() string { return itemOfRun(t.Name, true) },
		Conversation: t.Conversation.ID, Run: ownRun, Now: t.Now,
	}
}

// CheckRun refuses what an agent of one run reports to a list on which another run is at work, or what it schedules there.
func (t List) CheckRun() error {
	return t.Store.CheckRun(todo.Authority{Run: ownRun}, t.Name)
}

// AuthorityOverSessions is what an agent may do that runs this command about no list; nil for a person.
func AuthorityOverSessions() *todo.Authority {
	if AnyAgentVariable() == "" {
		return nil
	}
	return &todo.Authority{}
}
