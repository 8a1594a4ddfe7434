package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	currentURI = "todo://current"
	sessionURI = "todo://session/"
)

// addResources adds the lists as resources: the current one, and that of each session.
func (s *server) addResources() {
	const mime = "application/json"
	s.mcp.AddResource(&mcp.Resource{
		URI: currentURI, Name: "current", Title: "The todo list", MIMEType: mime,
		Description: "The todo list of this project, as `onward todo show --json` prints it. Subscribe to learn when it changes.",
	}, s.read)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: sessionURI + "{id}", Name: "session", Title: "The todo list of a session", MIMEType: mime,
		Description: "The todo list of another session, by its id; `onward session list` shows them.",
	}, s.read)
}

func (s *server) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	p := req.Params
	at, ask := s.locate(ctx, asked{req.Session, p.Meta, p.RequestState, p.InputResponses})
	if ask != nil {
		return &mcp.ReadResourceResult{InputRequests: ask, RequestState: rootsAsked}, nil
	}
	if p.URI != currentURI {
		id, err := url.PathUnescape(strings.TrimPrefix(p.URI, sessionURI))
		if err != nil || id == "" {
			return nil, mcp.ResourceNotFoundError(p.URI)
		}
		at = place{session: id}
	}
	out, err := at.onward(ctx, nil, "--json", "todo", "show")
	if f, ok := errors.AsType[*failure](err); ok && f.class == "not_found" {
		return nil, mcp.ResourceNotFoundError(p.URI)
	}
	if err != nil {
		return nil, refused(err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: string(out)}}}, nil
}

// subscribe accepts a subscription to the current list, which is watched from now on.
func (s *server) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	if req.Params.URI != currentURI {
		return invalid(fmt.Sprintf("%s cannot be subscribed to, only %s", req.Params.URI, currentURI))
	}
	s.watching.Do(s.rewatch)
	return nil
}

func (s *server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	result := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	p := req.Params
	if p.Ref == nil || p.Ref.Type != "ref/resource" || p.Argument.Name != "id" {
		return result, nil
	}
	out, err := s.here().onward(ctx, nil, "--json", "todo", "list")
	if err != nil {
		return nil, refused(err)
	}
	var all struct {
		Lists []struct{ Session, Agent string } `json:"lists"`
	}
	if err := read(out, &all); err != nil {
		return nil, fmt.Errorf("read the sessions: %w", err)
	}
	const most = 100 // the protocol allows no more in one answer
	for _, l := range all.Lists {
		if l.Agent != "primary" || !strings.HasPrefix(l.Session, p.Argument.Value) {
			continue
		}
		if result.Completion.Total++; result.Completion.Total <= most {
			result.Completion.Values = append(result.Completion.Values, l.Session)
		}
	}
	result.Completion.HasMore = result.Completion.Total > most
	return result, nil
}

// refused returns the failure of a resource or a prompt as an error that the client shows to the user.
func refused(err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return err
	}
	text := f.message
	if f.hint != "" {
		text += "\nhint: " + f.hint
	}
	code := int64(jsonrpc.CodeInternalError)
	if f.class == "usage" || f.class == "data" || f.class == "not_found" {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: text}
}
