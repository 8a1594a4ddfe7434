//go:build unix

package realagents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// serveOpencode runs opencode as a server. Unlike `opencode run`, a server goes on after the model's first stop.
// The function ends the server when onward has let the session stop.
func serveOpencode(p place, m *model, prompt string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := p.command(ctx, opencode(), m, "serve", "--port", "0", "--hostname", "127.0.0.1", "--print-logs")
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	defer func() {
		cancel()
		cmd.Wait()
	}()
	base := ""
	lines := bufio.NewReader(out)
	for base == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			cmd.Wait()
			p.t.Fatalf("opencode serve: %v\n%s", err, tail(log.String()))
		}
		if _, at, ok := strings.Cut(line, "listening on "); ok {
			base = strings.TrimSpace(at)
		}
	}
	go io.Copy(io.Discard, lines)
	if *record {
		p.follow(ctx, base+"/event")
	}
	post := func(path string, body any) (answer struct{ ID string }) {
		req, err := http.NewRequestWithContext(ctx, "POST", base+path, strings.NewReader(asJSON(body)))
		if err != nil {
			p.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			p.t.Fatalf("%v\n%s", err, story(p.taps()))
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err == nil {
			_ = json.Unmarshal(text, &answer) // some answers are not objects
		}
		if err != nil || r.StatusCode != http.StatusOK {
			p.t.Fatalf("%s: %s %v %.500s", path, r.Status, err, text)
		}
		return answer
	}
	id := post("/session", object{}).ID
	before := idle(p.taps())
	go func() {
		select {
		case <-m.hung:
			post("/session/"+id+"/abort", object{})
		case <-ctx.Done():
		}
	}()
	post("/session/"+id+"/message", object{
		"model": object{"providerID": "mock", "modelID": "m"},
		"parts": []object{{"type": "text", "text": prompt}},
	})
	for {
		calls := p.taps()
		last := tapped{}
		for _, c := range calls {
			if c.event() == "session.idle" {
				last = c
			}
		}
		if idle(calls) > before && !last.blocks() {
			return log.String()
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("the session does not end:\n%s\n%s", story(calls), tail(log.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// follow writes the server's own events to a file until they end.
func (p place) follow(ctx context.Context, address string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	kept, err := os.Create(p.events())
	if err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer r.Body.Close()
		defer kept.Close()
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			if event, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				fmt.Fprintln(kept, event)
			}
		}
	}()
}

// events returns the path of the file with the server's events.
func (p place) events() string { return filepath.Join(p.home, "events.jsonl") }

// idle counts how often a session became idle.
func idle(calls []tapped) (n int) {
	for _, c := range calls {
		if c.event() == "session.idle" {
			n++
		}
	}
	return n
}
