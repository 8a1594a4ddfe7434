package run

import (
	"testing"

	"onward/internal/session"
)

func TestProof(t *testing.T) {
	red := Proof{Gated: true, Before: FailedBefore, Start: "a@1", Now: "b@1"}
	with := func(change func(*Proof)) Proof {
		p := red
		change(&p)
		return p
	}
	for _, c := range []struct {
		name  string
		proof Proof
		grade Grade
		words string
	}{
		{"no gate", Proof{Before: FailedBefore, Start: "a", Now: "b"}, Claimed, "; no gate checks it"},
		{"red, work, green", red, Proven, ", and the gate failed before the work and passes now"},
		{"green, a check, red, work, green", with(func(p *Proof) { p.Alone = true }), Proven, ", and the gate failed with the new checks before the work and passes now"},
		{"red, work, red, work, green", with(func(p *Proof) { p.Failed = true }), Proven, ", and the gate failed before the work and passes now"},
		{"green, work, green", with(func(p *Proof) { p.Before = PassedBefore }), Checked, ", and the gate passed before and passes now"},
		{"green, broken, mended", with(func(p *Proof) { p.Before, p.Failed = PassedBefore, true }), Checked, ", and the gate passed before and passes now; it failed along the way"},
		{"green, no work", with(func(p *Proof) { p.Before, p.Now, p.Unchanged = PassedBefore, "a@1", true }), Checked, ", and the gate passed before and passes now; nothing in the checkout changed"},
		{"unknown", with(func(p *Proof) { p.Before = "" }), Checked, ", and the gate passes; it is unknown whether it passed before"},
		{"crashed", with(func(p *Proof) { p.Before = CrashedBefore }), Checked, ", and the gate failed before the work with an exit code above 125, as after a crash, and passes now"},
		{"red and green before the work", with(func(p *Proof) { p.Before = FlakyBefore }), Checked, ", and the gate passes now; it is flaky: it failed and passed on the files as they were before the work"},
		{"the gate put the files back", with(func(p *Proof) { p.Began, p.Now = "b@1", "a@2" }), Checked, ", and the gate failed before the work and passes now, but it put the files back as they were before the work"},
		{"the gate put a check back", with(func(p *Proof) { p.Began, p.Now, p.Checks = "b@1", "a@2", []string{"a_test.go"} }), Checked, ", and the gate failed before the work and passes now, and the agent changed 1 check: a_test.go"},
		{"red and green after the work", with(func(p *Proof) { p.Flaky = true }), Checked, ", and the gate failed before the work and passes now; it is flaky: it failed and passed on the same files"},
		{"red, a commit of the same files, green", with(func(p *Proof) { p.Now = "a@2" }), Checked, ", and the gate failed before the work and passes now"},
		{"red, only the gate's own files, green", with(func(p *Proof) { p.Unchanged = true }), Checked, ", and the gate failed before the work and passes now; nothing in the checkout changed"},
		{"no tree at the start", with(func(p *Proof) { p.Start, p.NoTree = "", "not a git repository" }), Checked, ", and the gate failed before the work and passes now, but nothing shows which files changed: not a git repository"},
		{"no tree at the end", with(func(p *Proof) { p.Now, p.NoTree = "", "too slow" }), Checked, ", and the gate failed before the work and passes now, but nothing shows which files changed: too slow"},
		{"a check weakened", with(func(p *Proof) { p.Checks = []string{"a_test.go"} }), Checked, ", and the gate failed before the work and passes now, and the agent changed 1 check: a_test.go"},
		{"many checks weakened", with(func(p *Proof) { p.Checks = []string{"1", "2", "3", "4", "5"} }), Checked, ", and the gate failed before the work and passes now, and the agent changed 5 checks: 1, 2, 3 and 2 others"},
		{"a check edited by the user", with(func(p *Proof) { p.Edited = []string{"a_test.go"} }), Checked, ", and the gate failed before the work and passes now, and 1 check is not as then: a_test.go"},
		{"one edited, one weakened", with(func(p *Proof) { p.Checks, p.Edited = []string{"b_test.go"}, []string{"a_test.go"} }), Checked, ", and the gate failed before the work and passes now, and the agent changed 1 check: b_test.go"},
		{"checks not compared", with(func(p *Proof) { p.Unchecked = "too slow" }), Checked, ", and the gate failed before the work and passes now, but nothing shows which checks changed: too slow"},
	} {
		if got := c.proof.Grade(); got != c.grade {
			t.Errorf("%s: %s, not %s", c.name, got, c.grade)
		}
		if got := c.proof.Words(); got != c.words {
			t.Errorf("%s:\n%q, not\n%q", c.name, got, c.words)
		}
	}
}

func TestBefore(t *testing.T) {
	flaky := session.GateResult{Code: 1}.WithFiles(session.GateFiles{Flaky: true})
	for want, results := range map[string][]*session.GateResult{
		"":            {nil, {Problem: "no result in time"}, {Problem: "it could not be started", Code: 127}},
		PassedBefore:  {{}},
		FailedBefore:  {{Code: 1}, {Code: 125}},
		CrashedBefore: {{Code: 126}, {Code: 139}},
		FlakyBefore:   {flaky},
	} {
		for _, is := range results {
			if got := BaselineText(is); got != want {
				t.Errorf("%+v: %q, not %q", is, got, want)
			}
		}
	}
}
