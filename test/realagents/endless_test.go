//go:build unix

package realagents

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// endless returns a model that makes the same call again and again in every turn, after its list in the first.
func endless(t *testing.T, a agent, command string) *model {
	var loop []reply
	for range 200 {
		loop = append(loop, use(a.shell(command)))
	}
	return newModel(t, append(a.write(1, true), loop...), loop)
}

// eachEndless runs a test with the agents whose streams are known to show the results of commands.
func eachEndless(t *testing.T, test func(*testing.T, agent)) {
	eachAlone(t, func(t *testing.T, a agent) {
		if !slices.Contains([]string{"claude", "codex", "opencode", "copilot", "pi"}, a.name) {
			t.Skip("it is tried with other agents")
		}
		test(t, a)
	})
}

// TestRunEndsALoop runs a model that never ends a turn: it makes the same call with the same result for ever. Each turn is ended, the
// next prompt says why, and the limit of attempts without work ends the run.
func TestRunEndsALoop(t *testing.T) {
	eachEndless(t, func(t *testing.T, a agent) {
		p, m := newPlace(t), endless(t, a, "echo '# Readme'")
		code, out := p.night(a, m)
		p.ended(m, code, out, 12, 0, "turn 1 was ended: the agent called", "20 times in a row with the same result", "attempts without work")
		if began := m.began(); len(began) < 2 || !strings.Contains(began[1], "Your last turn called") {
			t.Errorf("the second prompt does not say what was repeated:\n%s", last(began))
		}
	})
}

// TestRunEndsALoopByItsBudget runs a model whose calls wait, which is no loop. The budget of tokens ends the turn all the same.
func TestRunEndsALoopByItsBudget(t *testing.T) {
	eachEndless(t, func(t *testing.T, a agent) {
		if a.name != "claude" && a.name != "codex" {
			t.Skip("it is tried with other agents")
		}
		p, m := newPlace(t), endless(t, a, "sleep 0.1; echo '# Readme'")
		code, out := p.night(a, m, "--max-tokens", "3000")
		p.ended(m, code, out, 12, 1, "limit after 1 turn: the budget of 3000 tokens is used up")
		if strings.Contains(out, "times in a row") {
			t.Errorf("a call that waits is taken for a loop:\n%s", tail(out))
		}
	})
}

// TestRunCountsSubAgents has a sub-agent make most requests of the only turn. Each has 100 tokens.
func TestRunCountsSubAgents(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		if a.name == "codex" {
			a.delegate = func(prompt string) call {
				return call{name: "multi_agent_v1.spawn_agent", args: object{"message": prompt}}
			}
		}
		if !slices.Contains([]string{"claude", "codex", "opencode"}, a.name) {
			t.Skip("it is tried with other agents")
		}
		over := make(chan struct{})
		step := use(a.shell("echo part"))
		part := newModel(t, []reply{step, step, step, {text: "The part is done.", first: func() { close(over) }}}, []reply{textReply("There is nothing left.")})
		list := a.write(3, true)
		if a.name == "claude" { // whose calls complete one item each
			list = slices.Concat(a.write(1, true), a.write(2, false), list[1:])
		}
		list[0].first = func() { <-over }
		m := newModel(t, append([]reply{use(a.delegate("do the part"))}, append(list, textReply("All is done."))...), []reply{textReply("There is nothing left.")})
		m.leave(part, func(r request) bool { return strings.Contains(r.first+r.text, "do the part") })
		p := newPlace(t)
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 0)
		_, report := p.onward("report", "--format", "json")
		_, in, _ := strings.Cut(report, `"tokens_in":`)
		in, _, _ = strings.Cut(in, ",")
		if n, err := strconv.Atoi(in); err != nil || n < 700 {
			t.Errorf("%s tokens are counted, not at least 700\n%s", in, tail(out))
		}
	})
}

// TestRunEndsWithoutPermissions runs a model whose calls are denied, as the user allows hardly anything.
func TestRunEndsWithoutPermissions(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		var tries []reply
		for _, command := range []string{"python3 -c 'print(1)'", "make test", "./configure"} {
			tries = append(tries, use(a.shell(command)))
		}
		words, prepare, hint := a.words, a.prepare, ""
		switch a.name {
		case "claude":
			a.words = func(*model) []string {
				return []string{"--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits"}
			}
			hint = "--allowedTools Bash` allows that"
		case "codex":
			a.words = func(m *model) []string {
				out := words(m)
				i := slices.Index(out, "--dangerously-bypass-approvals-and-sandbox")
				return slices.Replace(out, i, i+1, "--sandbox", "read-only")
			}
			for _, try := range tries {
				try.calls[0].args["sandbox_permissions"] = "require_escalated"
			}
			hint = "--sandbox workspace-write` allows that"
		case "gemini":
			a.words = func(*model) []string { return []string{"-m", "gemini-2.5-pro", "--approval-mode", "auto_edit"} }
			hint = "--allowed-tools run_shell_command` allows that"
		case "opencode":
			a.prepare = func(t *testing.T, m *model, home, dir string) {
				prepare(t, m, home, dir)
				name := filepath.Join(dir, "opencode.json")
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				write(t, name, strings.Replace(string(text), `{"*":"allow"}`, `{"*":"allow","bash":"deny"}`, 1))
			}
			hint = `allow what the agent needs by "permission" in opencode.json`
		default:
			t.Skip("it is tried with other agents")
		}
		tries = append(tries, textReply("I may not run the tests."))
		p, m := newPlace(t), newModel(t, append(a.write(1, true), tries...), tries)
		code, out := p.night(a, m)
		p.ended(m, code, out, 11, 0, "turn 1: the agent was not allowed to make 3 of its", hint, "needs you after 2 turns", "the agent lacks permissions")
	})
}
