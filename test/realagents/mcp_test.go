//go:build unix

package realagents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKeepsTheListThroughMCP disables the agent's own todo tool and registers onward-mcp. The model writes its list
// with that, stops early, and must be sent back to work until every item is done.
func TestKeepsTheListThroughMCP(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if server == "" {
			t.Skip(noServer)
		}
		m := newModel(
			t,
			[]reply{use(call{name: "*todo_write", args: object{"todos": plan(1, "content", "status", nil)}}), textReply("I did the first step.")},
			[]reply{use(call{name: "*todo_update", args: object{"position": "2", "status": "completed"}}), textReply("I did the second step.")},
			[]reply{use(call{name: "*todo_update", args: object{"position": "9", "status": "completed"}}, call{name: "*todo_update", args: object{"position": "3", "status": "completed"}}), textReply("I did the third step.")},
			[]reply{textReply("There is nothing left.")},
		)
		p := mcpReady(t, &a, m)
		out := p.work(a, m, task)
		calls := p.taps()
		if done, total := p.counts(); done != 3 || total != 3 {
			t.Errorf("%d of %d items are completed\n%s\n%s", done, total, story(calls), tail(out))
		}
		if n := blocked(calls); n != 2 {
			t.Errorf("the agent was continued %d times, not twice\n%s", n, story(calls))
		}
		began := m.began()
		if len(began) != 3 || !strings.Contains(began[1], tag) || !strings.Contains(began[2], tag) {
			t.Errorf("the model was spoken to %d times:\n%.2000s", len(began), strings.Join(began, "\n---\n"))
		}
		offered := m.offered()
		for _, own := range []string{"TaskCreate", "TodoWrite", "update_plan", "write_todos", "todowrite", "todo_write"} {
			if slices.Contains(offered, own) {
				t.Errorf("the agent's own todo tool %s is on", own)
			}
		}
	})
}

// TestPausesThroughMCP lets the model pause itself with the tool. After that it must not be sent back to work.
func TestPausesThroughMCP(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if server == "" {
			t.Skip(noServer)
		}
		m := newModel(
			t,
			[]reply{use(call{name: "*todo_write", args: object{"todos": plan(1, "content", "status", nil)}}), textReply("I did the first step.")},
			[]reply{use(call{name: "*todo_read", args: object{}}), use(call{name: "*todo_pause", args: object{"reason": "the key for the server is missing"}}), textReply("I cannot go on without the key.")},
			[]reply{textReply("I was spoken to after the pause.")},
		)
		p := mcpReady(t, &a, m)
		p.work(a, m, task)
		if n := blocked(p.taps()); n != 1 {
			t.Errorf("the agent was continued %d times, not once\n%s", n, story(p.taps()))
		}
		if code, out := p.onward("check-continue", "--dry-run"); code != 11 {
			t.Errorf("check-continue: exit %d, not 11\n%s", code, out)
		}
	})
}

// mcpReady returns a place with onward's hooks and MCP server, and with the agent's own todo tool disabled.
func mcpReady(t *testing.T, a *agent, m *model) place {
	t.Helper()
	if slices.Contains([]string{"copilot", "kimi", "pi", "grok"}, a.name) {
		t.Skip("hooks install registers no MCP server there")
	}
	p := newPlace(t)
	if err := os.Link(server, filepath.Join(p.path, "onward-mcp")); err != nil {
		t.Fatal(err)
	}
	prepare, env, args := a.prepare, a.env, a.args
	a.prepare = func(t *testing.T, m *model, home, dir string) {
		if prepare != nil {
			prepare(t, m, home, dir)
		}
		switch a.name {
		case "gemini":
			write(t, filepath.Join(home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}},"useWriteTodos":false}`)
		case "qwen":
			write(t, filepath.Join(home, ".qwen", "settings.json"), `{"tools":{"todoWrite":{"enabled":false}}}`)
		case "opencode":
			path := filepath.Join(dir, "opencode.json")
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path, strings.Replace(string(old), `"permission":{"*":"allow"`, `"permission":{"*":"allow","todowrite":"deny"`, 1))
		}
	}
	a.env = func(m *model) []string { return append(env(m), "CLAUDE_CODE_ENABLE_TODO_TOOLS=0") }
	if args != nil {
		a.args = func(m *model, prompt string) []string {
			out := args(m, prompt)
			if i := slices.Index(out, "tools.update_plan.enabled=true"); i >= 0 {
				out[i] = "tools.update_plan.enabled=false"
			}
			return out
		}
	}
	a.prepare(t, m, p.home, p.dir)
	p.hook(*a, "--mcp")
	return p
}
