package schedule

import (
	"strings"
	"testing"
)

// order runs a schedule with jobs calls at a time; the oldest always ends next. It returns
// which calls ran together.
func order(t testing.TB, d *Document, jobs int) string {
	t.Helper()
	parallel := func(name string) bool { return name == "view" }
	var waves []string
	for plan := NewPlan(d, parallel); plan != nil; plan = NewPlan(d, parallel) {
		var running []string
		for {
			next := plan.Next(d, len(running), jobs-len(running))
			step := d.Step(noon)
			for _, c := range next {
				step.Start(c, Process{})
				running = append(running, c.ID)
			}
			if len(running) == 0 {
				break
			}
			waves = append(waves, strings.Join(running, "+"))
			step.End([]Ending{{ID: running[0], Status: Success}})
			mustMake(t, step)
			running = running[1:]
		}
	}
	return strings.Join(waves, " ")
}

func TestCallOrder(t *testing.T) {
	for text, want := range map[string]string{
		"a:view b:view c:view":                       "a+b b+c c",
		"a:free b:free":                              "a b",
		"a:view b:free c:view d:view":                "a b c+d d",
		"a:view b:view,priority=2 c:view,priority=1": "b+c c+a a",
		"a:view,after=b b:view":                      "b a",
		"a:view b:view,after=a c:view":               "a+c c+b b",
		"a:view b:view,wait c:view d:view,batch=x":   "a+d d+b b+c c",
		"a:view b:view,wait c:view":                  "a b+c c",
		"a:view b:view c:view,wait d:view,wait":      "a+b b c d",
		"a:free,priority=1 b:view,priority=2 c:view": "b a c",
	} {
		d := &Document{}
		submitted(t, d, text)
		if got := order(t, d, 2); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestBatchWaitsForAllApprovals(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:edit")
	submitted(t, d, "x:view")
	if got := order(t, d, 2); got != "x" {
		t.Errorf("ran %s", got)
	}
	if _, _, err := Approve(d, []string{"b"}, judge(t), false, false, noon); err != nil {
		t.Fatal(err)
	}
	if got := order(t, d, 2); got != "a b" {
		t.Errorf("ran %s", got)
	}
}

// TestConcurrentRequestsWait submits a call of a higher priority while a round runs. It must wait for the next round.
func TestConcurrentRequestsWait(t *testing.T) {
	d := &Document{}
	submitted(t, d, "a:view b:view")
	plan := NewPlan(d, func(string) bool { return true })
	submitted(t, d, "x:view,priority=9")
	if next := plan.Next(d, 0, 9); len(next) != 2 || next[0].ID != "a" || next[1].ID != "b" {
		t.Errorf("got %d", len(next))
	}
}
