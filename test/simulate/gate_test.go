package simulate

import (
	"errors"
	"slices"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/todo"
)

// gateLimit is the gate's time limit in the settings.
const gateLimit = 10 * time.Minute

// The behaviours of a gate.
const (
	honest = iota // it passes when the agent has really done enough
	flickers
	hangs
	missing
)

// gate runs the gate for a question, as package cmd does: one at a time for a list.
type gate struct {
	*command
	limit time.Duration // the agent's time limit of its hook; 0 if it has none
	took  time.Duration // the time spent waiting for the gate
	turn  store.Held
}

// left returns how long the gate may still run.
func (g *gate) left(set continuation.Settings) time.Duration {
	if g.limit == 0 {
		return set.GateTimeout
	}
	return min(set.GateTimeout, g.limit-10*time.Second-(g.at-g.began))
}

// Prove runs the gate, or returns the result of another question that is running it.
func (g *gate) Prove(set continuation.Settings, shared func() *session.GateResult) (result *session.GateResult, err error) {
	if set.GateElsewhere != "" {
		return nil, nil
	}
	key, began := g.place.FolderGateKey(), g.at
	defer func() { g.took += g.at - began }()
	if g.turn, err = g.store.Hold(key, true); errors.Is(err, store.ErrBusy) {
		if g.turn, err = g.store.within(g.left(set)).Hold(key, false); errors.Is(err, store.ErrBusy) {
			return nil, nil
		}
		if err == nil {
			if result := shared(); result != nil {
				return result, nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	limit := g.left(set)
	if limit < time.Second {
		return nil, nil
	}
	f := g.in(set.GateDir)
	is := session.GateFiles{}
	is.Before, is.NoTree = g.state(set.GateDir)
	r := g.of(g.name.String())
	if last, flaky := f.results.LastOn(set.Gate, session.TreeOf(is.Before), g.clock()); last != nil && last.Code == 0 && !flaky {
		g.reuses(set, f)
		is.After, is.Known = is.Before, last.At
		r.proofs = append(r.proofs, proof{set.Gate, set.GateDir, g.at, []string{todo.Digest(items(g.load(g.name.String())))}, true, false, f.work, [2]int{f.checks, f.weaker}})
		return session.GateResult{Command: set.Gate}.WithFiles(is), nil
	}
	result = &session.GateResult{Command: set.Gate}
	lists := []string{todo.Digest(items(g.load(g.name.String())))}
	took := time.Duration(g.upTo(60)) * time.Second
	way := g.style.gate
	if way == hangs && g.choice(2, 1) == 1 {
		took = limit + 1
	}
	if g.proving[set.GateDir] {
		g.breaks(6, "two gates run in %s", set.GateDir)
	}
	g.proving[set.GateDir] = true
	defer delete(g.proving, set.GateDir)
	if !g.calm {
		g.sleep(min(took, limit))
	}
	really := 0
	for _, a := range g.agents {
		if a.place.Dir == set.GateDir {
			really += a.really
		}
	}
	switch {
	case way == missing:
		result.Problem = "it could not be started"
	case took > limit:
		result.Problem = "no result in time"
	case way == flickers && g.choice(1, 1) == 1, really < max(g.style.need, f.asked):
		result.Code, result.Output = 1, "FAIL"
	}
	if g.style.writes {
		f.written++
	}
	if is.After, is.NoTree = g.state(set.GateDir); is.After != "" && result.Problem == "" {
		f.results.Add(session.Result{Command: set.Gate, Tree: session.TreeOf(is.After), Code: result.Code, At: g.clock()})
		_, is.Flaky = f.results.LastOn(set.Gate, session.TreeOf(is.After), g.clock())
	}
	run := proof{set.Gate, set.GateDir, g.at, append(lists, todo.Digest(items(g.load(g.name.String())))), result.Passed(), result.Failed(), f.work, [2]int{f.checks, f.weaker}}
	r.proofs, f.ran = append(r.proofs, run), append(f.ran, run)
	if result.Passed() {
		g.say("gate", "passes")
	} else {
		g.say("gate", "fails (%d of %d items really done)%s", really, g.style.need, result.Problem)
	}
	return result.WithFiles(is), nil
}

// reuses checks that a gate need not run again: the last time that it had a result, that was on these files, it passed, and it is at most
// a day ago. One that had none, such as on a machine whose clock lies before the result, says nothing about the files.
func (g *gate) reuses(set continuation.Settings, f *files) {
	g.count("gate", "is not run again")
	for _, p := range slices.Backward(f.ran) {
		if p.gate != set.Gate || !p.passed && !p.failed {
			continue
		}
		if !p.passed || p.work != f.work || p.checks != [2]int{f.checks, f.weaker} || g.at-p.ended > 24*time.Hour && !g.jumped {
			g.breaks(15, "a gate is not run again, though its files have changed since it ran, or it did not pass then")
		}
		return
	}
	g.breaks(15, "a gate is not run again, though it never ran here")
}

// Release allows the next question to run the gate.
func (g *gate) Release() {
	if g.turn != nil {
		g.turn.Release()
		g.turn = nil
	}
}
