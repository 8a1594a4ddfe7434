package run

import (
	"fmt"
	"strings"
	"testing"

	continuation "onward/internal/continue"
	"onward/internal/session"
)

// TestReceiptIsShort makes the longest receipt that a run could have: it fits, and says how much is left out.
func TestReceiptIsShort(t *testing.T) {
	long := strings.Repeat("\"\x1b\\", 4000)
	record := &session.Run{Task: long + "\nsecret", Agent: long, Agents: []string{long, long, long}, Gate: long}
	for range 11 {
		record.Relay = append(record.Relay, session.RunAgent{Name: long, Turns: 1})
	}
	for i := range 40 {
		record.AddGateResult(long, session.ProofResult{At: 1, Code: i - 1, Took: 1 << 40, Sum: strings.Repeat("a", 40), Tree: strings.Repeat("b", 64)})
	}
	is := session.Receipt{Ended: 2, NoTree: long, Changed: session.Changed{Count: 1000}}
	for i := range 1000 {
		is.Checks = append(is.Checks, fmt.Sprint(i, long))
		is.Changed.Files = append(is.Changed.Files, session.ChangedFile{Path: fmt.Sprint(i, long)})
	}
	r := NewReceipt(is, record, Action{Outcome: Done, Grade: Checked, Message: long})
	if size := r.Size(); size > session.MaxReceipt || r.Changed.Count != 1000 || strings.Contains(r.Task, "secret") {
		t.Errorf("%d bytes, %d files, the task %q", size, r.Changed.Count, r.Task)
	}
	if len(r.Results) != 12 || r.Results[0].Code != -1 || r.Results[11].Code != 38 || r.Older != 28 {
		t.Errorf("the first result and the last ones: %+v, and %d left out", r.Results, r.Older)
	}
	if len(is.Changed.Files) != 1000 || len(is.Checks) != 1000 {
		t.Error("what the caller has was changed")
	}

	// One of usual length has all.
	is = session.Receipt{Ended: 2, Checks: []string{"a_test.go"}}
	for i := range 40 {
		is.Changed.Files = append(is.Changed.Files, session.ChangedFile{Path: fmt.Sprint("internal/parser/", i, ".go"), Added: 1})
	}
	done := Action{Outcome: Done, Grade: Proven, Message: "done"}
	if r = NewReceipt(is, &session.Run{Task: "write it", Agent: "claude", Agents: []string{"codex"}}, done); len(r.Changed.Files) != 40 || len(r.Checks) != 1 || len(r.Agents) != 2 {
		t.Errorf("%d files, %d checks, agents %q", len(r.Changed.Files), len(r.Checks), r.Agents)
	}

	// The agent that was at work last is the last one, also if it was at work before.
	relayed := &session.Run{Agent: "claude", Agents: []string{"claude", "codex"}, Relay: []session.RunAgent{{Name: "claude", Turns: 2}, {Name: "codex", Turns: 1}, {Name: "gemini"}}}
	if r = NewReceipt(is, relayed, done); r.LastAgent() != "claude" || len(r.Agents) != 2 || len(r.Relay) != 2 {
		t.Errorf("agents %q, of which the last is %q, and %v", r.Agents, r.LastAgent(), r.Relay)
	}

	// What the run says at an end that is not done may be the agent's words.
	if r = NewReceipt(session.Receipt{}, &session.Run{}, Action{Outcome: NeedsYou, Grade: Proven, Message: "the agent asks"}); r.Grade != "" || r.Message != "" {
		t.Errorf("a run that is not done has the grade %q and the message %q", r.Grade, r.Message)
	}
}

// TestLacks changes one thing after another that a proof of the present files needs.
func TestLacks(t *testing.T) {
	gate := strings.Repeat("x", continuation.MaxGateCommand)
	proven := func() *session.Receipt {
		return NewReceipt(session.Receipt{End: session.Files{Tree: "t"}}, &session.Run{Gate: gate}, Action{Outcome: Done, Grade: Proven, Message: "words"})
	}
	for _, c := range []struct {
		name   string
		change func(*session.Receipt, *PresentFiles)
		want   string
	}{
		{"nothing", func(*session.Receipt, *PresentFiles) {}, ""},
		{"the end", func(r *session.Receipt, _ *PresentFiles) { r.Outcome = "needs_you" }, "the last run is not done: it ended as needs you"},
		{"the grade", func(r *session.Receipt, _ *PresentFiles) { r.Grade = string(Checked) }, "the last run is only checked: words"},
		{"the gate", func(_ *session.Receipt, now *PresentFiles) { now.Gate = gate[1:] }, "the gate is not the one that was proven: " + gate},
		{"no tree", func(_ *session.Receipt, now *PresentFiles) { now.Tree, now.NoTree = "", "why" }, "nothing shows which files are there: why"},
		{"a file", func(_ *session.Receipt, now *PresentFiles) {
			now.Tree, now.Changed.Files = "u", []session.ChangedFile{{Path: "a"}, {Path: "b"}}
		}, "2 files have changed since: a, b"},
		{"files that cannot be compared", func(_ *session.Receipt, now *PresentFiles) { now.Tree, now.Changed.Unknown = "u", "why" }, "the files are not the same any more"},
		{"a repository within", func(_ *session.Receipt, now *PresentFiles) { now.Tree = "t+1" }, "the files are not the same any more"},
		{"the machine", func(_ *session.Receipt, now *PresentFiles) { now.Known = false }, "the gate has not passed on these files on this machine in the last 24 hours"},
		{"a flaky gate", func(_ *session.Receipt, now *PresentFiles) { now.Flaky = true }, "the gate is flaky: it failed and passed on the same files"},
	} {
		r, now := proven(), PresentFiles{Gate: gate, Tree: "t", Known: true}
		c.change(r, &now)
		if got := WhyUnproven(nil, r, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if WhyUnproven(nil, nil, PresentFiles{}) == "" {
		t.Error("without a receipt, the files are proven")
	}
	if WhyUnproven(&session.Run{}, proven(), PresentFiles{Gate: gate, Tree: "t", Known: true}) == "" {
		t.Error("the receipt of an earlier run proves what a run works on")
	}
	if why := WhyUnproven(&session.Run{Ended: &session.RunEnd{}}, proven(), PresentFiles{Gate: gate, Tree: "t", Known: true}); why != "" {
		t.Errorf("once the run has ended, its receipt does not count: %s", why)
	}
}
