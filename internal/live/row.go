package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/todo"
)

// Row is a session as a view of many shows it.
type Row struct {
	session.StoredList

	Err       error // the document cannot be read; nothing else is known about it then
	Active    bool
	UpdatedAt todo.Time
	Counts    todo.Counts
	Title     string // the text of the first open item, else of the first
	Project   string // the folder
	Member    string // by which name the agent's team knows the sub-agent whose list it is; empty if it is not in a team
	Owner     *session.Owner
	Item      Item               // the one to work on; zero if nothing is open
	Work      *session.QueueItem // the item of a queue that the session of a worker is about; nil in any other
	Goal      *session.Goal      // that the agent at work follows on its own; nil if there is none
	Standing  continuation.Standing
}

// Item is an item of a row's list.
type Item struct {
	Position string
	Text     string
}

// NewRow returns the row of a saved list. The caller adds its state.
func NewRow(l session.LoadedList) Row {
	r := Row{StoredList: l.StoredList, Err: l.Err}
	if l.Doc == nil {
		r.Standing = DamagedStanding("cannot be read", todo.TimeOf(l.Changed))
		if l.Deleting() {
			r.Standing.State, r.Standing.Attention, r.Standing.Reason, r.Standing.Why = continuation.IsStopped, continuation.AttentionStopped, "deleting", "being deleted"
		}
		if l.Moved() {
			r.Standing.State, r.Standing.Attention, r.Standing.Reason, r.Standing.Why = continuation.IsStopped, continuation.AttentionStopped, "moved", "moved to another store"
		}
		return r
	}
	items := l.Doc.Todos.Items
	r.Active, r.UpdatedAt = l.Doc.Todos.Active, l.Doc.UpdatedAt
	r.Work, r.Goal = l.Doc.Work, l.Doc.ActiveGoal()
	r.Counts, r.Project, r.Owner = todo.Count(items), l.Doc.Project, l.Doc.Owner
	r.Member = l.Doc.Member()
	open := slices.IndexFunc(items, func(it todo.Item) bool { return it.Status.Open() })
	if len(items) > 0 {
		r.Title = items[max(open, 0)].Content
	}
	if at := todo.Next(items); at >= 0 {
		open = at
	}
	if open >= 0 && r.Active {
		r.Item = Item{todo.Ref{Item: open, Sub: -1}.Label(), items[open].Content}
	}
	return r
}

// DamagedStanding is the standing of a session that cannot be decided: the user must repair it.
func DamagedStanding(why string, since todo.Time) continuation.Standing {
	return continuation.Standing{State: continuation.NeedsYou, Attention: continuation.AttentionUser, Reason: "damaged", Why: why, Since: since}
}

// CurrentText returns the text of the item that the session is about. For a worker that is the item of the queue, and not a step of it.
func (r *Row) CurrentText() string {
	if r.Work != nil {
		return r.Work.Content
	}
	return r.Item.Text
}

// Agent returns the name of the agent that owns the list, or nothing.
func (r *Row) Agent() string {
	if r.Owner == nil {
		return ""
	}
	return r.Owner.Agent
}

// StopOrResume returns the event that stops a session, or that resumes one which does not continue, and a message that says so.
func (r *Row) StopOrResume() (event continuation.Type, done string, err error) {
	switch a := r.Standing.Attention; {
	case r.Err != nil:
		return "", "", r.Err
	case a == continuation.AttentionDone:
		return "", "", fmt.Errorf("%s is %s", r.Name, r.Standing.State.Words())
	case a == continuation.AttentionStopped, a == continuation.AttentionLimit, a == continuation.AttentionHost, r.Standing.Reason == "paused":
		return continuation.Resume, "resumed " + r.Name.String(), nil
	}
	return continuation.Stop, "stopped " + r.Name.String(), nil
}

// Location reports where the session is: its project, and within it the name of a session that
// has one of its own and that of a sub-agent, after the name that it has in its team. What is not known is empty.
func (r *Row) Location() (project, name string) {
	project = session.FolderName(r.Project)
	folder, derived := session.DerivedFrom(r.Name.Session)
	if derived {
		project = cmp.Or(project, folder)
	} else {
		name = r.Name.Session
	}
	if r.Member != "" {
		name = strings.TrimLeft(name+" "+r.Member+" ", " ")
	}
	if !r.Name.IsMain() {
		name += "+" + r.Name.Agent
	}
	return project, name
}

// Compare orders rows: the most urgent comes first, and of those in the same state
// the one whose state is the newest.
func Compare(a, b Row) int {
	return cmp.Or(
		cmp.Compare(a.Standing.Attention.Rank(), b.Standing.Attention.Rank()),
		cmp.Compare(a.Standing.State.Rank(), b.Standing.State.Rank()),
		cmp.Compare(b.Standing.Since, a.Standing.Since),
		cmp.Compare(a.Name.String(), b.Name.String()))
}

// matches reports whether a text occurs in a row, upper and lower case being the same.
func (r *Row) matches(text string) bool {
	project, name := r.Location()
	shown := strings.Join([]string{project, name, r.Agent(), r.Item.Text, r.CurrentText(), r.Standing.Why, r.Standing.State.Words(), string(r.Standing.Attention), string(r.Standing.Reason)}, "\n")
	return strings.Contains(strings.ToLower(shown), strings.ToLower(text))
}
