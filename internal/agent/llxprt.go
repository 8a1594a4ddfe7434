package agent

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// LLxprt Code writes Gemini CLI's stream, and nothing in its first lines tells them apart.
// Its todo tools do: a session that calls one of them is LLxprt Code's from there on.

func openLLxprt(r *Reader, a *adapter) parser { return &gemini{r: r, a: a} }

// llxprt notes a call of a todo tool. A call that only looks changes nothing.
func (g *gemini) llxprt(l *geminiLine) {
	for i := range g.r.adapters {
		if a := &g.r.adapters[i]; a.format == LLxprt {
			g.s.a, g.s.sum.Kind, g.s.sum.Format = a, a.kind, a.format
		}
	}
	if l.ToolName != "todo_read" {
		g.wait(string(l.ToolName), l)
	}
}

// pause applies todo_pause, by which the model pauses itself.
func (g *gemini) pause(args jsontext.Value, at todo.Time) {
	type pause struct {
		Reason word `json:"reason"`
	}
	in, _ := objectAs[pause](args)
	var line lastLine
	line.add(pauseMark + strings.ReplaceAll(string(in.Reason), "\n", " "))
	reason, _ := line.pause()
	g.s.emit(Update{Event: continuation.Event{Type: continuation.Pause, Reason: reason}, At: at})
}
