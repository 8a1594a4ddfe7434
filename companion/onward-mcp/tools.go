package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	writeTool  = "todo_write"
	updateTool = "todo_update"
	readTool   = "todo_read"
	nextTool   = "todo_next"
	pauseTool  = "todo_pause"
)

// The definitions are written by hand, because generated schemas allow null for a list, and clients then send a text.
//
//go:embed tools.json
var definitions []byte

func definition(name string) *mcp.Tool {
	var all []*mcp.Tool
	if err := json.Unmarshal(definitions, &all); err != nil {
		panic(err)
	}
	i := slices.IndexFunc(all, func(t *mcp.Tool) bool { return t.Name == name })
	return all[i]
}

func properties(tool string) map[string]any {
	return definition(tool).InputSchema.(map[string]any)["properties"].(map[string]any)
}

func members(tool string) []string { return slices.Sorted(maps.Keys(properties(tool))) }

// choices returns the values that the definition of a tool allows for a member.
func choices(tool, member string) (out []string) {
	for _, v := range properties(tool)[member].(map[string]any)["enum"].([]any) {
		out = append(out, v.(string))
	}
	return out
}

// addTools adds the tools that are always offered.
func (s *server) addTools() {
	for name, do := range map[string]action{writeTool: s.todoWrite, updateTool: s.todoUpdate, readTool: s.todoRead, nextTool: s.todoNext} {
		s.mcp.AddTool(definition(name), s.tool(do))
	}
}

// action runs a tool, and returns the answer to the model.
type action func(ctx context.Context, at place, args arguments) (string, error)

// tool makes a handler of an action. It returns every failure as the tool's result, so that the model reads it.
func (s *server) tool(do action) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := req.Params
		at, ask := s.locate(ctx, asked{req.Session, p.Meta, p.RequestState, p.InputResponses})
		if ask != nil {
			return &mcp.CallToolResult{InputRequests: ask, RequestState: rootsAsked}, nil
		}
		text, err := "", error(nil)
		args, err := decode(p.Name, p.Arguments)
		if err == nil {
			text, err = do(ctx, at, args)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
		if err != nil {
			result.Content = []mcp.Content{&mcp.TextContent{Text: errorText(err)}}
			result.IsError = true
		}
		if p.Name != readTool {
			s.offer(ctx)
		}
		return result, nil
	}
}

// errorText returns a failure for a model: onward's message, and what to do about it with the
// tools of this server.
func errorText(err error) string {
	text, hint := err.Error(), ""
	if f, ok := errors.AsType[*failure](err); ok {
		text, hint = strings.Replace(text, "read standard input", "todos", 1), f.hint
		switch {
		case f.class == "not_found":
			hint = "todo_read shows the list with its positions and ids"
		case hint != "":
		case f.class == "usage", f.class == "data":
			hint = "nothing was changed; mend the arguments and call the tool again"
		case f.class == "busy":
			hint = "nothing was changed; call the tool again"
		}
	}
	text = strings.Replace(text, " ("+agentSign+" is set)", "", 1)
	hint = strings.Replace(hint, ", or use a terminal where "+agentSign+" is not set", "", 1)
	if hint != "" {
		text += "\nhint: " + onwardCommand.ReplaceAllStringFunc(hint, instead)
	}
	return text
}

// onwardCommand finds a command of onward's own in its hint.
var onwardCommand = regexp.MustCompile("`onward (pause|todo [a-z]+)[^`]*`")

// instead returns what a model that may have no shell does in place of a command, with the tools of this server.
func instead(command string) string {
	switch onwardCommand.FindStringSubmatch(command)[1] {
	case "pause":
		return pauseTool
	case "todo add":
		return writeTool
	case "todo block":
		return updateTool + " with the status blocked and a reason"
	case "todo next":
		return nextTool
	case "todo show":
		return readTool
	}
	return command
}

func (s *server) todoWrite(ctx context.Context, at place, args arguments) (string, error) {
	todos, ok := args.members["todos"]
	switch {
	case !ok:
		return "", args.bad("todos is missing; it is an array of items, each with its content and status")
	case todos.Kind() != jsontext.KindBeginArray:
		return "", args.bad("todos is not an array; it is an array of items, each with its content and status")
	}
	if _, err := at.onward(ctx, todos, "--json", "todo", "write"); err != nil {
		return "", err
	}
	return at.shown(ctx, "The list is saved.")
}

// todoUpdate changes one item. It validates the status before it changes the text, and changes the status last, so that
// it changes both or nothing, unless the machine fails in between.
func (s *server) todoUpdate(ctx context.Context, at place, args arguments) (string, error) {
	item, err := args.item()
	if err != nil {
		return "", err
	}
	given, err := args.texts("content", "priority", "status", "reason")
	if err != nil {
		return "", err
	}
	content, worded := given["content"]
	priority, ranked := given["priority"]
	status, moved := given["status"]
	reason, explained := given["reason"]
	statuses := choices(updateTool, "status")
	switch {
	case len(given) == 0:
		return "", args.bad("there is nothing to change; give status, content or priority")
	case moved && !slices.Contains(statuses, status):
		return "", args.bad(fmt.Sprintf("status %q (one of %s)", status, strings.Join(statuses, ", ")))
	case explained && status != "blocked":
		return "", args.bad("a reason is for the status blocked only")
	}
	if worded || ranked {
		line := []string{"--json", "todo", "edit"}
		if ranked {
			line = append(line, "--priority="+priority)
		}
		line = append(line, "--", item)
		if worded {
			line = append(line, content)
		}
		if _, err := at.onward(ctx, nil, line...); err != nil {
			return "", err
		}
	}
	if moved {
		line := []string{"--json", "todo", "set"}
		if explained {
			line = append(line, "--reason="+reason)
		}
		limit := patience
		if status == "completed" {
			limit = gatePatience
		}
		if out, err := at.within(ctx, limit, nil, append(line, "--", status, item)...); err != nil {
			return "", gateFailure(out, err)
		}
	}
	return at.shown(ctx, "The item is updated.")
}

// gateFailure tells the model why an item is not completed if its gate did not pass. It returns any other error unchanged.
func gateFailure(out []byte, err error) error {
	var change struct {
		Gate *struct {
			Command, Problem, Output string
			Code                     int
		}
	}
	if read(out, &change) != nil || change.Gate == nil {
		return err
	}
	g := change.Gate
	if g.Problem != "" {
		return &failure{message: "the item is not completed: its gate has no result: " + g.Problem, hint: "tell the user, who set the gate: " + g.Command}
	}
	return &failure{
		message: fmt.Sprintf("the item is not completed: its gate fails with exit code %d: %s\n%s", g.Code, g.Command, g.Output),
		hint:    "find the cause and fix it, then set the item to completed again",
	}
}

func (s *server) todoRead(ctx context.Context, at place, _ arguments) (string, error) {
	return at.shown(ctx, "")
}

// todoNext returns the item that is ready, or explains why none is.
func (s *server) todoNext(ctx context.Context, at place, args arguments) (string, error) {
	claim := true
	if v, ok := args.members["claim"]; ok && json.Unmarshal(v, &claim) != nil {
		return "", args.bad("claim is true or false")
	}
	line := []string{"--json", "todo", "next"}
	if claim {
		line = append(line, "--claim")
	}
	out, err := at.onward(ctx, nil, line...)
	if f, ok := errors.AsType[*failure](err); ok && f.class == "usage" {
		f.hint = "tell the user to set ONWARD_WORKER for this server, each agent's to a name of its own"
	}
	if err != nil {
		return "", err
	}
	var next struct {
		Claimed bool
		Message string
		Item    struct {
			Position, ID, Content string
			Gate                  struct{ Command string }
		}
	}
	switch err := read(out, &next); {
	case err != nil:
		return "", fmt.Errorf("read what onward printed: %w", err)
	case next.Message != "":
		return upper(next.Message) + ".", nil
	}
	done := "It is ready."
	if next.Claimed {
		done = "You hold it. Set it to completed as soon as it is done."
	}
	if next.Item.Gate.Command != "" {
		done += " Its gate runs then, and must pass: " + next.Item.Gate.Command
	}
	return fmt.Sprintf("%s  %s  id:%s\n%s", next.Item.Position, next.Item.Content, next.Item.ID, done), nil
}

// upper returns a sentence with its first letter in upper case.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// todoPause keeps the agent from being prompted again.
func (s *server) todoPause(ctx context.Context, at place, args arguments) (string, error) {
	given, err := args.texts("reason")
	if err != nil {
		return "", err
	}
	reason, ok := given["reason"]
	if !ok {
		return "", args.bad("reason is missing; it is what you need from the user, in 1 to 500 characters")
	}
	if _, err := at.onward(ctx, nil, "--json", "pause", "--", reason); err != nil {
		return "", err
	}
	return "Paused until the user's next message. End your turn now, and tell the user what you need.", nil
}

// shown returns the list as a model sees it, below a line about the change. A list that cannot be
// shown is an error only if done is empty, because otherwise the change was made.
func (p place) shown(ctx context.Context, done string) (string, error) {
	list, err := p.onward(ctx, nil, "todo", "show", "--ids", "--no-pager")
	switch {
	case err != nil && done == "":
		return "", err
	case err != nil:
		return done + " It cannot be shown: " + errorText(err), nil
	case done != "":
		done += "\n\n"
	}
	return done + strings.TrimRight(string(list), "\n"), nil
}
