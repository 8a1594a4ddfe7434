//go:build unix

package realagents

import (
	"strings"
	"testing"
)

// victory returns a turn in which the model completes every item of its list and claims success.
func victory(a agent) (turn []reply) {
	for n := 1; n <= len(items); n++ {
		turn = append(turn, a.write(n, n == 1)...)
	}
	return append(turn, textReply("Everything is done, and the tests pass."))
}

// redTests returns a place whose gate fails until a file exists that the gate's output names.
func redTests(t *testing.T, a agent, m *model) place {
	t.Helper()
	p := ready(t, a, m)
	if code, out := p.onward("set", "gate", `test -e fixed || { echo "FAIL: TestParser wants the file fixed"; exit 1; }`); code != 0 {
		t.Fatalf("set gate: exit %d\n%s", code, out)
	}
	return p
}

// TestGateMakesAgentFixTests lets a model claim success while the gate fails:
// it is sent back to work with the gate's output, fixes the problem, and may then stop.
func TestGateMakesAgentFixTests(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := newModel(
			t,
			victory(a),
			[]reply{use(a.shell("touch fixed")), textReply("The parser is mended.")},
			[]reply{textReply("I was continued although the tests pass.")},
		)
		p := redTests(t, a, m)
		p.work(a, m, task)
		calls := p.taps()
		began := m.began()
		if len(began) != 2 || !strings.Contains(began[1], tag) || !strings.Contains(began[1], "| FAIL: TestParser wants the file fixed") {
			t.Errorf("the model was spoken to %d times:\n%.4000s\n%s", len(began), strings.Join(began, "\n---\n"), story(calls))
		}
		if done, total := p.counts(); done != 3 || total != 3 || blocked(calls) != 1 {
			t.Errorf("%d of %d items are completed, and the agent was continued %d times, not once\n%s", done, total, blocked(calls), story(calls))
		}
		if code, out := p.onward("session", "show"); code != 0 || !strings.Contains(out, "passed") {
			t.Errorf("session show: exit %d\n%s", code, out)
		}
		if code, out := p.onward("todo", "assert", "--require-list", "--gate"); code != 0 {
			t.Errorf("todo assert: exit %d\n%s", code, out)
		}
	})
}

// TestGateStopsAtLimitWithoutRepair lets the gate fail three times: the model is sent back to work twice, only talks,
// and may then stop.
func TestGateStopsAtLimitWithoutRepair(t *testing.T) {
	eachOften(t, func(t *testing.T, a agent) {
		m := newModel(
			t,
			victory(a),
			[]reply{textReply("They pass for me.")},
			[]reply{textReply("I am sure that they pass.")},
			[]reply{textReply("I was continued once too often.")},
		)
		p := redTests(t, a, m)
		p.work(a, m, task)
		calls := p.taps()
		if n := len(m.began()); n != 3 || blocked(calls) != 2 {
			t.Errorf("the model was spoken to %d times, not three times, and continued %d times\n%s", n, blocked(calls), story(calls))
		}
		if code, out := p.onward("session", "show"); code != 0 || !strings.Contains(out, "failed with exit code 1, 3 times in a row without work") {
			t.Errorf("session show: exit %d\n%s", code, out)
		}
		if code, out := p.onward("check-continue", "--json"); code != 12 || !strings.Contains(out, `"reason":"gate"`) {
			t.Errorf("check-continue: exit %d, not 12\n%s", code, out)
		}
	})
}
