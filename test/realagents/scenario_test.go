//go:build unix

package realagents

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// last returns the ends of the texts that a model was spoken to with.
func last(began []string) string {
	ends := make([]string, len(began))
	for i, text := range began {
		ends[i] = strconv.Quote(text[max(0, len(text)-200):])
	}
	return strings.Join(ends, "\n")
}

// start builds the command that prompts an agent, with its output in a buffer.
func (p place) start(ctx context.Context, a agent, m *model, args []string) (*exec.Cmd, *bytes.Buffer) {
	p.t.Helper()
	var out bytes.Buffer
	cmd := p.command(ctx, a, m, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return cmd, &out
}

// lists returns how many sessions have a list, and how many of those are finished.
func (p place) lists() (finished, total int) {
	p.t.Helper()
	_, out := p.onward("session", "list", "--json")
	return strings.Count(out, `"open":0`), strings.Count(out, `"open":`)
}

// TestTwoAgentsInOneProject runs two conversations in one project at the same time, of one agent and of two.
// Each has its own list, and is sent back to work until that is done.
func TestTwoAgentsInOneProject(t *testing.T) {
	if programs == "" {
		t.Skip(noPrograms)
	}
	for _, pair := range [][2]agent{{claude(), claude()}, {codex(), codex()}, {gemini(), gemini()}, {qwen(), qwen()}, {copilot(), copilot()}, {claude(), codex()}} {
		t.Run(pair[0].name+" and "+pair[1].name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			var models [2]*model
			for i, a := range pair {
				if _, err := a.program(); err != nil {
					t.Skip(err)
				}
				models[i] = diligent(t, a)
				if a.prepare != nil {
					a.prepare(t, models[i], p.home, p.dir)
				}
				if i == 0 || a.name != pair[0].name {
					p.hook(a)
				}
			}
			together(ctx, models[:]...)
			var runs [2]*exec.Cmd
			var outs [2]*bytes.Buffer
			for i, a := range pair {
				runs[i], outs[i] = p.start(ctx, a, models[i], a.args(models[i], task))
			}
			for i := range runs {
				if err := runs[i].Wait(); err != nil {
					t.Errorf("%s: %v\n%s", pair[i].name, err, tail(outs[i].String()))
				}
				if began := models[i].began(); len(began) != 3 {
					t.Errorf("%s was spoken to %d times:\n%s\n%s", pair[i].name, len(began), last(began), story(p.taps()))
				}
			}
			if finished, total := p.lists(); finished != 2 || total != 2 {
				t.Errorf("%d of %d lists are finished\n%s", finished, total, story(p.taps()))
			}
		})
	}
}

// TestBorrowedHooksDoNothing installs the hooks of Claude Code next to those of Grok Build, which runs both. Its list is
// changed once, and it is sent back once for each stop.
func TestBorrowedHooksDoNothing(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "grok" {
			t.Skip("it runs the hooks of no other agent, or the two are not installed together")
		}
		m := diligent(t, a)
		p := ready(t, a, m)
		p.hook(claude())
		p.work(a, m, task)
		calls := p.taps()
		stops := 0
		for _, c := range calls {
			if c.event() == "Stop" {
				stops++
			}
		}
		if finished, total := p.lists(); finished != 1 || total != 1 || blocked(calls) != 2 || stops < 6 {
			t.Errorf("%d of %d lists are finished, and it was sent back %d times at %d calls at stops\n%s", finished, total, blocked(calls), stops, story(calls))
		}
	})
}

// TestUsesOnlyItsOwnList has a conversation that never reported its end own the project's list: the
// next one has another.
func TestUsesOnlyItsOwnList(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		if a.name != "opencode" {
			t.Skip("TestTwoAgentsInOneProject has it, or its model keeps the list with the shell, and the script does not name the session there")
		}
		m := diligent(t, a)
		p := ready(t, a, m)
		p.onward("todo", "add", "what the first one does")
		p.own("somebody else's conversation")
		p.work(a, m, task)
		if done, total := p.counts(); done != 0 || total != 1 || blocked(p.taps()) != 2 {
			t.Errorf("the first one's list has %d of %d items completed, and the second one was continued %d times\n%s", done, total, blocked(p.taps()), story(p.taps()))
		}
	})
}

// TestLoopResumes has no hooks: a loop reads the agent's output, asks, and resumes the conversation by its id.
func TestLoopResumes(t *testing.T) {
	eachAlone(t, func(t *testing.T, a agent) {
		if a.resume == "" {
			skip(t, "its stream names no conversation that could be resumed")
		}
		a.serve = nil
		m := diligent(t, a)
		p := newPlace(t)
		if a.prepare != nil {
			a.prepare(t, m, p.home, p.dir)
		}
		turn := func(args []string) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			out, err := p.command(ctx, a, m, args...).Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, tail(string(out)))
			}
			ingest := exec.Command(filepath.Join(p.path, "onward"), "ingest", "--save", "--emit", "none")
			ingest.Dir, ingest.Env, ingest.Stdin = p.dir, p.env(), bytes.NewReader(out)
			if said, err := ingest.CombinedOutput(); err != nil {
				t.Fatalf("ingest: %v\n%s\n%s", err, said, tail(string(out)))
			}
		}
		turn(a.args(m, task))
		code, prompt := p.onward("check-continue")
		for range 4 {
			if code != 0 {
				break
			}
			_, id := p.onward("get", "native-session")
			turn(a.resumed(m, strings.TrimSpace(id), prompt))
			code, prompt = p.onward("check-continue")
		}
		if done, total := p.counts(); code != 10 || done != 3 || total != 3 {
			t.Errorf("check-continue ends with %d, and %d of %d items are completed", code, done, total)
		}
		if began := m.began(); len(began) != 3 || !strings.Contains(began[1], tag) {
			t.Errorf("the model was spoken to %d times:\n%s", len(began), last(began))
		}
	})
}

// TestSubAgentsAreNotContinued has the model hand a part to a sub-agent, which ends while the list
// of the main agent is open.
func TestSubAgentsAreNotContinued(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		if a.delegate == nil {
			skip(t, "in the test, its model cannot start a sub-agent within the turn")
		}
		part := a.delegate("do the part")
		m := newModel(
			t,
			append(a.write(1, true), use(part)),
			[]reply{textReply("The part is done."), textReply("I did the first step.")},
			append(a.write(2, false), append(a.write(3, false), textReply("I did the other steps."))...),
			[]reply{textReply("There is nothing left.")},
		)
		p := ready(t, a, m)
		p.work(a, m, task)
		if !slices.Contains(m.offered(), part.name) {
			t.Fatalf("its model is offered no tool %q, but %v", part.name, m.offered())
		}
		// A sub-agent in the background reports its end by one more text.
		counts := map[string]int{}
		for _, text := range m.began() {
			for _, what := range []string{"do the part", tag} {
				if strings.Contains(text, what) {
					counts[what]++
				}
			}
		}
		if counts["do the part"] != 1 || counts[tag] != 1 {
			t.Errorf("the agent and its sub-agent were continued %d times, not once:\n%s\n%s", counts[tag], last(m.began()), story(p.taps()))
		}
		if done, total := p.counts(); done != 3 || total != 3 {
			t.Errorf("%d of %d items are completed\n%s", done, total, story(p.taps()))
		}
	})
}

// TestNoContinuationAfterFailure has the model's host refuse a request while the list is open.
func TestNoContinuationAfterFailure(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		a.serve = nil
		m := newModel(t, append(a.write(1, true), reply{fails: true}), []reply{{fails: true}})
		p := ready(t, a, m)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		cmd, out := p.start(ctx, a, m, a.args(m, task))
		_ = cmd.Wait() // some report it by their exit code
		if ctx.Err() != nil {
			t.Fatalf("it did not end by itself:\n%s\n%s", tail(out.String()), story(p.taps()))
		}
		if done, total := p.counts(); done != 1 || total != 3 || blocked(p.taps()) != 0 {
			t.Errorf("%d of %d items are completed, and the agent was continued %d times\n%s\n%s", done, total, blocked(p.taps()), story(p.taps()), tail(out.String()))
		}
		// A failure without a class may pass, so it is waited for first.
		if code, said := p.onward("check-continue", "--dry-run", "--json"); a.tells && code != 15 && code != 13 {
			t.Errorf("check-continue: exit %d, not 15 or 13\n%s\n%s", code, said, story(p.taps()))
		}
	})
}
