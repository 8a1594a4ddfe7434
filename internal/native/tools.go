package native

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
	"onward/internal/todo"
)

// The agents whose todo tools differ.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	LLxprt   = "llxprt"
	Qwen     = "qwen"
	Opencode = "opencode"
	Cursor   = "cursor"
	VSCode   = "vscode"
	Kimi     = "kimi"
	Droid    = "droid"
	Copilot  = "copilot"
	Pi       = "pi"
	Onward   = "onward" // our own MCP server
)

// Tool is a todo tool of an agent.
type Tool struct {
	Agent string
	Name  string // as the agent calls it; in hooks its style varies
	Does  Effect
}

// Effect is what a call of a tool does to a list.
type Effect int

// The effects of calls. A written list is in the input, and in the result if the tool returns it as accepted.
const (
	Writes   Effect = iota // the whole list; with merge, the items that change
	Reads                  // nothing
	Creates                // one task
	Updates                // one task
	Links                  // makes one task wait for another
	ShowsOne               // nothing, and the result shows a task
	ShowsAll               // nothing, and the result shows the tasks
	Pauses                 // the model pauses itself
	Saves                  // its content is saved already
	Queries                // depends on its statement
)

// ReadOnly reports whether a call changes nothing, so that nothing is lost if its result never comes.
func (d Effect) ReadOnly() bool { return d == Reads || d == ShowsOne || d == ShowsAll }

// tools is the table of the todo tools.
var tools = [...]Tool{
	{Claude, "TodoWrite", Writes},
	{Claude, "TodoRead", Reads},
	{Claude, "TaskCreate", Creates},
	{Claude, "TaskUpdate", Updates},
	{Claude, "TaskGet", ShowsOne},
	{Claude, "TaskList", ShowsAll},
	{Codex, "update_plan", Writes},
	{Gemini, "write_todos", Writes},
	{Gemini, "read_todos", Reads},
	{Gemini, "tracker_create_task", Creates},
	{Gemini, "tracker_update_task", Updates},
	{Gemini, "tracker_add_dependency", Links},
	{Gemini, "tracker_get_task", ShowsOne},
	{Gemini, "tracker_list_tasks", ShowsAll},
	{Gemini, "tracker_visualize", ShowsOne},
	{LLxprt, "todo_write", Writes},
	{LLxprt, "todo_read", Reads},
	{LLxprt, "todo_pause", Pauses},
	{Qwen, "todo_write", Writes},
	{Opencode, "todowrite", Writes},
	{Opencode, "todoread", Reads},
	{Cursor, "updateTodosToolCall", Writes},
	{Cursor, "update_todos", Writes},
	{Cursor, "todoToolCall", Writes},
	{Cursor, "todoWriteToolCall", Writes},
	{Cursor, "todo_write", Writes},
	{Cursor, "readTodosToolCall", Reads},
	{VSCode, "manage_todo_list", Writes}, // with the operation read it writes nothing
	{Kimi, "SetTodoList", Writes},        // without a list it writes nothing
	{Kimi, "TodoList", Writes},
	{Droid, "TodoWrite", Writes}, // numbered lines
	{Copilot, "sql", Queries},    // of its own database, about todos and anything else
	{Pi, "todo_write", Writes},   // of onward's extension
	{Onward, "mcp__onward__todo_write", Saves},
	{Onward, "mcp__onward__todo_update", Saves},
	{Onward, "mcp__onward__todo_read", Saves},
	{Onward, "mcp__onward__todo_next", Saves},
	{Onward, "mcp__onward__todo_pause", Saves},
	{Onward, "onward_todo_write", Saves}, // so opencode calls them
	{Onward, "onward_todo_update", Saves},
	{Onward, "onward_todo_read", Saves},
	{Onward, "onward_todo_next", Saves},
	{Onward, "onward_todo_pause", Saves},
}

// ToolOf returns an agent's todo tool of exactly this name, or nil.
func ToolOf(agent, name string) *Tool {
	for i := range tools {
		if t := &tools[i]; t.Name == name && t.Agent == agent {
			return t
		}
	}
	return nil
}

// AnyTool returns the todo tool of a name, of any agent and in any style, or nil.
func AnyTool(name string) *Tool {
	i := slices.IndexFunc(tools[:], func(t Tool) bool { return object.SameName(t.Name, name) })
	if i < 0 {
		return nil
	}
	return &tools[i]
}

// Tracks reports whether the tool belongs to Gemini's task tracker.
func (t *Tool) Tracks() bool { return strings.HasPrefix(t.Name, "tracker_") }

// ListIn finds the list in the first of the values that has one. They are the results of a call and then its input,
// since a result contains the list as it was accepted. An empty one counts if no other follows; nil means no list.
func ListIn(values ...object.Value) (found *List) {
	for _, v := range values {
		list := ListSaid(v.Text())
		members := v.Object()
		for _, name := range [...]string{"new_todos", "todos", "final_todos", "todo_list", "plan"} {
			if list == nil {
				list = Read(jsontext.Value(members.Get(name)))
			}
		}
		if list != nil && len(list.Items)+len(list.Left) > 0 {
			return list
		}
		found = cmp.Or(found, list)
	}
	return found
}

// ListSaid finds the list that Qwen Code quotes in the text of a result. A long text may be cut,
// and then there is no list.
func ListSaid(text string) *List {
	_, quoted, _ := strings.Cut(text, "latest contents of your todo list:")
	return Read(jsontext.Value(quoted))
}

// IsRefusal reports whether the text of a result is a refusal. Most agents also report that next to the text.
func IsRefusal(text string) bool {
	for _, start := range [...]string{
		"<tool_use_error>", "InputValidationError", "Error:", // Claude Code
		"failed to parse", "unsupported call", // Codex
		"Failed to modify todos", "Error writing todos", "Todo creation blocked", "Todo completion blocked", // Qwen Code
	} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// Call is a call that its agent accepted.
type Call struct {
	Input  object.Value
	Result object.Value // where it is data
	Said   string       // where it is a text

	// By one of these a result is known to be older than changes that came in while the call was under way.
	After int       // how many calls had changed something when it was made
	Took  int       // milliseconds; 0 is not known
	Began todo.Time // when it was made; Tool.Apply sets it
}

// hookDelay is how long after the end of a call its hook may run.
const hookDelay = 1000 // milliseconds

// Apply returns the list after a call; false means no list, which leaves the saved one unchanged.
func (t *Tool) Apply(before Saved, c Call) ([]todo.Item, bool) {
	saved := before.Items
	if c.Took > 0 {
		c.Began = before.Now - todo.Time(c.Took+hookDelay)
	}
	switch {
	case t.Does == Writes:
		list := t.written(saved, c)
		if list == nil || list.Unread() {
			return nil, false
		}
		return list.Items, true
	case t.Does == Reads, t.Does == Pauses, t.Does == Saves:
		return nil, false
	case t.Does == Queries:
		return queried(saved, c)
	case t.Tracks():
		tracker := Tracker{Items: slices.Clone(saved)}
		changed, _ := tracker.Apply(t, c)
		return tracker.Items, changed
	}
	before.Items = slices.Clone(saved)
	tasks := TasksFrom(before)
	if tasks.Apply(t, c) != Changed {
		return nil, false
	}
	items, _ := tasks.Named()
	return items, true
}

// written returns the list that a call wrote.
func (t *Tool) written(saved []todo.Item, c Call) *List {
	in := c.Input.Object()
	switch {
	case in.Text("operation") == "read":
		return nil
	case in.Flag("merge") && ListIn(c.Result) == nil:
		return Patch(saved, jsontext.Value(in.Get("todos")))
	}
	return ListIn(c.Result, c.Input)
}
