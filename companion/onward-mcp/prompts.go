package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts adds the commands that the user types, in clients that show prompts as commands.
// None of them approves a call, because that must happen outside the agent.
func (s *server) addPrompts() {
	confirm := &mcp.PromptArgument{Name: "confirm", Description: "yes: clear the list even if items are open."}
	for _, p := range []mcp.Prompt{
		{Name: "continue", Title: "Continue", Description: "Prompt the agent to continue with its todo list."},
		{Name: "show", Title: "Show the list", Description: "Show the todo list, to you and to the agent."},
		{Name: "add", Title: "Add an item", Description: "Add an item to the todo list.", Arguments: []*mcp.PromptArgument{
			{Name: "text", Description: "What has to be done.", Required: true},
		}},
		{Name: "clear", Title: "Clear the list", Description: "Archive the todo list and start without one.", Arguments: []*mcp.PromptArgument{confirm}},
		{Name: "list", Title: "List all lists", Description: "Show every saved todo list."},
	} {
		s.mcp.AddPrompt(&p, s.prompt)
	}
}

// prompt runs a command of the user, and passes its output to the agent.
func (s *server) prompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	p := req.Params
	at, ask := s.locate(ctx, asked{req.Session, p.Meta, p.RequestState, p.InputResponses})
	if ask != nil {
		return &mcp.GetPromptResult{InputRequests: ask, RequestState: rootsAsked}, nil
	}
	at.byUser = true // who picks a prompt in the client
	line := "/todo " + p.Name
	args := []string{"slash"}
	switch p.Name {
	case "continue":
		line = "/continue"
	case "add":
		line += " -- " + p.Arguments["text"]
	case "clear":
		if strings.EqualFold(strings.TrimSpace(p.Arguments["confirm"]), "yes") {
			args = append(args, "--confirmed")
		}
	}
	out, err := at.onward(ctx, nil, append(args, "--", line)...)
	var answer struct {
		Action struct{ Type, Level, Content, Prompt string } `json:"action"`
	}
	// After a failure, standard output has a message for the user, which is better than standard error.
	if read(out, &answer) != nil || answer.Action.Type == "" {
		if err == nil {
			err = fmt.Errorf("onward answered %q", out)
		}
		return nil, refused(err)
	}
	text := answer.Action.Content
	switch {
	case answer.Action.Type == "confirm_action":
		return nil, invalid(answer.Action.Prompt + " Run this prompt again with confirm set to yes.")
	case answer.Action.Level == "error":
		return nil, invalid(text)
	case answer.Action.Type != "submit_prompt":
		text = fmt.Sprintf("I ran the command %s of onward, which keeps the todo list. It printed:\n\n%s\n\nThis is for your information only; no action is needed.", p.Name, text)
	}
	s.offer(ctx)
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}

func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}
