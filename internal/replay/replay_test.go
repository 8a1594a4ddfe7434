package replay

import (
	"errors"
	"strings"
	"testing"
	"time"

	"onward/internal/session"
)

// outcome is how a command ends in the worktree with the change and in the one without it.
type outcome struct{ with, without session.GateResult }

func TestRun(t *testing.T) {
	code := func(n int) session.GateResult { return session.GateResult{Code: n} }
	late := session.GateResult{Problem: "it ran longer than 1 s"}
	for _, test := range []struct {
		name   string
		checks int
		gate   outcome
		setup  *outcome
		lacks  string // the worktree that does not have the folder
		want   string // the line
		ran    string // the worktrees in which the gate ran
	}{
		{name: "red and green", checks: 1, gate: outcome{code(0), code(1)}, want: "the gate fails with exit code 1 on bbbbbbbbbb with 1 changed check, and passes on aaaaaaaaaa", ran: "with without"},
		{name: "the highest code", checks: 2, gate: outcome{code(0), code(125)}, want: "the gate fails with exit code 125 on bbbbbbbbbb with 2 changed checks, and passes on aaaaaaaaaa", ran: "with without"},
		{name: "no check", gate: outcome{code(0), code(1)}, want: "the proof does not hold: no check file differs between bbbbbbbbbb and aaaaaaaaaa"},
		{name: "red now", checks: 1, gate: outcome{code(2), code(1)}, want: "the proof does not hold: the gate fails with exit code 2 on aaaaaaaaaa", ran: "with"},
		{name: "late now", checks: 1, gate: outcome{late, code(1)}, want: "the proof does not hold: the gate has no result (it ran longer than 1 s) on aaaaaaaaaa", ran: "with"},
		{name: "green before", checks: 1, gate: outcome{}, want: "the proof does not hold: the gate passes on bbbbbbbbbb with 1 changed check: a_test.go", ran: "with without"},
		{name: "a signal before", checks: 1, gate: outcome{code(0), code(126)}, want: "the proof does not hold: the gate ends with exit code 126, by a signal or without having started, on bbbbbbbbbb with 1 changed check: a_test.go", ran: "with without"},
		{name: "late before", checks: 1, gate: outcome{code(0), late}, want: "the proof does not hold: the gate has no result (it ran longer than 1 s) on bbbbbbbbbb with 1 changed check: a_test.go", ran: "with without"},
		{name: "no folder before", checks: 1, gate: outcome{code(0), code(1)}, lacks: "without", want: "the proof does not hold: the folder is not in bbbbbbbbbb with 1 changed check", ran: "with"},
		{name: "no folder now", checks: 1, lacks: "with", want: "the proof does not hold: the folder is not in aaaaaaaaaa"},
		{name: "set-up", checks: 1, gate: outcome{code(0), code(1)}, setup: &outcome{}, want: "the gate fails with exit code 1 on bbbbbbbbbb with 1 changed check, and passes on aaaaaaaaaa", ran: "with without"},
		{name: "set-up fails now", checks: 1, gate: outcome{code(0), code(1)}, setup: &outcome{with: code(3)}, want: "the set-up fails with exit code 3 on aaaaaaaaaa"},
		{name: "set-up fails before", checks: 1, gate: outcome{code(0), code(1)}, setup: &outcome{without: late}, want: "the set-up has no result (it ran longer than 1 s) on bbbbbbbbbb with 1 changed check", ran: "with"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := Question{Gate: "gate", Now: strings.Repeat("a", 40), Base: strings.Repeat("b", 40), Checks: []string{"a_test.go", "b_test.go"}[:test.checks]}
			if test.setup != nil {
				q.Setup = "setup"
			}
			var ran, put []string
			answer, err := q.Run(Ports{
				Make: func(name, commit string, checks bool) (string, error) {
					if name == "with" && (commit != q.Now || checks) || name == "without" && (commit != q.Base || !checks) {
						t.Errorf("%s has commit %s, with check files: %v", name, commit, checks)
					}
					if name == test.lacks {
						return "", nil
					}
					return name, nil
				},
				Put: func(name string) error {
					put = append(put, name)
					return nil
				},
				Tell: func(string) {},
				Run: func(command, dir string) (*session.GateResult, time.Duration, error) {
					of := &test.gate
					if command == "setup" {
						of = test.setup
					} else {
						ran = append(ran, dir)
					}
					is := of.with
					if dir == "without" {
						is = of.without
					}
					return &is, time.Second, nil
				},
			})
			got := ""
			if setup := (*SetupError)(nil); errors.As(err, &setup) {
				got = err.Error()
			} else if err != nil {
				t.Fatal(err)
			} else {
				got = answer.Text()
				if answer.Holds() == strings.Contains(got, "does not hold") {
					t.Errorf("%q, and the proof holds: %v", got, answer.Holds())
				}
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if got := strings.Join(ran, " "); got != test.ran {
				t.Errorf("the gate ran in %q, want %q", got, test.ran)
			}
			if got := strings.Join(put, " "); test.setup != nil && got != test.ran || test.setup == nil && got != "" {
				t.Errorf("the check files were put again into %q", got)
			}
		})
	}
}
