//go:build unix

package realagents

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	known "onward/internal/agents"
)

// night runs `onward run` with an agent's own program, and returns its exit code and output.
func (p place) night(a agent, m *model, flags ...string) (code int, out string) {
	p.t.Helper()
	return p.shift(a, m, p.dir, append([]string{task}, flags...)...)
}

// shift is like night, with all arguments of `onward run`, in the folder dir.
func (p place) shift(a agent, m *model, dir string, args ...string) (code int, out string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	cmd, said := p.run(ctx, a, m, dir, args...)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil || ctx.Err() != nil {
		p.t.Fatalf("onward run %s: %v\n%s", a.name, err, said.String())
	}
	return cmd.ProcessState.ExitCode(), said.String()
}

// run makes a command of `onward run`, with its output in a buffer.
func (p place) run(ctx context.Context, a agent, m *model, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	p.t.Helper()
	p.puts(a, m)
	args = append(append([]string{"run", a.name}, args...), "--")
	cmd := exec.CommandContext(ctx, filepath.Join(p.path, "onward"), append(args, a.words(m)...)...)
	cmd.Dir, cmd.Env = dir, append(p.env(), a.env(m)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	return cmd, &said
}

// puts puts the program of an agent on PATH, with the settings that it needs.
func (p place) puts(a agent, m *model) {
	p.t.Helper()
	if a.prepare != nil && !m.prepared {
		m.prepared = true // some settings may be written only once
		a.prepare(p.t, m, p.home, p.dir)
	}
	row, _ := known.ProgramOf(a.name)
	words, err := a.program()
	if err != nil {
		p.t.Fatal(err)
	}
	write(p.t, filepath.Join(p.path, row.Command[0]), "#!/bin/sh\nexec '"+strings.Join(words, "' '")+"' \"$@\"\n")
}

// ended checks the exit code of a run, its output, and how many turns the model had.
func (p place) ended(m *model, code int, out string, wantCode, wantTurns int, wantWords ...string) {
	p.t.Helper()
	if code != wantCode {
		p.t.Errorf("onward run: exit %d, not %d", code, wantCode)
	}
	if n := len(m.began()); wantTurns > 0 && n != wantTurns {
		p.t.Errorf("the model was spoken to %d times, not %d:\n%s", n, wantTurns, last(m.began()))
	}
	for _, words := range wantWords {
		if !strings.Contains(out, words) {
			p.t.Errorf("it did not say %q", words)
		}
	}
	if done, total := p.counts(); wantCode == 0 && (done != 3 || total != 3) {
		p.t.Errorf("%d of %d items are completed", done, total)
	}
	if p.t.Failed() {
		p.t.Log(tail(out))
	}
}

// TestRunUntilDone runs a model that stops after each item.
func TestRunUntilDone(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p, m := newPlace(t), diligent(t, a)
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 3, "done after 3 turns")
	})
}

// TestRunUntilProven runs a model that claims success while the gate fails.
func TestRunUntilProven(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		m := newModel(t, victory(a), []reply{use(a.shell("touch fixed")), textReply("The parser is mended.")}, []reply{textReply("I was continued although the tests pass.")})
		code, out := p.night(a, m, "--gate", `test -e fixed || { echo "FAIL: TestParser wants the file fixed"; exit 1; }`)
		p.ended(m, code, out, 0, 2, "the gate fails", "the gate failed before the work and passes now")
		if began := m.began(); len(began) > 1 && !strings.Contains(began[1], "TestParser wants the file fixed") {
			t.Errorf("the second prompt lacks what the gate printed:\n%s", began[1])
		}
	})
}

// TestRunWithoutAList runs a model that never writes a list. It must be asked for one once.
func TestRunWithoutAList(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p, m := newPlace(t), newModel(t, []reply{textReply("It is all done.")}, []reply{textReply("As I said, it is all done.")}, []reply{textReply("I was asked a third time.")})
		code, out := p.night(a, m)
		turns := 2
		if a.name == "qwen" {
			turns = 0 // it also sends other requests to its model
		}
		p.ended(m, code, out, 14, turns)
	})
}

// TestRunEndsAtAPause runs a model that pauses, because it needs its user.
func TestRunEndsAtAPause(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		pause := use(a.shell("onward pause 'the key for the server is missing'"))
		pause.slow = true // onward reads the list from the agent's stream in the meantime; without one there is nothing to pause
		m := newModel(
			t,
			append(a.write(1, true), pause, textReply("I cannot go on without the key.")),
			[]reply{textReply("I was spoken to after the pause.")},
		)
		code, out := p.night(a, m)
		p.ended(m, code, out, 11, 1, "the key for the server is missing")
	})
}

// resumes skips the test for an agent that starts a new conversation for each turn.
func (a agent) resumes(t *testing.T) {
	if row, _ := known.ProgramOf(a.name); !row.Resumes() {
		t.Skip("each of its turns is a new conversation")
	}
}

// TestRunTakesTheAnswer answers a run that has paused. The same command without the task resumes the conversation that asked, in
// which the answer stands alone.
func TestRunTakesTheAnswer(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		a.resumes(t)
		p := newPlace(t)
		pause := use(a.shell("onward pause 'which licence?'"))
		pause.slow = true
		m := newModel(
			t,
			append(a.write(1, true), pause, textReply("Which licence shall it have?")),
			append(a.write(2, false), append(a.write(3, false), textReply("I did the rest."))...),
			[]reply{textReply("There is nothing left.")},
		)
		code, out := p.night(a, m)
		p.ended(m, code, out, 11, 1, "which licence?", "hint: `onward reply 'ANSWER'` answers, and goes on")
		if code, out := p.onward("message", "push", "Take the MIT licence."); code != 0 {
			t.Fatalf("message push: exit %d\n%s", code, out)
		}
		code, out = p.shift(a, m, p.dir)
		p.ended(m, code, out, 0, 2, "turn 1: resumes the conversation: your message")
		if began := m.began(); len(began) > 1 && (!strings.Contains(began[1], "Take the MIT licence.") || strings.Contains(began[1], tag)) {
			t.Errorf("the answer does not stand alone:\n%s", began[1])
		}
	})
}

// TestRunTellsANewConversation answers a run that has paused, in a new conversation. That gets the task, the question, the answer,
// the list, and how to complete it.
func TestRunTellsANewConversation(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		pause := use(a.shell("onward pause 'which licence?'"))
		pause.slow = true
		m := newModel(
			t,
			append(a.write(1, true), pause, textReply("Which licence shall it have?")),
			[]reply{use(a.shell("onward todo done 2 3")), textReply("I did the rest.")},
			[]reply{textReply("There is nothing left.")},
		)
		code, out := p.night(a, m)
		p.ended(m, code, out, 11, 1)
		p.onward("message", "push", "Take the MIT licence.")
		code, out = p.shift(a, m, p.dir, "--fresh")
		p.ended(m, code, out, 0, 2)
		began := m.began()
		for _, want := range []string{task, "which licence?", "Take the MIT licence.", items[1], "onward todo done N", "onward pause"} {
			if len(began) > 1 && !strings.Contains(began[1], want) {
				t.Errorf("the new conversation is not told %q:\n%s", want, began[1])
			}
		}
	})
}

// TestRunIsTakenUp kills `onward run` with SIGKILL in its second turn. The same command resumes the conversation, which finishes
// its own list.
func TestRunIsTakenUp(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		a.resumes(t)
		p := newPlace(t)
		m := newModel(
			t,
			append(a.write(1, true), textReply("I did the first step.")),
			[]reply{{hang: true}},
			append(a.write(2, false), append(a.write(3, false), textReply("I did the rest."))...),
			[]reply{textReply("There is nothing left.")},
		)
		p.cutOff(a, m)
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 3, "picking up the run that was cut off in turn 2", "turn 3: resumes the conversation")
	})
}

// TestRunIsTakenUpInItsFirstTurn kills `onward run` once the agent has a list, before its first turn has ended. It may have kept the
// conversation by then or not. Its list is never doubled.
func TestRunIsTakenUpInItsFirstTurn(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		m := newModel(
			t,
			append(a.write(1, true), reply{hang: true}),
			a.rest(),
			[]reply{textReply("There is nothing left.")},
		)
		p.cutOff(a, m)
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 2, "picking up the run that was cut off in turn 1", "turn 2: ")
		t.Log(tail(out))
	})
}

// TestRunIsTakenUpInAWait kills `onward run` with SIGKILL while it waits for a usage limit of two hours. The same command remembers
// the wait, and `onward resume` ends it.
func TestRunIsTakenUpInAWait(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		if !slices.Contains([]string{"claude", "codex", "gemini", "copilot", "opencode"}, a.name) {
			t.Skip("skipped: it does not leave the wait to its run")
		}
		p := newPlace(t)
		m := newModel(
			t,
			append(a.write(1, true), textReply("I did the first step.")),
			[]reply{{quota: true}},
			append(a.write(2, false), append(a.write(3, false), textReply("I did the rest."))...),
			[]reply{textReply("There is nothing left.")},
		)
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
		defer cancel()
		killed, said := p.run(ctx, a, m, p.dir, task)
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		state := ""
		for ctx.Err() == nil && !strings.Contains(state, `"state":"waiting"`) {
			_, state = p.onward("session", "list", "--json")
		}
		_ = killed.Process.Kill()
		if _ = killed.Wait(); ctx.Err() != nil {
			t.Fatalf("it does not wait: %s\n%s", state, said.String())
		}
		asked := len(m.began())
		again, said := p.run(ctx, a, m, p.dir, task)
		over := make(chan error, 1)
		go func() { over <- again.Run() }()
		for running := true; running; {
			select {
			case err := <-over:
				running = false
				if err != nil || !strings.Contains(said.String(), "picking up the run that was cut off") || !strings.Contains(said.String(), "resumes the conversation") {
					t.Errorf("%v\n%s", err, said.String())
				}
			default:
				if n := len(m.began()); n == asked {
					p.onward("resume") // until it has been seen
				}
			}
		}
		t.Log(tail(said.String()))
	})
}

// cutOff starts `onward run`, and kills it with SIGKILL once its model hangs.
func (p place) cutOff(a agent, m *model) {
	p.t.Helper()
	if runtime.GOOS != "linux" {
		p.t.Skip("the agent outlives its run elsewhere")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	cmd, said := p.run(ctx, a, m, p.dir, task)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		select {
		case <-m.hung:
			_ = cmd.Process.Kill()
		case <-ctx.Done():
		}
	}()
	if _ = cmd.Wait(); !cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		p.t.Fatalf("it was not killed:\n%s", said.String())
	}
}

// TestRunBeginsWithAMessage queues a message before the run. It is a part of the first prompt. A conversation that continues the work of
// another one is only told that it was read.
func TestRunBeginsWithAMessage(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p, m := newPlace(t), diligent(t, a)
		p.onward("message", "push", "Mind the tests.")
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 3)
		const message = "Also, from the user: Mind the tests."
		if began := m.began(); !strings.Contains(began[0], message) || strings.Contains(strings.Join(began[1:], "\n"), message) {
			t.Errorf("the model was spoken to with:\n%s", last(began))
		}
	})
}

// rest returns what the model does after its first turn was ended. Copilot CLI has not kept that conversation, nor its table: the model
// writes it again, with the items that it is told of.
func (a agent) rest() (all []reply) {
	if a.name == "copilot" {
		all = a.write(1, true)
	}
	return slices.Concat(all, a.write(2, false), a.write(3, false), []reply{textReply("I did the rest.")})
}

// TestRunEndsASilentTurn runs a model that stops answering after its first item.
func TestRunEndsASilentTurn(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		m := newModel(t, append(a.write(1, true), reply{hang: true}), a.rest(), []reply{textReply("There is nothing left.")})
		code, out := p.night(a, m, "--silence", "45s") // some agents need long to start on a busy machine
		p.ended(m, code, out, 0, 2, "turn 1 was ended: nothing was printed for 45 s")
	})
}

// TestRunOutlivesItsAgent kills all of the agent's processes in the middle of a turn.
func TestRunOutlivesItsAgent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it looks for processes in /proc")
	}
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		m := newModel(t, append(a.write(1, true), reply{hang: true}), a.rest(), []reply{textReply("There is nothing left.")})
		killed := make(chan int, 1)
		go func() {
			<-m.hung
			killed <- killBelow(p.home, "ONWARD_RUN")
		}()
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 2, "turn 1 failed")
		if n := <-killed; n == 0 {
			t.Error("there was no process to kill")
		}
	})
}

// killBelow kills all processes whose HOME is home and, unless variable is empty, in whose environment that variable is set.
// It spares onward's own. It returns how many it killed, which is 0 on a system without /proc.
func killBelow(home, variable string) (n int) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		vars, err := os.ReadFile(path)
		of := "\x00" + string(vars)
		program, _ := os.Readlink(filepath.Join(filepath.Dir(path), "exe"))
		if err != nil || !strings.Contains(of, "\x00HOME="+home+"\x00") || variable != "" && !strings.Contains(of, "\x00"+variable+"=") || strings.HasPrefix(filepath.Base(program), "onward") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}

// TestRunWaitsForALimit lets the host refuse every request for some seconds. Either the agent itself or onward waits.
func TestRunWaitsForALimit(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		rest := append(a.write(2, false), append(a.write(3, false), textReply("I did the rest."))...)
		m := newModel(t, append(append(a.write(1, true), reply{limit: true}), rest...), rest, []reply{textReply("There is nothing left.")})
		began := time.Now()
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 0)
		if took := time.Since(began); took < limitTime {
			t.Errorf("it ended after %v, before the limit", took)
		}
		t.Log(tail(out))
	})
}

// TestRunBeginsAnew lets the conversation become too long for its model. The run must start a new one.
func TestRunBeginsAnew(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		rest := append(a.write(2, false), append(a.write(3, false), textReply("I did the rest."))...)
		m := newModel(t, append(a.write(1, true), textReply("I did the first step.")), []reply{{full: true}}, rest, rest, rest, []reply{textReply("There is nothing left.")})
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 0)
		t.Log(tail(out))
	})
}

// TestRunHandsOverARefusedConversation lets the host refuse each request of a conversation that is resumed, as for an image that
// is too large. The run must go on in a new one, and say why.
func TestRunHandsOverARefusedConversation(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		if a.name != "claude" && a.name != "codex" {
			t.Skip("skipped: the scripted host answers as those of Claude Code and Codex do")
		}
		p := newPlace(t)
		all := slices.Concat(a.write(1, true), a.write(2, false), a.write(3, false), []reply{textReply("I did the rest.")}) // it writes its list anew
		m := newModel(t, append(a.write(1, true), textReply("I did the first step.")), all, []reply{textReply("There is nothing left.")})
		m.leave(newModel(t, []reply{{fails: true}}), func(r request) bool {
			return len(r.tools) > 0 && !r.results && len(m.began()) == 1 && !strings.Contains(r.text, task)
		})
		code, out := p.night(a, m)
		p.ended(m, code, out, 0, 0, "the model refuses", "in a new conversation")
		t.Log(tail(out))
	})
}

// TestRunIsNotDoneByAGreenGate runs a model that does nothing, where the gate passes before. It must be asked for a list once.
func TestRunIsNotDoneByAGreenGate(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		p, m := newPlace(t), newModel(t, []reply{textReply("It is all done.")}, []reply{textReply("As I said, it is all done.")}, []reply{textReply("I was asked a third time.")})
		code, out := p.night(a, m, "--gate", "true")
		turns := 2
		if a.name == "qwen" {
			turns = 0 // it also sends other requests to its model
		}
		p.ended(m, code, out, 14, turns, "the gate passed before")
	})
}
