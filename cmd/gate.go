package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"onward/internal/agents"
	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/find"
	"onward/internal/process"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/supervise"
	"onward/internal/todo"
)

// gate runs the gate of a list for a decision.
type gate struct {
	find.List
	note  func(text string) // tells the user that this command waits for the gate; nil if no user reads it
	begun func(text string) // tells the user that the gate runs; nil if no user reads it
	turns []store.Held

	folder    store.Held // the lock of the folder
	folderKey store.Key

	clock func() (todo.Time, error)
	own   []string // files of onward's own that may be in the checkout, besides the store; each may be empty
	anew  bool     // the gate runs also where it has passed on the same files

	gone func() bool // reports whether the agent that asks has ended; nil if that is not known

	// In a hook, the remaining time for a gate; nil means as long as the settings allow.
	// It is called once the gate may begin.
	left func() time.Duration
}

// gate returns the runner of a list's gate, for a command.
func (a *app) gate(t find.List) *gate {
	g := &gate{List: t, note: a.printNote, clock: a.Clock}
	if isTerminal(a.err) {
		g.begun = a.printNote
	}
	return g
}

// leastGate is the least time for which a gate is started.
const leastGate = time.Second

// Prove runs the gate; if another command runs it already, it waits and shares the result.
// It waits only for locks of gates, so the list can be read and changed meanwhile.
func (g *gate) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	if set.GateFrom == continuation.FromItem {
		if err := g.placeItem(&set); err != nil {
			return nil, err
		}
	}
	if supervise.InGate() || set.GateElsewhere != "" {
		return nil, nil
	}
	proof := &session.GateResult{Command: set.Gate}
	untrusted, err := g.untrusted(set)
	if proof.Problem = untrusted; untrusted != "" || err != nil {
		return proof, err
	}
	if proof.Problem = supervise.FolderProblem(set.GateDir); proof.Problem != "" {
		return proof, nil
	}
	signals := process.Interrupts()
	defer signal.Stop(signals)
	g.Release() // what an earlier run of this question holds, which it would wait for otherwise
	waited, err := g.hold(set, signals)
	switch {
	case errors.Is(err, supervise.ErrInterrupted):
		return nil, cli.ExitCode(cli.ExitInterrupted)
	case errors.Is(err, store.ErrBusy):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("lock the gate: %w", err)
	}
	if waited {
		if proof := shared(); proof != nil {
			return proof, nil
		}
	}
	if g.tooLate(set) {
		return nil, nil
	}
	files, err := g.before(set)
	if err != nil {
		return nil, err
	}
	if !g.anew {
		now, err := g.clock()
		if err != nil {
			return nil, err
		}
		if known := files.known(set, now); known != nil {
			return known, nil
		}
	}
	if g.tooLate(set) {
		return nil, nil
	}
	if g.begun != nil {
		g.begun("running the gate: " + set.Gate)
	}
	if g.gone == nil {
		g.gone = agentGone()
	}
	began := time.Now()
	res, err := supervise.Gate{Command: set.Gate, Dir: set.GateDir, Timeout: g.time(set.GateTimeout), Began: g.record, Gone: g.gone}.Run(signals)
	g.forget()
	if errors.Is(err, supervise.ErrInterrupted) {
		return nil, cli.ExitCode(cli.ExitInterrupted)
	}
	if proof.Problem, proof.Output = res.Problem, res.Output; res.Problem == "" {
		proof.Code = res.Code
	}
	if err == nil {
		err = g.ran(files, set, proof, time.Since(began))
	}
	return proof.On(files.GateFiles), err
}

// tooLate reports whether the remaining time is too short for the gate.
func (g *gate) tooLate(set continuation.Settings) bool {
	limit := g.time(set.GateTimeout)
	return limit < leastGate && limit < set.GateTimeout
}

// agentGone returns a function that reports whether the agent in whose shell this command runs has ended; nil if it does
// not run in the shell of an agent.
func agentGone() func() bool {
	name := agents.Running(os.LookupEnv)
	if name == "" {
		return nil
	}
	agent := process.Agent(name, agents.Outlives(name), nil)
	if agent == nil {
		return nil
	}
	return func() bool { return process.Gone(agent) }
}

// time returns how long the gate may take.
func (g *gate) time(limit time.Duration) time.Duration {
	if g.left == nil {
		return limit
	}
	return min(limit, g.left())
}

// placeItem decides where the gate of an item runs: in the checkout of this command, if it is one of the list's project.
// Each worker of a list may have a checkout of its own.
func (g *gate) placeItem(set *continuation.Settings) error {
	doc, err := g.Store.Load(g.Name)
	if err != nil {
		return err
	}
	return g.PlaceGate(set, doc)
}

// hold waits until no other gate runs in the folder, and on a store that machines share, none for this list, or for this
// item if it is an item's.
// It reports whether it had to wait. The error is store.ErrBusy if the time for that is over, and supervise.ErrInterrupted
// if a signal came meanwhile.
func (g *gate) hold(set continuation.Settings, signals <-chan os.Signal) (waited bool, err error) {
	checkout, err := find.Project(set.GateDir)
	if err != nil {
		return false, err
	}
	if g.Storage.Shared() {
		key := session.GateKey(g.Name)
		if set.GateItem != "" {
			key = session.ItemGateKey(g.Name, set.GateItem)
		}
		waited, err = g.holdOne(g.Storage.Backend, key, set, signals)
	}
	if err == nil {
		var again bool
		again, err = g.holdOne(g.Storage.Local, checkout.FolderKey(), set, signals)
		waited = waited || again
	}
	if err == nil {
		g.folder, g.folderKey = g.turns[len(g.turns)-1], checkout.FolderKey()
		endLostGate(g.folder, g.folderKey)
	}
	return waited, err
}

// endLostGate ends the processes that an earlier gate left in a folder whose lock is held now: there is a record of them
// only if the process that ran the gate was killed.
func endLostGate(folder store.Held, key store.Key) {
	v, err := folder.Get(key)
	if err != nil || v.Data == nil {
		return
	}
	var run supervise.GateRun
	if key.Kind.Read(v.Data, &run) == nil {
		run.End()
	}
	forgetGate(folder, key)
}

// record saves which processes are the gate's, so that they can be ended if this process is killed.
func (g *gate) record(run supervise.GateRun) {
	_ = g.folder.Update(g.folderKey, func(store.Value, error) (store.Write, error) {
		return store.Write{Data: g.folderKey.Kind.Write(&run), Now: time.Now()}, nil
	})
}

func (g *gate) forget() { forgetGate(g.folder, g.folderKey) }

func forgetGate(folder store.Held, key store.Key) {
	_ = folder.Update(key, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
}

// endLostGate ends the processes that a gate left in the folder of this command, if the process that ran the gate was
// killed. A gate that still runs is left alone.
func endGateOf(t find.List, set continuation.Settings) {
	if set.GateDir == "" {
		return
	}
	checkout, err := find.Project(set.GateDir)
	if err != nil {
		return
	}
	key := checkout.FolderKey()
	if v, err := t.Storage.Local.Get(key); err != nil || v.Data == nil {
		return
	}
	if held, err := t.Storage.Local.Hold(key, true); err == nil {
		defer held.Release()
		endLostGate(held, key)
	}
}

func (g *gate) holdOne(b store.Backend, key store.Key, set continuation.Settings, signals <-chan os.Signal) (waited bool, err error) {
	turn, err := b.Hold(key, true)
	if waited = errors.Is(err, store.ErrBusy); waited {
		if g.note != nil {
			g.note("a gate runs already; waiting for its result")
		}
		ctx, cancel := context.WithTimeout(context.Background(), g.time(set.GateTimeout))
		defer cancel()
		interrupted := make(chan bool, 1)
		go func() {
			select {
			case <-signals:
				interrupted <- true
				cancel()
			case <-ctx.Done():
				interrupted <- false
			}
		}()
		turn, err = b.With(ctx).Hold(key, false)
		cancel()
		if <-interrupted {
			if err == nil {
				turn.Release()
			}
			return waited, supervise.ErrInterrupted
		}
	}
	if err == nil {
		g.turns = append(g.turns, turn)
	}
	return waited, err
}

// Release releases the locks, so that the next command can run the gate.
func (g *gate) Release() {
	for _, turn := range g.turns {
		turn.Release()
	}
	g.turns = nil
}

// untrusted returns an error if the user does not trust the gate here. In a store that others write to, anybody could
// have written the command.
func (g *gate) untrusted(set continuation.Settings) (string, error) {
	where, flag, scope := "the session document", " --session "+g.Name.Session, "on this machine"
	switch set.GateFrom {
	case continuation.FromSession:
	case continuation.FromProject:
		where, flag = "the project's settings", ""
	case continuation.FromItem:
		where, scope = "the list", "in this repository"
	default:
		return "", nil
	}
	trusted, err := g.TrustsGate(&set)
	if trusted || err != nil {
		return "", err
	}
	return "it is in " + where + ", and is not trusted " + scope + "; read it, then run `onward tools trust --gate" + flag + "`", nil
}
