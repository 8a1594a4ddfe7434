package main

import (
	"bufio"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const instructions = `Keep the todo list of your task with these tools, whatever other todo tool you have: plan with todo_write, set each item's status with todo_update as you work, and look with todo_read.
The list is kept on disk. While an item is pending or in progress you may be prompted again after you stop, so finish the items, or call todo_pause where only the user can help.`

// server serves the list to one client.
type server struct {
	mcp *mcp.Server

	mu     sync.Mutex
	at     place  // of the last call
	rooted bool   // the client was asked for its roots
	watch  func() // starts watching the list of the current place; nil before the server serves

	watching sync.Once  // the list is watched once the client has an interest in it
	offering sync.Mutex // locked while todo_pause is added or removed
	offered  bool
	steady   atomic.Bool // the client reads the list of tools only once, so todo_pause stays in it
}

func newServer(session string) *server {
	s := &server{at: place{session: session}}
	if session == "" {
		s.at.dir = projectDir()
	}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "onward", Title: "onward", Version: ownVersion()}, &mcp.ServerOptions{
		Instructions:            instructions,
		Capabilities:            &mcp.ServerCapabilities{},
		SubscribeHandler:        s.subscribe,
		UnsubscribeHandler:      func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		RootsListChangedHandler: s.rootsChanged,
		CompletionHandler:       s.complete,
	})
	s.addTools()
	s.addResources()
	s.addPrompts()
	s.mcp.AddReceivingMiddleware(s.middleware)
	return s
}

// serve answers a client until it ends or the context does.
func (s *server) serve(ctx context.Context, client mcp.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	var children sync.WaitGroup
	defer children.Wait()
	defer cancel()
	stop := func() {}
	s.mu.Lock()
	s.watch = func() {
		stop()
		var one context.Context
		one, stop = context.WithCancel(ctx)
		children.Go(func() { s.follow(one) })
	}
	s.mu.Unlock()
	return s.mcp.Run(ctx, client)
}

// middleware starts the watch at the first listing of the tools, and lets a tool that was just removed explain itself.
func (s *server) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/list":
			s.watching.Do(s.rewatch)
			if session, ok := req.GetSession().(*mcp.ServerSession); ok && clientOf(clientName(session)).readsOnce() {
				s.steady.Store(true)
			}
			s.offer(ctx)
		case "tools/call":
			if call, ok := req.(*mcp.CallToolRequest); ok && call.Params.Name == pauseTool {
				return s.tool(s.todoPause)(ctx, call)
			}
		}
		return next(ctx, method, req)
	}
}

func (s *server) rootsChanged(context.Context, *mcp.RootsListChangedRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooted = false // the next call asks again
}

func (s *server) rewatch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != nil {
		s.watch()
	}
}

// follow notifies the client of every change of the list, as long as the context lasts.
// A watch that ends is restarted, with increasing delays.
func (s *server) follow(ctx context.Context) {
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, time.Minute) {
		if s.changes(ctx) {
			wait = time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// changes reads the changes that `onward watch` prints until it ends, and reports whether there was any.
func (s *server) changes(ctx context.Context) (any bool) {
	c, err := s.here().command(ctx, "watch", "--json")
	if err != nil {
		return false
	}
	out, err := c.StdoutPipe()
	if err != nil || c.Start() != nil {
		return false
	}
	lines := bufio.NewReader(out)
	for {
		if err := skipLine(lines); err != nil {
			break
		}
		any = true
		s.changed(ctx)
	}
	_ = c.Wait() // every other call reports the same error, and this one was killed
	return any
}

// skipLine reads to the end of a line of any length. Its content does not matter, since the client asks for the list itself.
func skipLine(in *bufio.Reader) error {
	for {
		if _, more, err := in.ReadLine(); !more || err != nil {
			return err
		}
	}
}

func (s *server) changed(ctx context.Context) {
	s.offer(ctx)
	_ = s.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: currentURI})
}

// offer adds todo_pause to the tools while an item is open and continuation is on, and removes it otherwise.
// If that cannot be found out, the tools stay as they are. A call with nothing to pause is an error of onward's.
func (s *server) offer(ctx context.Context) {
	s.offering.Lock()
	defer s.offering.Unlock()
	want := s.steady.Load()
	if !want {
		out, err := s.here().onward(ctx, nil, "check-continue", "--dry-run", "--json")
		var decision struct {
			Reason string
			Counts struct{ Open int }
		}
		if err != nil || read(out, &decision) != nil {
			return
		}
		want = decision.Counts.Open > 0 && decision.Reason != "disabled" && decision.Reason != "stopped"
	}
	switch {
	case want && !s.offered:
		s.mcp.AddTool(definition(pauseTool), s.tool(s.todoPause))
	case !want && s.offered:
		s.mcp.RemoveTools(pauseTool)
	}
	s.offered = want
}
