package hook

import (
	"cmp"

	"onward/internal/agents/stream"
	"onward/internal/native"
	"onward/internal/todo"
)

// listTool returns what a todo tool made of a list that was saved before; false is nothing.
type listTool = func(saved native.SavedList) ([]todo.Item, bool)

// toolCall is the end of a tool call, as the agent reports it.
type toolCall struct {
	name            string
	input, response Value
	failed          bool
}

// applyToolCall finds out what a tool call did. A call of a todo tool does not count as work; its
// list is applied if it was accepted.
func (c *Call) applyToolCall(known native.Registry) {
	t := c.tool
	tool := native.ToolIn(known, t.name)
	if tool != nil {
		c.Deletes = tool.Does != native.Writes
	}
	list, isTodo, left, understood := readTodoCall(known, tool, t.input, t.response, c)
	if tool != nil && tool.Shared {
		c.SubAgent = ""
	}
	c.Counts, c.Works = !isTodo, !isTodo && !native.OnlyReads(known, t.name, t.input)
	if !isTodo || t.failed || refused(known, t.response) {
		return
	}
	c.List = list
	if c.LeftOut = left; !understood {
		c.notes(c.Event + ":" + t.name)
	}
	if tool.Does == native.Pauses {
		c.SetPause(stream.ToolPause(t.input.Object().Text("reason")))
	}
}

// readTodoCall reads what a call of a todo tool did. It is not understood if a part of its list is left out.
// Calls of todo tools are no work, so a tool that only reads the list is known too.
func readTodoCall(agents native.Registry, tool *native.Tool, input, response Value, by *Call) (list listTool, known bool, left []string, understood bool) {
	switch {
	case tool == nil, tool.About != nil && !tool.About(input):
		return nil, false, nil, true
	case tool.Does == native.Reads:
		return nil, true, nil, true
	}
	result := response.Object()
	c := native.Call{Input: input, By: by.Member, Took: by.took, Result: response, Said: cmp.Or(result.Text("llm_content", "text_result_for_llm"), response.Text())}
	if shown := result.Get("return_display"); shown != nil {
		c.Result = shown
	}
	c.Quoted = native.Quoted(agents, c.Result.Text())
	left, understood = tool.Understands(c)
	return func(saved native.SavedList) ([]todo.Item, bool) { return tool.Apply(saved, c) }, true, left, understood
}

// SetWholeList makes the call an event that holds the whole list.
func (c *Call) SetWholeList(list Value) {
	read := native.Read([]byte(list))
	c.Kind, c.List, c.LeftOut = Report, written(read), read.SkippedTexts()
	if read == nil || len(read.Left) > 0 {
		c.notes(c.Event)
	}
}

// written is a list that was written as a whole; nil is nothing.
func written(list *native.List) listTool {
	if list == nil {
		return nil
	}
	return func(native.SavedList) ([]todo.Item, bool) { return list.Items, !list.NoneKept() }
}

// refused reports whether a tool's response is a refusal of the call:
// a call of a todo tool is no change of the list before it was.
func refused(known native.Registry, response Value) bool {
	p := response.Object()
	if native.IsRefusal(known, cmp.Or(p.Text("llm_content"), response.Text())) {
		return true
	}
	if p == nil {
		return false
	}
	if p.Flag("is_error") || string(p.Get("success")) == "false" {
		return true
	}
	switch p.Text("status", "result_type") {
	case "error", "cancelled", "failure", "denied", "rejected":
		return true
	}
	failure := p.Get("error")
	return failure != nil && failure.Text() != "" || failure.Object() != nil
}
