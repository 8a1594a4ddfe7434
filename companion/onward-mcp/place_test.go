package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// elsewhere creates another project and returns its folder.
func elsewhere(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// lists returns the output of `onward todo list`, which shows the first item of each session.
func lists(b *bench) string { return b.onward("todo", "list") }

func TestListOwner(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		root, claude := elsewhere(t), elsewhere(t)
		for _, c := range []struct {
			name   string
			with   setting
			env    map[string]string
			folder string // the folder where `onward todo show` must find the list; "" is the working folder
			named  string
		}{
			{"working folder", setting{}, nil, "", ""},
			{"CLAUDE_PROJECT_DIR", setting{}, map[string]string{"CLAUDE_PROJECT_DIR": claude}, claude, ""},
			{"CLAUDE_PROJECT_DIR that is gone", setting{}, map[string]string{"CLAUDE_PROJECT_DIR": filepath.Join(claude, "gone")}, "", ""},
			{"roots", setting{roots: []string{fileURI(root)}}, map[string]string{"CLAUDE_PROJECT_DIR": claude}, root, ""},
			{"roots of another machine", setting{roots: []string{"file:///no/such/folder", "https://example.com/x", fileURI(root)}}, nil, root, ""},
			{"roots that are none", setting{roots: []string{"file:///no/such/folder", "%zz", ""}}, nil, "", ""},
			{"no roots at all", setting{roots: []string{}}, map[string]string{"CLAUDE_PROJECT_DIR": claude}, claude, ""},
			{"ONWARD_SESSION", setting{roots: []string{fileURI(root)}}, map[string]string{"ONWARD_SESSION": "mine"}, "", "mine"},
			{"--session", setting{session: "other"}, map[string]string{"ONWARD_SESSION": "mine"}, "", "other"},
		} {
			t.Run(c.name, func(t *testing.T) {
				for name, value := range c.env {
					t.Setenv(name, value)
				}
				c.with.protocol = protocol
				b := open(t, c.with)
				b.does(writeTool, todos("one"))
				if c.folder != "" {
					b.dir = c.folder
				}
				args := []string{"todo", "show"}
				if c.named != "" {
					args = append(args, "--session", c.named)
				}
				if got := b.onward(args...); !strings.Contains(got, "one") {
					t.Errorf("the list is elsewhere: %s\n%s", got, lists(b))
				}
			})
		}
	})
}

// A client that changes its roots works in the other project from then on.
func TestChangedRootsChangePlace(t *testing.T) {
	first, second := elsewhere(t), elsewhere(t)
	b := open(t, setting{protocol: "2025-06-18", roots: []string{fileURI(first)}})
	b.does(writeTool, todos("one"))
	b.reroot(fileURI(first), fileURI(second))
	// The notification is sent before the call on the same connection, so the server reads it first.
	b.does(writeTool, todos("two"))
	for dir, want := range map[string]string{first: "one", second: "two"} {
		b.dir = dir
		if got := b.onward("todo", "show"); !strings.Contains(got, want) {
			t.Errorf("%s has\n%s", dir, got)
		}
	}
}

// A value is never read as a flag, whatever it starts with.
func TestValuesAreNotFlags(t *testing.T) {
	b := open(t, setting{})
	b.does(writeTool, todos("one", "two"))
	for _, text := range []string{"--help", "-q", "--", "--priority=high", "- x"} {
		got := b.does(updateTool, map[string]any{"position": "1", "content": text})
		if !strings.Contains(got, "1  ⭕  "+text+" id:") {
			t.Errorf("%q became\n%s", text, got)
		}
		if answer, failed := b.call(updateTool, map[string]any{"position": text, "status": "completed"}); !failed {
			t.Errorf("the position %q: %s", text, answer)
		}
	}
	if _, failed := b.call(pauseTool, map[string]any{"reason": "--help"}); failed {
		t.Error("a reason was taken for a flag")
	}
}

// The server's environment may contain an operation id. If calls inherited it, all of them after the first would count as retries.
func TestCallDoesNotInheritServerEnvironment(t *testing.T) {
	t.Setenv("ONWARD_OP", "once")
	t.Setenv("ONWARD_JSON", "1")
	t.Setenv("LC_ALL", "C")
	b := open(t, setting{})
	b.does(writeTool, todos("one"))
	if text := b.does(writeTool, todos("two")); !strings.Contains(text, "1  ⭕  two") {
		t.Errorf("the list is\n%s", text)
	}
}

// Codex names the conversation with each call. The conversation owns the list, and another one in the same folder
// gets its own list.
func TestConversationsOfCodex(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol, name: "codex-mcp-client"})
		say := func(id, text string) string {
			t.Helper()
			got, failed := b.callAs(mcp.Meta{"sessionId": id}, writeTool, todos(text))
			if failed {
				t.Fatal(got)
			}
			return got
		}
		say("a1", "of the first")
		say("b2", "of the second")
		say("a1", "of the first again")
		if got := b.onward("session", "show", "--json"); !strings.Contains(got, `"agent":"codex","session":"a1"`) || !strings.Contains(got, "of the first again") {
			t.Errorf("the project's session is %s", got)
		}
		if got := b.onward("session", "show", "b2", "--json"); !strings.Contains(got, `"session":"b2"`) || !strings.Contains(got, "of the second") {
			t.Errorf("the second session is %s", got)
		}
		if got, _ := b.callAs(mcp.Meta{"sessionId": "b2"}, readTool, nil); !strings.Contains(got, "of the second") {
			t.Errorf("the second one reads\n%s", got)
		}
	})
}

// Claude Code and Qwen Code name the conversation in which they started the server. While another conversation
// owns the project's list, this one has its own list. Otherwise it uses the project's list, and the
// next conversation that reports a hook becomes the owner.
func TestConversationsOfClaudeCode(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux does onward know the process of an owner")
	}
	for client, variable := range map[string]string{"claude-code": "CLAUDE_CODE_SESSION_ID", "qwen-cli-mcp-client-onward": "QWEN_CODE_SESSION_ID"} {
		t.Run(client, func(t *testing.T) {
			t.Setenv(variable, "c1")
			b := open(t, setting{name: client})
			b.does(writeTool, todos("of the first"))
			if got := b.onward("session", "show", "--json"); strings.Contains(got, `"owner"`) {
				t.Errorf("the id of a start owns the list: %s", got)
			}
			b.hook(`{"event":"user-prompt","session_id":"d2","prompt":"go"}`)
			b.does(writeTool, todos("of the second"))
			if got := b.onward("todo", "show"); !strings.Contains(got, "of the first") {
				t.Errorf("the project's list is\n%s", got)
			}
			if got := b.onward("todo", "show", "--session", "c1"); !strings.Contains(got, "of the second") {
				t.Errorf("the second list is\n%s", got)
			}
			// The server's watch must follow the other list.
			b.offered()
			b.onward("todo", "done", "1", "--session", "c1")
			for strings.Contains(b.offered(), pauseTool) && client == "claude-code" {
				soon(t, "change of the tools", b.tools)
			}
		})
	}
}

// hook sends an event to onward's hook as an agent does.
func (b *bench) hook(event string) {
	b.t.Helper()
	c := exec.Command("onward", "hook", "generic")
	c.Dir, c.Stdin = b.dir, strings.NewReader(event)
	if out, err := c.CombinedOutput(); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
}

// Concurrent calls must all be carried out.
func TestConcurrentCalls(t *testing.T) {
	eachProtocol(t, func(t *testing.T, protocol string) {
		b := open(t, setting{protocol: protocol})
		var texts []string
		for i := range 20 {
			texts = append(texts, fmt.Sprintf("item %d", i+1))
		}
		b.does(writeTool, todos(texts...))
		var all sync.WaitGroup
		for i := range texts {
			all.Go(func() {
				r, err := b.client.CallTool(t.Context(), &mcp.CallToolParams{Name: updateTool, Arguments: map[string]any{"position": i + 1, "status": "completed"}})
				if err != nil || r.IsError {
					t.Errorf("item %d: %v %+v", i+1, err, r)
				}
			})
		}
		all.Wait()
		if got := b.does(readTool, nil); !strings.Contains(got, "20 items: none open, 20 completed") {
			t.Errorf("the list is\n%s", got)
		}
	})
}
