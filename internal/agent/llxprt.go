package agent

import (
	"bytes"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// LLxprt Code writes Gemini CLI's stream, and nothing in its first lines tells them apart.
// Its todo tools do: a session that calls one of them is LLxprt Code's from there on.

// llxprt makes the session LLxprt Code's.
func (g *gemini) llxprt() {
	for i := range g.r.adapters {
		if a := &g.r.adapters[i]; a.format == LLxprt {
			g.s.a, g.s.sum.Kind, g.s.sum.Format = a, a.kind, a.format
		}
	}
}

// pause applies todo_pause, by which the model pauses itself.
func (g *gemini) pause(args value, at todo.Time) {
	var line lastLine
	line.add([]byte(pauseMark))
	line.add(bytes.ReplaceAll(args.member("reason").text(), []byte("\n"), []byte(" ")))
	reason, _ := line.pause()
	g.s.emit(Update{Event: continuation.Event{Type: continuation.Pause, Reason: reason}, At: at})
}
