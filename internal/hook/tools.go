package hook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/native"
	"onward/internal/todo"
)

// listTool gives what a todo tool made of a list that was saved before; false is nothing.
type listTool = func(saved []todo.Item) ([]todo.Item, bool)

// todoTool knows the agents' todo tools by their names, and reads what a call of one did.
// Calls of todo tools are no work, so a tool that only reads the list is known too.
func todoTool(name string, input payload, response value) (list listTool, known bool) {
	switch folded := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)); folded {
	case "todowrite", "writetodos", "updatetodos": // Claude Code, Qwen Code, opencode; Gemini CLI; Cursor
		if input.flag("merge") {
			return patchedList(input.get("todos")), true
		}
		return wholeList(input.get("todos")), true
	case "updateplan": // Codex
		return wholeList(input.get("plan")), true
	case "settodolist", "todolist": // Kimi CLI; without todos it reads
		return wholeList(input.get("todos")), true
	case "managetodolist": // VS Code
		if input.text("operation") == "read" {
			return nil, true
		}
		return wholeList(input.get("todo_list", "todos")), true
	case "taskcreate", "taskupdate", "taskget", "tasklist": // Claude Code
		return taskTool(folded, input, response), true
	case "trackercreatetask", "trackerupdatetask": // Gemini CLI
		return trackerTool(folded, input, response), true
	case "mcponwardtodowrite", "mcponwardtodoupdate", "mcponwardtodoread", "mcponwardtodopause",
		"onwardtodowrite", "onwardtodoupdate", "onwardtodoread", "onwardtodopause":
		return savedAlready, true // our own MCP server; opencode leaves the mcp out
	case "todoread", "readtodos", "trackergettask", "trackerlisttasks", "trackeradddependency", "trackervisualize":
		return nil, true
	}
	return nil, false
}

// savedAlready is a tool of onward-mcp, which has saved what it does itself.
// The event still says whose conversation it is, so the list gets its owner.
func savedAlready([]todo.Item) ([]todo.Item, bool) { return nil, false }

// wholeList is a tool that writes the whole list.
func wholeList(list value) listTool {
	said := native.Read(jsontext.Value(list))
	if said == nil {
		return nil
	}
	return func([]todo.Item) ([]todo.Item, bool) { return said.Items, !said.Unread() }
}

// patchedList is a tool that names only the items that change.
func patchedList(list value) listTool {
	return func(saved []todo.Item) ([]todo.Item, bool) {
		said := native.Patch(saved, jsontext.Value(list))
		if said == nil {
			return nil, false
		}
		return said.Items, !said.Unread()
	}
}

// taskTool is one of Claude Code's tools for single tasks. A task's id stands only in the response.
func taskTool(name string, input payload, response value) listTool {
	result := response.object()
	task := result.object("task")
	switch name {
	case "taskcreate":
		id := cmp.Or(task.text("id"), spokenID(response.text()))
		text, err := todo.CheckText(cmp.Or(task.prose("subject"), input.prose("subject")))
		if id == "" || err != nil {
			return nil
		}
		return put(todo.Item{ID: native.ID(id), Content: text, ActiveForm: input.text("active_form"), Status: todo.Pending})
	case "taskupdate":
		id := native.ID(cmp.Or(result.text("task_id"), input.text("task_id")))
		if id == "" || string(result.get("success")) == "false" || strings.Contains(response.text(), "not found") {
			return nil
		}
		word := cmp.Or(result.object("status_change").text("to"), input.text("status"))
		return func(saved []todo.Item) ([]todo.Item, bool) { return updateTask(saved, id, word, input), true }
	case "tasklist":
		if result.get("tasks").kind() != jsontext.KindBeginArray {
			return nil
		}
		return shownTasks(result.get("tasks"))
	}
	return nil
}

// shownTasks is the tool that shows all tasks of a conversation. It repairs what is known of them and removes nothing:
// a new conversation shows none, while those of the one before are still to be done.
func shownTasks(list value) listTool {
	return func(saved []todo.Item) ([]todo.Item, bool) {
		out := slices.Clone(saved)
		for _, shown := range native.Read(jsontext.Value(list)).Items {
			if shown.ID == "" {
				continue
			}
			var at int
			out, at = native.Place(out, shown)
			out[at].Status, out[at].NativeStatus = shown.Status, shown.NativeStatus
			if len(shown.BlockedBy) > 0 {
				out[at].BlockedBy = shown.BlockedBy
			}
		}
		return out, true
	}
}

// spokenID finds the id in "Task #1 created successfully: …".
func spokenID(text string) string {
	_, rest, _ := strings.Cut(text, "Task #")
	id, _, ok := strings.Cut(rest, " created")
	if !ok {
		return ""
	}
	return id
}

// put adds a task.
func put(it todo.Item) listTool {
	return func(saved []todo.Item) ([]todo.Item, bool) {
		out, _ := native.Place(slices.Clone(saved), it)
		return out, true
	}
}

// updateTask changes one task. One that was made before we were asked is named by its id until its text is known.
func updateTask(saved []todo.Item, id, word string, input payload) []todo.Item {
	out := slices.Clone(saved)
	i := slices.IndexFunc(out, func(it todo.Item) bool { return it.ID == id })
	if word == "deleted" {
		if i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		return out
	}
	if i < 0 {
		i = len(out)
		out = append(out, todo.Item{ID: id, Content: native.Unnamed(id), Status: todo.Pending})
	}
	it := &out[i]
	if text, err := todo.CheckText(input.prose("subject")); err == nil {
		it.Content = text
	}
	it.ActiveForm = cmp.Or(input.text("active_form"), it.ActiveForm)
	if word != "" {
		if s, own, ok := native.Status(word); ok {
			it.Status, it.NativeStatus = s, own
		}
	}
	for _, v := range input.list("add_blocked_by") {
		it.BlockedBy = addID(it.BlockedBy, v.text())
	}
	for _, v := range input.list("add_blocks") {
		for j := range out {
			if out[j].ID == v.text() {
				out[j].BlockedBy = addID(out[j].BlockedBy, id)
			}
		}
	}
	return out
}

func addID(ids []string, id string) []string {
	if id = native.ID(id); id == "" || slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clip(ids), id)
}

// trackerTool is one of Gemini CLI's tools for single tasks. The id of a new one stands in the response's text.
func trackerTool(name string, input payload, response value) listTool {
	id := native.ID(input.text("id"))
	if name == "trackercreatetask" {
		_, rest, _ := strings.Cut(cmp.Or(response.object().text("llm_content"), response.text()), "Created task ")
		id, _, _ = strings.Cut(rest, ":")
		id = native.ID(strings.TrimSpace(id))
		text, err := todo.CheckText(input.prose("title"))
		if id == "" || err != nil {
			return nil
		}
		return put(todo.Item{ID: id, Content: text, Status: todo.Pending})
	}
	if id == "" {
		return nil
	}
	renamed := payload{}
	if title := input.get("title"); title != nil {
		renamed = payload{{name: "subject", value: title}}
	}
	return func(saved []todo.Item) ([]todo.Item, bool) {
		return updateTask(saved, id, input.text("status"), renamed), true
	}
}

// refused reports whether a tool's response says that the call was not accepted:
// a call of a todo tool is no change of the list before it was.
func (v value) refused() bool {
	if text := v.text(); text != "" {
		for _, sign := range []string{"<tool_use_error>", "InputValidationError", "failed to parse", "unsupported call", "Error:"} {
			if strings.HasPrefix(text, sign) {
				return true
			}
		}
		return false
	}
	p := v.object()
	if p == nil {
		return false
	}
	if p.flag("is_error") || string(p.get("success")) == "false" {
		return true
	}
	switch p.text("status", "result_type") {
	case "error", "cancelled", "failure", "denied", "rejected":
		return true
	}
	failure := p.get("error")
	return failure != nil && failure.text() != "" || failure.object() != nil
}
