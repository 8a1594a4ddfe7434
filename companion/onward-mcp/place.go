package main

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// place determines the list that a call works on, and the conversation that calls.
type place struct {
	byUser  bool   // the user asks, not the model
	session string // the session; empty for that of the folder's project
	dir     string // the folder; empty for the working folder
	caller  string // the agent's conversation, as ONWARD_CONVERSATION has it; empty if the client does not name it
}

// rootsAsked is the state of a request whose client was asked for its roots.
const rootsAsked = "roots"

// asked is the part of a client's request that decides the place of its call.
type asked struct {
	session   *mcp.ServerSession
	meta      mcp.Meta
	state     string
	responses mcp.InputResponseMap
}

// locate returns the place of a call, where the list is watched from now on, or the question to the client that it requires.
// The client's roots go before the folder that an agent names in the environment, and that before the working folder.
func (s *server) locate(ctx context.Context, r asked) (place, mcp.InputRequestMap) {
	s.mu.Lock()
	at, known := s.at, s.rooted || s.at.session != ""
	s.mu.Unlock()
	if at.caller = caller(r); !known {
		dir, ask := roots(ctx, r)
		if ask != nil {
			return at, ask
		}
		at.dir = cmp.Or(dir, projectDir())
	}
	s.mu.Lock()
	changed := s.at != at
	s.at, s.rooted = at, true
	s.mu.Unlock()
	if changed {
		s.rewatch()
	}
	return at, nil
}

// here is the place of the last call, for what belongs to no call.
func (s *server) here() place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// roots returns the first of the client's roots that is a folder of this machine; empty if it has none.
// A client of the newer protocols is asked in the answer to its request, an older one by a separate request.
func roots(ctx context.Context, r asked) (string, mcp.InputRequestMap) {
	client := r.session.InitializeParams()
	if client == nil || client.Capabilities == nil || client.Capabilities.RootsV2 == nil {
		return "", nil
	}
	const requestsInAnswers = "2026-07-28"
	var list *mcp.ListRootsResult
	switch {
	case client.ProtocolVersion < requestsInAnswers:
		// A client that announces roots and never answers must not delay its own call.
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		list, _ = r.session.ListRoots(ctx, nil)
	case r.state != rootsAsked:
		return "", mcp.InputRequestMap{rootsAsked: &mcp.ListRootsParams{}}
	default:
		list, _ = r.responses[rootsAsked].(*mcp.ListRootsResult)
	}
	if list == nil {
		return "", nil
	}
	for _, root := range list.Roots {
		if root == nil {
			continue
		}
		if dir := folder(root.URI); dir != "" {
			return dir, nil
		}
	}
	return "", nil
}

// folder returns the path of a file URI; empty if it is invalid, or not a folder of this machine.
func folder(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // file:///C:/project
	}
	return existing(filepath.FromSlash(path))
}

func existing(dir string) string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// caller names the conversation of a call; empty if the client does not.
//
// Some name it with each call. Others name only the one that the server was started in, and another one may have followed
// since in the same process. Only on Linux can onward see that by the process, so it is reported only there.
func caller(r asked) string {
	c := clientOf(clientName(r.session))
	if id, _ := r.meta[c.Member].(string); c.Member != "" && id != "" {
		return c.Agent + "/" + id
	}
	if id := os.Getenv(c.Conversation); id != "" && runtime.GOOS == "linux" {
		return c.Agent + "/" + id + "/start"
	}
	return ""
}

// clientName returns the name of the client's program; empty if it has not sent one.
func clientName(session *mcp.ServerSession) string {
	if client := session.InitializeParams(); client != nil && client.ClientInfo != nil {
		return client.ClientInfo.Name
	}
	return ""
}
