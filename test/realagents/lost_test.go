//go:build unix

package realagents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loses returns what a model answers that works for a while, and looks at its tasks once somebody has removed Claude Code's files of
// them. A hook cannot tell what a call within a second of the last change has seen.
func loses(t *testing.T, a agent, home string) []reply {
	look := use(call{name: "TaskList", args: object{}})
	look.first = func() {
		tasks := filepath.Join(home, ".claude", "tasks")
		if found, err := filepath.Glob(filepath.Join(tasks, "*", "*.json")); err != nil || len(found) == 0 {
			t.Errorf("Claude Code has no files of tasks in %s: %v", tasks, err)
		}
		if err := os.RemoveAll(tasks); err != nil {
			t.Error(err)
		}
	}
	return []reply{use(a.shell("sleep 1.2")), look, textReply("There is nothing left.")}
}

// eachLoses runs a test with the agent whose list of tasks is a folder of files, which it reads back.
func eachLoses(t *testing.T, test func(*testing.T, agent)) {
	each(t, func(t *testing.T, a agent) {
		if a.name != "claude" {
			t.Skip("its model writes its whole list")
		}
		test(t, a)
	})
}

// TestRunMissesLostTasks removes the files of Claude Code's tasks between two requests of its model, which then reads an empty list
// and says that nothing is left. The run asks after the open tasks, and does not take them for cancelled or done.
func TestRunMissesLostTasks(t *testing.T) {
	eachLoses(t, func(t *testing.T, a agent) {
		p := newPlace(t)
		m := newModel(
			t,
			append(a.write(1, true), textReply("I did the first step.")),
			loses(t, a, p.home),
			[]reply{textReply("My list is empty, so all is done.")},
		)
		code, out := p.night(a, m)
		p.ended(m, code, out, 11, 3, `needs you after 3 turns: the agent's list lost 2 items that were open, and the agent did not put them back: "Write the change", "Run the tests"`)
		if text := last(m.began()[2:]); !strings.Contains(text, "Run the tests") {
			t.Errorf("the third prompt does not name what was lost:\n%s", m.began()[2])
		}
		if code, out := p.onward("todo", "assert"); code != 1 {
			t.Errorf("todo assert: exit %d, not 1\n%s", code, out)
		}
		if done, total := p.counts(); done != 1 || total != 3 {
			t.Errorf("%d of %d items are completed after the loss", done, total)
		}
		if code, out := p.onward("todo", "undo"); code != 0 {
			t.Errorf("todo undo: exit %d\n%s", code, out)
		}
		if _, out := p.onward("todo", "show", "--format", "plain"); strings.Count(out, "pending\t") != 2 || strings.Contains(out, "cancelled") {
			t.Errorf("todo undo did not bring the two open items back:\n%s", out)
		}
	})
}

// TestLostTasksComeBack lets the model write its lost tasks again, in a run and where a hook sends it back to work.
func TestLostTasksComeBack(t *testing.T) {
	eachLoses(t, func(t *testing.T, a agent) {
		again := func(text string) call {
			return call{name: "TaskCreate", args: object{"subject": text, "description": text}}
		}
		completes := func(ids ...string) reply {
			var calls []call
			for _, id := range ids {
				calls = append(calls, call{name: "TaskUpdate", args: object{"taskId": id, "status": "completed"}})
			}
			return use(calls...)
		}
		for name, work := range map[string]func(*testing.T, place, *model){
			"run": func(t *testing.T, p place, m *model) {
				code, out := p.night(a, m)
				p.ended(m, code, out, 0, 3, "done after 3 turns")
			},
			"hook": func(t *testing.T, p place, m *model) {
				p.hook(a)
				p.work(a, m, task)
				if done, total := p.counts(); done != 3 || total != 3 || blocked(p.taps()) != 2 {
					t.Errorf("%d of %d items are completed\n%s", done, total, story(p.taps()))
				}
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				m := newModel(
					t,
					append(a.write(1, true), textReply("I did the first step.")),
					loses(t, a, p.home),
					[]reply{use(again(items[1]), again(items[2])), completes("1", "2"), textReply("I did both.")},
				)
				work(t, p, m)
				if text := m.began()[2]; !strings.Contains(text, "your list lost open items") {
					t.Errorf("the model was not asked after what was lost:\n%s", text)
				}
			})
		}
	})
}
