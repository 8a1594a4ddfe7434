//go:build unix

package realagents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const task = "make a plan of three steps and carry it out"

// tag is the start of each prompt that onward sends to a model.
const tag = "[SYSTEM REMINDER - TODO CONTINUATION"

// diligent returns a model that does one item in each turn.
func diligent(t *testing.T, a agent) *model {
	return newModel(
		t,
		append(a.write(1, true), textReply("I did the first step.")),
		append(a.write(2, false), textReply("I did the second step.")),
		append(a.write(3, false), textReply("I did the third step.")),
		[]reply{textReply("There is nothing left.")},
	)
}

// lazy returns a model that writes a list, does one item, and then only talks.
func lazy(t *testing.T, a agent) *model {
	turns := [][]reply{append(a.write(1, true), textReply("I did the first step."))}
	for i := range 8 {
		// Each turn talks differently, because the same words within a second would count as the same question asked twice.
		turns = append(turns, []reply{textReply(fmt.Sprintf("I could go on, if you like. I have said so %d times.", i+1))})
	}
	return newModel(t, turns...)
}

// ready returns a place with the agent's settings and onward's hooks.
func ready(t *testing.T, a agent, m *model) place {
	t.Helper()
	p := newPlace(t)
	if a.prepare != nil {
		a.prepare(t, m, p.home, p.dir)
	}
	p.hook(a)
	return p
}

// TestContinuesUntilTheListIsDone lets the model stop after each item. It must be sent back to work until the list is done.
func TestContinuesUntilTheListIsDone(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := diligent(t, a)
		p := ready(t, a, m)
		p.work(a, m, task)
		calls := p.taps()
		if done, total := p.counts(); done != 3 || total != 3 {
			t.Errorf("%d of %d items are completed\n%s", done, total, story(calls))
		}
		if n := blocked(calls); n != 2 {
			t.Errorf("the agent was sent on %d times, not twice\n%s", n, story(calls))
		}
		began := m.began()
		if len(began) != 3 || !strings.Contains(began[1], tag) || !strings.Contains(began[2], tag) {
			t.Errorf("the model was spoken to %d times:\n%.2000s", len(began), strings.Join(began, "\n---\n"))
		}
	})
}

// TestStopsAtTheLimit lets the model only talk. It must be sent back to work three times and no more.
func TestStopsAtTheLimit(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := lazy(t, a)
		p := ready(t, a, m)
		p.work(a, m, task)
		calls := p.taps()
		if n := blocked(calls); n != 3 {
			t.Errorf("the agent was sent on %d times, not three times\n%s", n, story(calls))
		}
		if n := len(m.began()); n != 4 {
			t.Errorf("the model was spoken to %d times, not four times:\n%s", n, last(m.began()))
		}
		if code, out := p.onward("check-continue", "--dry-run", "--json"); code != 12 {
			t.Errorf("check-continue: exit %d, not 12\n%s", code, out)
		}
	})
}

// TestPauseEndsTheLoop lets the model pause itself with its shell. After that it must not be sent back to work.
func TestPauseEndsTheLoop(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		m := newModel(
			t,
			append(a.write(1, true), textReply("I did the first step.")),
			[]reply{use(a.shell("onward pause 'the key for the server is missing'")), textReply("I cannot go on without the key.")},
			[]reply{textReply("I was spoken to after the pause.")},
		)
		p := ready(t, a, m)
		p.work(a, m, task)
		if n := blocked(p.taps()); n != 1 {
			t.Errorf("the agent was sent on %d times, not once\n%s", n, story(p.taps()))
		}
		if code, out := p.onward("check-continue", "--dry-run"); code != 11 {
			t.Errorf("check-continue: exit %d, not 11\n%s", code, out)
		}
	})
}

// TestLastLinePauses lets the model pause itself by the last line of its message, without a shell.
func TestLastLinePauses(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name == "kimi" {
			t.Skip("its hook is told neither the message nor the conversation's file")
		}
		m := newModel(t, append(a.write(1, true), textReply("I did the first step.\n\nONWARD-PAUSE: the key for the server is missing")), []reply{textReply("I was spoken to after the pause.")})
		p := ready(t, a, m)
		p.work(a, m, task)
		if n := blocked(p.taps()); n != 0 {
			t.Errorf("the agent was sent on %d times\n%s", n, story(p.taps()))
		}
		if code, out := p.onward("check-continue", "--dry-run", "--json"); code != 11 || !strings.Contains(out, "the key for the server is missing") {
			t.Errorf("check-continue: exit %d, not 11\n%s", code, out)
		}
	})
}

// TestKeepsTheListWithTheShell does not use the agent's own todo tool:
// the model keeps its list with the commands that the context of the session names.
func TestKeepsTheListWithTheShell(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := newModel(
			t,
			[]reply{use(a.shell(`onward todo add "Read the code" && onward todo add "Write the change" && onward todo add "Run the tests" && onward todo done 1`)), textReply("One done.")},
			[]reply{use(a.shell("onward todo done 2")), textReply("Two done.")},
			[]reply{use(a.shell("onward todo done 3")), textReply("Three done.")},
			[]reply{textReply("There is nothing left.")},
		)
		p := ready(t, a, m)
		p.work(a, m, task)
		calls := p.taps()
		if done, total := p.counts(); done != 3 || total != 3 || blocked(calls) != 2 {
			t.Errorf("%d of %d items are completed, and the agent was sent on %d times, not twice\n%s", done, total, blocked(calls), story(calls))
		}
	})
}

// TestKimiIsContinuedOnce runs Kimi Code, which a hook can send back to work once for each prompt. The next prompt finishes
// the list. A /todo command must not reach the model.
func TestKimiIsContinuedOnce(t *testing.T) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	a := kimi()
	if _, err := a.program(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { note(t, a) })
	m := diligent(t, a)
	p := ready(t, a, m)
	for i, prompt := range []string{task, "carry on"} {
		p.work(a, m, prompt)
		if done, total := p.counts(); done != 2+i || total != 3 {
			t.Errorf("%q: %d of %d items are completed\n%s", prompt, done, total, story(p.taps()))
		}
	}
	if began := m.began(); len(began) != 3 || !strings.Contains(began[1], tag) || strings.Contains(began[2], tag) {
		t.Errorf("the model was spoken to %d times:\n%.2000s", len(began), strings.Join(began, "\n---\n"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, _ := p.command(ctx, a, m, a.args(m, "/todo add fix it")...).CombinedOutput() // with -p, a prompt that a hook refuses is an error
	if _, total := p.counts(); total != 4 || len(m.began()) != 3 || !strings.Contains(string(out), "added 1 item") {
		t.Errorf("the list has %d items, not four, and the model was spoken to %d times\n%s", total, len(m.began()), out)
	}
}

// TestRecoversFromAKilledRun kills the agent, which then reports no end, and starts another conversation.
func TestRecoversFromAKilledRun(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.serve != nil || runtime.GOOS != "linux" {
			t.Skip("which process runs a conversation is not known")
		}
		killed := newModel(t, append(a.write(1, true), reply{hang: true}))
		p := ready(t, a, killed)
		p.signal(a, killed, task, syscall.SIGKILL)
		next := newModel(
			t,
			[]reply{use(a.shell("onward todo done 2")), textReply("Two done.")},
			[]reply{use(a.shell("onward todo done 3")), textReply("Three done.")},
			[]reply{textReply("There is nothing left.")},
		)
		if a.prepare != nil {
			a.prepare(t, next, p.home, p.dir)
			p.hook(a)
		}
		p.work(a, next, "carry on")
		if done, total := p.counts(); done != 3 || total != 3 || blocked(p.taps()) != 1 {
			t.Errorf("%d of %d items are completed, and the next run was continued %d times, not once\n%s", done, total, blocked(p.taps()), story(p.taps()))
		}
	})
}

// TestUserStopPersists stops onward as the user. The agent must not be sent back to work.
func TestUserStopPersists(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		m := diligent(t, a)
		p := ready(t, a, m)
		p.onward("todo", "add", "placeholder")
		p.onward("stop")
		p.work(a, m, task)
		if n := blocked(p.taps()); n != 0 {
			t.Errorf("the agent was sent on %d times\n%s", n, story(p.taps()))
		}
	})
}

// TestInterruptPersists interrupts the agent as its user does, while its list is open. It must not be sent back to work.
func TestInterruptPersists(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		m := newModel(t, append(a.write(1, true), reply{hang: true}), []reply{textReply("I was spoken to after the interrupt.")})
		p := ready(t, a, m)
		if a.serve != nil {
			p.work(a, m, task)
		} else {
			p.interrupt(a, m, task)
		}
		// If the agent reports the interrupt, a loop around it must stop too.
		if a.serve != nil || a.name == "codex" {
			if code, out := p.onward("check-continue", "--dry-run", "--json"); code != 14 || !strings.Contains(out, `"aborted"`) {
				t.Errorf("check-continue: exit %d, not 14\n%s\n%s", code, out, story(p.taps()))
			}
		}
		if n := blocked(p.taps()); n != 0 || len(m.began()) != 1 {
			t.Errorf("the agent was sent on %d times, and the model spoken to %d times\n%s", n, len(m.began()), story(p.taps()))
		}
		if done, total := p.counts(); done != 1 || total != 3 {
			t.Errorf("%d of %d items are completed", done, total)
		}
	})
}

// TestSandboxedCodexWritesTheStore lets the model run onward in Codex's own sandbox, which must allow writes to the store.
func TestSandboxedCodexWritesTheStore(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "codex" {
			t.Skip("it has no sandbox of its own")
		}
		args := a.args
		a.args = func(m *model, prompt string) []string {
			out := args(m, prompt)
			i := slices.Index(out, "--dangerously-bypass-approvals-and-sandbox")
			// The test runs in the folder for temporary files, which the sandbox allows to write unless it is excluded.
			return slices.Replace(
				out, i, i+1, "--sandbox", "workspace-write",
				"-c", "sandbox_workspace_write.exclude_slash_tmp=true", "-c", "sandbox_workspace_write.exclude_tmpdir_env_var=true",
			)
		}
		add := func(with bool) int {
			m := newModel(t, []reply{use(a.shell("onward todo add one")), textReply("Done.")}, []reply{textReply("Nothing left.")})
			p := ready(t, a, m)
			if !with {
				if err := os.Remove(filepath.Join(p.dir, ".codex", "config.toml")); err != nil {
					t.Fatal(err)
				}
			}
			p.work(a, m, task)
			_, total := p.counts()
			return total
		}
		if add(false) != 0 {
			t.Skip("its sandbox keeps nobody from writing on this machine")
		}
		if n := add(true); n != 1 {
			t.Errorf("the list has %d items, not one", n)
		}
	})
}

// TestSlashIsAnsweredByTheHook types /todo. Most agents pass the prompt to the hook as it was typed, and the hook answers it.
// Qwen Code and opencode pass the text of the command file instead, and their model runs the command.
func TestSlashIsAnsweredByTheHook(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name == "qwen" || a.name == "opencode" {
			t.Skip("it expands the command file before the hook sees the prompt")
		}
		if a.name == "kimi" {
			t.Skip("TestKimiIsContinuedOnce has it: a refused prompt is an error of its -p")
		}
		if a.name == "copilot" || a.name == "grok" {
			t.Skip("it asks no hook whether a prompt may pass")
		}
		m := newModel(t, []reply{textReply("I was asked, and should not have been.")})
		p := ready(t, a, m)
		p.work(a, m, "/todo add fix it")
		if _, total := p.counts(); total != 1 || len(m.began()) != 0 {
			t.Errorf("the list has %d items, not one, and the model was spoken to %d times\n%s", total, len(m.began()), story(p.taps()))
		}
	})
}

// TestStopIsAnsweredByTheHook types /stop and /resume as prompts: the model never sees them, and the list is stopped in between.
func TestStopIsAnsweredByTheHook(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "codex" {
			t.Skip("it is tried with Codex; Claude Code has commands of these names")
		}
		m := newModel(t, []reply{textReply("I was asked, and should not have been.")})
		p := ready(t, a, m)
		p.work(a, m, "/todo add fix it")
		for _, c := range []struct {
			prompt string
			code   int
		}{{"/stop", 14}, {"/resume", 0}} {
			p.work(a, m, c.prompt)
			if code, out := p.onward("check-continue"); code != c.code || len(m.began()) != 0 {
				t.Errorf("after %s: exit %d, want %d, and the model was spoken to %d times\n%s\n%s", c.prompt, code, c.code, len(m.began()), out, story(p.taps()))
			}
		}
	})
}

// TestBrokenProgramNeverBlocks breaks onward after its hooks were installed. The prompt must reach the model once, and the turn
// must end.
func TestBrokenProgramNeverBlocks(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		a.serve = nil // with a server, the test would wait for an answer of onward
		for name, damage := range map[string]func(path string) error{
			"missing":        os.Remove,
			"not executable": func(path string) error { return replaceFile(path, "#!/bin/sh\n", 0o644) },
			"crashing":       func(path string) error { return replaceFile(path, "#!/bin/sh\necho 'panic: bug' >&2\nexit 2\n", 0o755) },
			"slow": func(path string) error {
				return replaceFile(path, "#!/bin/sh\nsleep 3\nexec \"${0%/*}\"/onward \"$@\"\n", 0o755)
			},
			// Root may write to a read-only folder, so the store is made a file.
			"its store unwritable": func(path string) error {
				store := filepath.Join(path, "..", "..", ".local", "state", "onward")
				if err := os.RemoveAll(store); err != nil {
					return err
				}
				return os.WriteFile(store, nil, 0o444)
			},
		} {
			t.Run(name, func(t *testing.T) {
				m := newModel(t, []reply{textReply("I said hello.")}, []reply{textReply("I was asked again.")})
				p := ready(t, a, m)
				if err := damage(filepath.Join(p.path, "onward-tap")); err != nil {
					t.Fatal(err)
				}
				out := p.work(a, m, "say hello")
				// Qwen Code also sends other requests to its model.
				if n := len(m.began()); n == 0 || strings.Contains(out, "I was asked again.") {
					t.Errorf("the model was asked %d times, not once:\n%s", n, tail(out))
				}
			})
		}
	})
}

// TestSuspendedHooksNeverBlock suspends onward in every hook, except the one at a turn's end, which may run as long as a gate.
func TestSuspendedHooksNeverBlock(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name == "gemini" {
			t.Skip("at the hook's limit it ends the shell, and goes on waiting for what the shell has started")
		}
		if *tryOlder && a.name == "qwen" {
			t.Skip("it waited a minute for every hook, whatever its limit")
		}
		a.serve = nil
		m := newModel(t, []reply{textReply("I said hello.")}, []reply{textReply("I was asked again.")})
		p := ready(t, a, m)
		script := "#!/bin/sh\ncase \"$*\" in *--limit*) exit ;; esac\nexec sleep 600\n"
		if err := replaceFile(filepath.Join(p.path, "onward-tap"), script, 0o755); err != nil {
			t.Fatal(err)
		}
		out := p.work(a, m, "say hello")
		if n := len(m.began()); n == 0 || strings.Contains(out, "I was asked again.") {
			t.Errorf("the model was asked %d times, not once:\n%s", n, tail(out))
		}
	})
}

// replaceFile replaces a file, or a link, by a new file.
func replaceFile(path, text string, mode os.FileMode) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}
