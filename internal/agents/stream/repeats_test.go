package stream

import (
	"testing"
	"time"
)

// TestRepeats makes calls one after another. A loop is twenty of them in a row with the same arguments and the same result, each
// short, within ten minutes, and none of them a wait.
func TestRepeats(t *testing.T) {
	type made struct {
		call, result string
		took, pause  time.Duration // of the call, and between it and the one before
		waits        bool
	}
	cat := made{call: "cat README.md", result: "# Readme", took: time.Second, pause: time.Second}
	times := func(n int, c made) (out []made) {
		for range n {
			out = append(out, c)
		}
		return out
	}
	with := func(c made, change func(*made)) made { change(&c); return c }
	write := made{call: "Edit a.go", result: "ok"}
	for name, c := range map[string]struct {
		calls []made
		want  int
	}{
		"twenty":                            {times(20, cat), 20},
		"more":                              {times(30, cat), 30},
		"nineteen":                          {times(19, cat), 0},
		"another one before":                {append([]made{write}, times(20, cat)...), 20},
		"another one within":                {append(append(times(19, cat), write), times(19, cat)...), 0},
		"another result once":               {append(append(times(19, cat), with(cat, func(c *made) { c.result = "x" })), times(19, cat)...), 0},
		"other arguments each time":         {append(times(19, cat), with(cat, func(c *made) { c.call = "cat LICENSE" })), 0},
		"six seconds each":                  {times(40, with(cat, func(c *made) { c.took = 6 * time.Second })), 0},
		"one of six seconds":                {append(append(times(19, cat), with(cat, func(c *made) { c.took = 6 * time.Second })), times(19, cat)...), 0},
		"slowly, within ten minutes":        {times(20, with(cat, func(c *made) { c.pause = 29 * time.Second })), 20},
		"more slowly than in ten minutes":   {times(40, with(cat, func(c *made) { c.pause = 31 * time.Second })), 0},
		"a wait":                            {times(40, with(cat, func(c *made) { c.call, c.waits = "sleep 1; cat log", true })), 0},
		"slow at first, and then in a loop": {append(times(5, with(cat, func(c *made) { c.took = 6 * time.Second })), times(20, cat)...), 20},
	} {
		var r RepeatDetector
		now := time.Unix(0, 0)
		for i, m := range c.calls {
			now = now.Add(m.pause)
			id := string(rune('a' + i%3)) // ids may come again
			r.call(repeatable{id: id, digest: digest([]byte(m.call)), waits: m.waits, text: m.call, began: now})
			now = now.Add(m.took)
			r.addAnswer(id, digest([]byte(m.result)), 0, now)
		}
		got := 0
		if l := r.loop(); l != nil {
			got = l.Count
			if l.Call != "cat README.md" {
				t.Errorf("%s: the loop is of %s", name, l.Call)
			}
		}
		if got != c.want {
			t.Errorf("%s: a loop of %d calls, want %d", name, got, c.want)
		}
	}
}

// TestRepeatsAtOnce lets calls run side by side, and results come late, or for no call.
func TestRepeatsAtOnce(t *testing.T) {
	var r RepeatDetector
	now := time.Unix(0, 0)
	call := func(id, text string) {
		r.call(repeatable{id: id, digest: digest([]byte(text)), text: text, began: now})
	}
	for i := range 20 {
		call(string(rune('a'+i)), "ls")
	}
	r.addAnswer("?", digest(nil), 0, now)
	if r.loop() != nil {
		t.Error("calls without a result are a loop")
	}
	for i := range 20 {
		r.addAnswer(string(rune('a'+i)), digest(nil), 0, now)
	}
	if r.loop() == nil {
		t.Error("twenty calls side by side are no loop")
	}
	r.restart()
	call("z", "ls")
	r.addAnswer("z", digest(nil), 0, now)
	if r.loop() != nil {
		t.Error("one call after a restart is a loop")
	}
	// The stream itself tells that a call took long.
	for range 20 {
		call("y", "make")
		r.addAnswer("y", digest(nil), 6*time.Second, now)
	}
	if r.loop() != nil {
		t.Error("long calls are a loop")
	}
}
