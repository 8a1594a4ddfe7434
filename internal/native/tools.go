package native

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// Tools are the names and forms of an agent's own tools that matter here.
type Tools struct {
	Todo     []Tool
	Readers  []string // tools that only look, ask or think
	Shells   []string // tools that run a command line
	Waits    []string // tools that wait for what runs in the background, or show what it printed
	Refusals []string // how the text of a result begins if the call was refused
	Quotes   string   // what precedes the list in the text of a result; empty if results quote none
}

// Registry are the tools of all agents, as the registry hands them in.
type Registry = iter.Seq[*Tools]

// Tool is a todo tool of an agent.
type Tool struct {
	Name string // as the agent calls it; in hooks its style varies
	Does Effect

	// Shared means that the conversation has one list of it, which its sub-agents change as well.
	Shared bool

	// About reports whether a call is about the list; nil if every call is.
	About func(input object.Value) bool

	// Reads reports whether onward understands a call; nil if it understands every one whose list can be read.
	Reads func(input object.Value) bool

	// Follow returns the list after a call that does not write it as a whole; false leaves the saved one unchanged.
	Follow func(before SavedList, tool *Tool, c Call) ([]todo.Item, bool)
}

// SavedList is a list that was saved before.
type SavedList struct {
	Items []todo.Item
	Since todo.Time // when the conversation came to the list: older items were made by another one
	Now   todo.Time // only needed for calls that report how long they took

	Deleted   []string  // ids of items that the agent deleted by name
	DeletedAt todo.Time // when the last of them was
}

// Effect is what a call of a tool does to a list.
type Effect int

// The effects of calls. A written list is in the input, and in the result if the tool returns it as accepted.
const (
	Writes       Effect = iota // the whole list; with merge, the items that change
	Reads                      // nothing
	Creates                    // one task
	Updates                    // one task
	Links                      // makes one task wait for another
	ShowsOne                   // nothing, and the result shows a task
	ShowsAll                   // nothing, and the result shows the tasks
	Pauses                     // the model pauses itself
	AlreadySaved               // its content is saved already
	Queries                    // depends on its statement
)

// ReadOnly reports whether a call changes nothing, so that nothing is lost if its result never comes.
func (d Effect) ReadOnly() bool { return d == Reads || d == ShowsOne || d == ShowsAll }

// Find returns the agent's todo tool of exactly this name, or nil.
func (t *Tools) Find(name string) *Tool {
	i := slices.IndexFunc(t.Todo, func(tool Tool) bool { return tool.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Todo[i]
}

// ToolIn returns the todo tool of a name, of any agent and in any style, or nil.
func ToolIn(known Registry, name string) *Tool {
	for t := range known {
		for i := range t.Todo {
			if object.SameName(t.Todo[i].Name, name) {
				return &t.Todo[i]
			}
		}
	}
	return nil
}

// listNames are the names of the member that holds a list, in inputs and results.
var listNames = [...]string{"new_todos", "todos", "final_todos", "todo_list", "plan"}

// ListIn finds the list in the first of the values that has one. They are the results of a call and then its input,
// since a result contains the list as it was accepted. An empty one counts if no other follows; nil means no list.
func ListIn(values ...object.Value) (found *List) {
	for _, v := range values {
		var list *List
		members := v.Object()
		for _, name := range listNames {
			if list == nil {
				list = Read(jsontext.Value(members.Get(name)))
			}
		}
		if list.holdsSome() {
			return list
		}
		found = cmp.Or(found, list)
	}
	return found
}

// holdsSome reports whether there is a list with an entry, even if no entry can be kept.
func (l *List) holdsSome() bool { return l != nil && len(l.Items)+len(l.Left) > 0 }

// Quoted returns the list that the text of a result quotes, whichever agent wrote it. A long text may be cut,
// and then there is no list.
func Quoted(known Registry, text string) *List {
	for t := range known {
		if list := t.Quoted(text); list != nil {
			return list
		}
	}
	return nil
}

// Quoted returns the list that the text of a result quotes; nil if there is none.
func (t *Tools) Quoted(text string) *List {
	if t.Quotes == "" {
		return nil
	}
	_, list, _ := strings.Cut(text, t.Quotes)
	return Read(jsontext.Value(list))
}

// Refused reports whether the text of a result is the agent's refusal. Most agents also report that next to the text.
func (t *Tools) Refused(text string) bool {
	return slices.ContainsFunc(t.Refusals, func(start string) bool { return strings.HasPrefix(text, start) })
}

// IsRefusal reports whether the text of a result is a refusal, whichever agent wrote it.
func IsRefusal(known Registry, text string) bool {
	for t := range known {
		if t.Refused(text) {
			return true
		}
	}
	return false
}

// Call is a call that its agent accepted.
type Call struct {
	Input  object.Value
	Result object.Value // if it is data
	Said   string       // if it is a text
	Quoted *List        // that the text quotes, as it was accepted
	By     string       // the member of the agent's team that made it; empty is the main agent

	// These tell whether other calls changed the list while this one ran, so that its result shows an older list.
	After int       // how many calls had changed something when it was made
	Took  int       // milliseconds; 0 is not known
	Began todo.Time // when it was made; Tool.Apply sets it
}

// hookDelay is how long after the end of a call its hook may run.
const hookDelay = 1000 // milliseconds

// Apply returns the list after a call; false means no list, which leaves the saved one unchanged.
func (t *Tool) Apply(before SavedList, c Call) ([]todo.Item, bool) {
	if c.Took > 0 {
		c.Began = before.Now - todo.Time(c.Took+hookDelay)
	}
	switch {
	case t.Does == Writes:
		list := t.written(before.Items, c)
		if list == nil || list.NoneKept() {
			return nil, false
		}
		return list.Items, true
	case t.Follow != nil:
		return t.Follow(before, t, c)
	}
	return nil, false
}

// Understands reports whether a call was understood: nothing of a list that it wrote is left out. It returns the texts of
// what is left out.
func (t *Tool) Understands(c Call) (left []string, ok bool) {
	in := c.Input.Object()
	switch {
	case t.Reads != nil:
		return nil, t.Reads(c.Input)
	case t.Does != Writes, in.Text("operation") == "read", in.Flag("merge"): // what a merge leaves out depends on the list before
		return nil, true
	}
	if list := t.written(nil, c); list != nil {
		return list.SkippedTexts(), len(list.Left) == 0
	}
	return nil, !slices.ContainsFunc(listNames[:], func(name string) bool {
		given := in.Get(name)
		return given != nil && jsontext.Value(given).Kind() != 'n'
	})
}

// written returns the list that a call wrote.
func (t *Tool) written(saved []todo.Item, c Call) *List {
	in := c.Input.Object()
	switch {
	case in.Text("operation") == "read":
		return nil
	case c.Quoted.holdsSome():
		return c.Quoted
	case in.Flag("merge") && c.Quoted == nil && ListIn(c.Result) == nil:
		return Patch(saved, jsontext.Value(in.Get("todos")))
	}
	return cmp.Or(ListIn(c.Result, c.Input), c.Quoted)
}
