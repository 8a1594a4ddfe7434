package cmd

import (
	"time"

	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/gate"
	"onward/internal/hooks"
	"onward/internal/process"
	"onward/internal/session"
)

// hookGate runs the gate while an agent waits for its hook.
type hookGate struct {
	gate.Runner
	app  *app
	ends time.Time // until when the agent waits
}

// gate returns the runner of the gate; nil if the agent's time limit is unknown.
func (r *hookRun) gate() (ask.Gate, error) {
	if r.Limit == nil {
		return nil, nil
	}
	limit, err := find.DurationOf("--limit", r.Limit, 0)
	if err != nil {
		return nil, err
	}
	g := &hookGate{Runner: gate.Runner{List: r.List, Clock: r.app.Clock}, app: r.app, ends: time.Now().Add(limit)}
	asker := process.ParentGone()
	g.Gone = func() bool {
		return asker != nil && asker() || r.looked && r.found != nil && process.KnownEnded(r.found)
	}
	g.Left = func() time.Duration { return hooks.GateTime(time.Until(g.ends)) }
	return g, nil
}

// Prove runs the gate, and lets the guard of the hook wait for it.
func (g *hookGate) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	g.app.extend(hooks.GateLimit(time.Until(g.ends)))
	defer g.app.extend(hooks.AfterGate)
	return g.Runner.Prove(set, shared)
}
