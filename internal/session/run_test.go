package session

import (
	"strings"
	"testing"

	"onward/internal/store"
	"onward/test/storetest"
)

// The spending of a run is the growth of its session's ledger. Prompts of the user in between do not change it.
func TestRunSpends(t *testing.T) {
	var r Run
	for _, step := range []struct{ ledger, want int }{
		{100, 100},
		{100, 100},
		{250, 250},
		{0, 250}, // the session was deleted
		{40, 290},
		{30, 320}, // the session was deleted again
	} {
		l := Ledger{SpentTokens: 7, AllTokens: step.ledger, AllMicros: 2 * step.ledger}
		l.ResetCounters(ByUser)
		r.CountSpending(&l)
		if r.Tokens != step.want || r.Micros != 2*step.want {
			t.Errorf("at %d: %d tokens and %d millionths, want %d and %d", step.ledger, r.Tokens, r.Micros, step.want, 2*step.want)
		}
	}
}

// TestEachAgentSpends counts for the agent at work what a run with several of them spends, and leaves copies of the record as they are.
func TestEachAgentSpends(t *testing.T) {
	r := Run{Agent: "claude"}
	r.AgentRecord("claude")
	r.CountTurn()
	r.CountSpending(&Ledger{AllTokens: 100})
	before := r
	before.CountSpending(&Ledger{AllTokens: 500})
	r.SwitchAgent("codex")
	r.CountTurn()
	r.CountSpending(&Ledger{AllTokens: 130, AllMicros: 20000})
	r.SwitchAgent("claude")
	if got := r.Relay[0].Spent() + "; " + r.Relay[1].Spent(); got != "claude: 1 turn, 100 tokens; codex: 1 turn, 30 tokens, $0.02" {
		t.Error(got)
	}
	if r.Relay[1].Until = 3_600_000; r.AgentsText(0) != "claude: 1 turn, 100 tokens; codex: 1 turn, 30 tokens, $0.02, at a usage limit until "+r.Relay[1].Until.ClockText(0) || r.AgentsText(3_600_000) != "claude: 1 turn, 100 tokens; codex: 1 turn, 30 tokens, $0.02" {
		t.Error(r.AgentsText(0))
	}
	if len(r.Agents) != 2 || r.Turns != 2 || r.Tokens != 130 || r.Conversation != "" || !r.HandedOn {
		t.Errorf("%+v", r)
	}
	r = Run{Agent: "claude"}
	if r.CountTurn(); r.Relay != nil {
		t.Error("a run with one agent counts for each")
	}
}

// TestOpenTurnIsSpentOnce resumes a run that was cut off during a turn, before and after the end of the turn was added to the ledger.
// The turn must count once.
func TestOpenTurnIsSpentOnce(t *testing.T) {
	for ledger, want := range map[int]int{100: 150, 160: 160} {
		var r Run
		r.CountSpending(&Ledger{AllTokens: 100, AllMicros: 100})
		r.Mark, r.Agent, r.Open = "m", "claude", &Event{Input: 60, Cached: 20, Written: 10, Cost: 50}
		written, err := decodeObject[Run](RunKey(name), store.Value{Data: runKind.Write(&r)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			written.CountSpending(&Ledger{AllTokens: ledger, AllMicros: ledger})
			if written.Tokens != want || written.Micros != want {
				t.Errorf("at %d: %d tokens and %d millionths, want %d", ledger, written.Tokens, written.Micros, want)
			}
		}
	}
}

// TestRunIsAtWorkUntilItsKeeperHasEnded checks that a killed run counts as working while its keeper is still ending the agent.
func TestRunIsAtWorkUntilItsKeeperHasEnded(t *testing.T) {
	for _, c := range []struct {
		name                string
		run, keeper, atWork bool // whether the processes exist, and the expected answer
	}{
		{"at work", true, true, true},
		{"killed", false, true, true},
		{"killed, and its agent is ended", false, false, false},
	} {
		memory := storetest.NewMemory()
		s, demo := &Store{Backend: memory, Notes: memory}, Name{Session: "demo"}
		there := map[int]bool{1: c.run, 2: c.keeper}
		s.Gone = func(p *Process) bool { return !there[p.PID] }
		s.IsAlive = func(p *Process) bool { return p != nil && there[p.PID] }
		if at, err := s.AtWork(demo); at || err != nil {
			t.Errorf("without a run: %v, %v", at, err)
		}
		held, err := s.Backend.Hold(RunKey(demo), true)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteRun(held, demo, &Run{Process: &Process{PID: 1}, Keeper: &Process{PID: 2}, Mark: "m", Agent: "claude"}, 1); err != nil {
			t.Fatal(err)
		}
		if at, err := s.AtWork(demo); at != c.atWork || err != nil {
			t.Errorf("%s: %v, %v", c.name, at, err)
		}
		if s.InRun(demo, "m") != c.atWork || s.InRun(demo, "n") {
			t.Errorf("%s: an agent of the run decides by itself", c.name)
		}
	}
}

// TestRunCountsItsPrompts counts the continuations of a run, which words of the user begin anew, and those of an agent do not.
func TestRunCountsItsPrompts(t *testing.T) {
	r := Run{}
	for _, step := range []struct {
		continued bool
		messages  []Message
		want      int
	}{
		{true, nil, 1},
		{true, nil, 2},
		{false, nil, 2},
		{true, []Message{{Text: "from an agent", By: "claude"}}, 3},
		{true, []Message{{Text: "from the user"}}, 0},
		{true, nil, 1},
	} {
		if r.CountPrompt(step.continued, step.messages); r.Prompts != step.want {
			t.Errorf("%+v: %d prompts", step, r.Prompts)
		}
	}
	l := Ledger{TotalPrompt: 1}
	counts := Run{Prompts: 1}
	for _, step := range []struct {
		what   string
		change func()
		want   int
	}{
		{"a failure gives one back", func() { l.TotalPrompt = 0 }, 1},
		{"the user resumes after one continuation", func() { l.ResetCounters(ByUser) }, 0},
		{"two more", func() { l.TotalPrompt, counts.Prompts = 2, 2 }, 2},
		{"the user resumes, and one more", func() { l.ResetCounters(ByUser); l.TotalPrompt = 1 }, 1},
		{"a list is archived", func() { l.TotalPrompt = 0; l.ResetCounters(ByArchive) }, 1},
	} {
		step.change()
		if counts.CountReset(&l); counts.Prompts != step.want {
			t.Errorf("%s: %d prompts, want %d", step.what, counts.Prompts, step.want)
		}
	}
	for range 2 * mostGivenBack { // a host that fails costs nothing, but not without end
		r.CountPrompt(true, nil)
		r.GiveBackContinuation()
	}
	if r.Prompts != 1+mostGivenBack {
		t.Errorf("%d prompts after turns that failed", r.Prompts)
	}
	if r.MarkTurnSucceeded(); r.GivenBack != 0 {
		t.Error("a turn that worked did not end the row of those that cost nothing")
	}
}

func TestFlagsInTheCommandOfARun(t *testing.T) {
	for _, c := range []struct{ command, flags, want string }{
		{"run claude --verbose", "--fresh", "run claude --verbose --fresh"},
		{"run claude -- --model x", "--gate make", "run claude --gate make -- --model x"},
		{"run claude -- --model x", "", "run claude -- --model x"},
	} {
		r := &Run{Command: strings.Fields(c.command)}
		got := r.WithFlags(strings.Fields(c.flags))
		if strings.Join(got.Command, " ") != c.want || strings.Join(r.Command, " ") != c.command {
			t.Errorf("%q with %q: got %q, and the run has %q", c.command, c.flags, got.Command, r.Command)
		}
	}
	if got := (*Run)(nil).WithFlags([]string{"--fresh"}); got != nil {
		t.Errorf("no run: got %v", got)
	}
}

// TestMessagesThatWereRead: the newest are kept, for a conversation that begins later.
func TestMessagesThatWereRead(t *testing.T) {
	r := Run{}
	for _, text := range []string{"first", strings.Repeat("a", maxRead-len("last")+1), "last"} {
		r.AddMessages([]Message{{ID: text, Text: text}})
		r.MarkTurnSucceeded()
	}
	if len(r.Read) != 1 || r.Read[0].Text != "last" || r.Messages != nil {
		t.Errorf("%d were read, %d wait", len(r.Read), len(r.Messages))
	}
	r.AddMessages([]Message{{ID: "long", Text: strings.Repeat("b", 2*maxRead)}})
	if r.MarkTurnSucceeded(); len(r.Read) != 1 || r.Read[0].ID != "long" {
		t.Errorf("a long one: %d", len(r.Read))
	}
}

// TestSpentLeavesOutTheTimeCutOff: a run that was killed at 03:00 and picked up at 09:00 did not work for six hours.
func TestSpentLeavesOutTheTimeCutOff(t *testing.T) {
	r := Receipt{Turns: 2, Began: 1_000, Ended: 101_000, Idle: 60_000}
	if got := r.Spent(); got != "2 turns, 40 s" {
		t.Error(got)
	}
}
