// Package gate runs the gate of a list or of an item when a decision needs it: one gate at a time in a folder, and not again if
// it has passed on the same files. It reads the state of the checkout before and after, and tells its caller what the user may want to
// know. Other packages decide whether the agent may stop.
package gate

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

// Runner runs the gate of a list for a decision.
type Runner struct {
	find.List
	Note  func(text string) // tells the user that this command waits for the gate; nil if no user reads it
	Began func(text string) // tells the user that the gate runs; nil if no user reads it

	Clock func() (todo.Time, error)
	Own   []string // files of onward's own that may be in the checkout, besides the store; each may be empty
	Anew  bool     // the gate runs also if it has passed on the same files

	// ByAgent reports whether an agent's shell runs the gate, where the agent chooses the variables, the PATH and the folder: whoever else
	// asks runs it again. It is asked only once the gate has run; nil is no.
	ByAgent func() bool

	Gone func() bool // reports whether the agent that asks has ended; nil if that is not known

	// In a hook, the remaining time for a gate; nil means as long as the settings allow.
	// It is called once the gate may begin.
	Left func() time.Duration

	locks     []store.Held
	folder    store.Held // the lock of the folder
	folderKey store.Key
}

// minTime is the least time for which a gate is started.
const minTime = time.Second

// Prove runs the gate; if another command runs it already, it waits and shares the result.
// It waits only for locks of gates, so the list can be read and changed at the same time.
func (g *Runner) Prove(set continuation.Settings, shared func() *session.GateResult) (*session.GateResult, error) {
	if set.GateFrom == continuation.FromItem {
		if err := g.placeItem(&set); err != nil {
			return nil, err
		}
	}
	if supervise.InGate() || set.GateElsewhere != "" {
		return nil, nil
	}
	proof := &session.GateResult{Command: set.Gate}
	untrusted, err := g.CheckTrusted(set)
	if proof.Problem = untrusted; untrusted != "" || err != nil {
		return proof, err
	}
	if proof.Problem = supervise.FolderProblem(set.GateDir); proof.Problem != "" {
		return proof, nil
	}
	signals := process.Interrupts()
	defer signal.Stop(signals)
	g.Release() // what an earlier run of this question holds, which it would wait for otherwise
	waited, err := g.holdLocks(set, signals)
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
	if !g.Anew {
		now, err := g.Clock()
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
	if g.Began != nil {
		g.Began("running the gate: " + set.Gate)
	}
	if g.Gone == nil {
		g.Gone = AgentGone()
	}
	began := time.Now()
	res, err := supervise.Gate{Command: set.Gate, Dir: set.GateDir, Timeout: g.time(set.GateTimeout), Began: g.record, Gone: g.Gone}.Run(signals)
	g.forget()
	if errors.Is(err, supervise.ErrInterrupted) {
		return nil, cli.ExitCode(cli.ExitInterrupted)
	}
	if proof.Problem, proof.Output = res.Problem, res.Output; res.Problem == "" {
		proof.Code = res.Code
	}
	files.ByAgent = g.ByAgent != nil && g.ByAgent()
	if err == nil {
		err = g.recordResult(files, set, proof, time.Since(began))
	}
	return proof.WithFiles(files.GateFiles), err
}

// ProveNow runs the gate, and returns a result also if it could not run, with the problem. Nothing of it is saved.
func (g *Runner) ProveNow(set continuation.Settings) (*session.GateResult, error) {
	defer g.Release()
	ran, err := g.Prove(set, func() *session.GateResult { return nil })
	if err != nil {
		return nil, err
	}
	if ran == nil {
		ran = &session.GateResult{Command: set.Gate, Problem: "it has not run: another one runs already"}
		if supervise.InGate() {
			ran.Problem = inGate
		} else if set.GateElsewhere != "" {
			ran.Problem = "it runs only in " + set.GateElsewhere
		}
	}
	ran.At, ran.Output = g.Now, continuation.PlainTail(ran.Output)
	return ran, nil
}

// tooLate reports whether the remaining time is too short for the gate.
func (g *Runner) tooLate(set continuation.Settings) bool {
	limit := g.time(set.GateTimeout)
	return limit < minTime && limit < set.GateTimeout
}

// AgentGone returns a function that reports whether the agent in whose shell this command runs has ended; nil if it does
// not run in the shell of an agent.
func AgentGone() func() bool {
	name := agents.RunningAgent(os.LookupEnv)
	if name == "" {
		return nil
	}
	agent := process.FindAgent(name, agents.OutlivesConversations(name), nil)
	if agent == nil {
		return nil
	}
	return func() bool { return process.KnownEnded(agent) }
}

// time returns how long the gate may take.
func (g *Runner) time(limit time.Duration) time.Duration {
	if g.Left == nil {
		return limit
	}
	return min(limit, g.Left())
}

// placeItem decides where the gate of an item runs: in the checkout of this command, if it is one of the list's project.
// Each worker of a list may have a checkout of its own.
func (g *Runner) placeItem(set *continuation.Settings) error {
	doc, err := g.Store.Load(g.Name)
	if err != nil {
		return err
	}
	return g.SetGateFolder(set, doc)
}

// holdLocks waits until no other gate runs in the folder, and on a store that machines share, none for this list, or for this
// item if it is an item's.
// It reports whether it had to wait. The error is store.ErrBusy if the time for that is over, and supervise.ErrInterrupted
// if a signal came in the meantime.
func (g *Runner) holdLocks(set continuation.Settings, signals <-chan os.Signal) (waited bool, err error) {
	checkout, err := find.Project(set.GateDir)
	if err != nil {
		return false, err
	}
	if g.Storage.Shared() {
		key := session.GateKey(g.Name)
		if set.GateItem != "" {
			key = session.ItemGateKey(g.Name, set.GateItem)
		}
		waited, err = g.acquireLock(g.Storage.Backend, key, set, signals)
	}
	if err == nil {
		var again bool
		again, err = g.acquireLock(g.Storage.Local, checkout.FolderGateKey(), set, signals)
		waited = waited || again
	}
	if err == nil {
		g.folder, g.folderKey = g.locks[len(g.locks)-1], checkout.FolderGateKey()
		endLostIn(g.folder, g.folderKey)
	}
	return waited, err
}

// endLostIn ends the processes that an earlier gate left in a folder whose lock is held now: there is a record of them
// only if the process that ran the gate was killed.
func endLostIn(folder store.Held, key store.Key) {
	v, err := folder.Get(key)
	if err != nil || v.Data == nil {
		return
	}
	var run supervise.GateRun
	if key.Kind.Read(v.Data, &run) == nil {
		run.End()
	}
	forgetIn(folder, key)
}

// record saves which processes are the gate's, so that they can be ended if this process is killed.
func (g *Runner) record(run supervise.GateRun) {
	_ = g.folder.Update(g.folderKey, func(store.Value, error) (store.Write, error) {
		return store.Write{Data: g.folderKey.Kind.Write(&run), Now: time.Now()}, nil
	})
}

func (g *Runner) forget() { forgetIn(g.folder, g.folderKey) }

func forgetIn(folder store.Held, key store.Key) {
	_ = folder.Update(key, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
}

// EndAbandonedGate ends the processes that a gate left in the folder of this command, if the process that ran the gate was
// killed. A gate that still runs is left alone.
func EndAbandonedGate(t find.List, set continuation.Settings) {
	if set.GateDir == "" {
		return
	}
	checkout, err := find.Project(set.GateDir)
	if err != nil {
		return
	}
	key := checkout.FolderGateKey()
	if v, err := t.Storage.Local.Get(key); err != nil || v.Data == nil {
		return
	}
	if held, err := t.Storage.Local.Hold(key, true); err == nil {
		defer held.Release()
		endLostIn(held, key)
	}
}

func (g *Runner) acquireLock(b store.Backend, key store.Key, set continuation.Settings, signals <-chan os.Signal) (waited bool, err error) {
	lock, err := b.Hold(key, true)
	if waited = errors.Is(err, store.ErrBusy); waited {
		if g.Note != nil {
			g.Note("a gate runs already; waiting for its result")
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
		lock, err = b.With(ctx).Hold(key, false)
		cancel()
		if <-interrupted {
			if err == nil {
				lock.Release()
			}
			return waited, supervise.ErrInterrupted
		}
	}
	if err == nil {
		g.locks = append(g.locks, lock)
	}
	return waited, err
}

// Release releases the locks, so that the next command can run the gate.
func (g *Runner) Release() {
	for _, lock := range g.locks {
		lock.Release()
	}
	g.locks = nil
}

// CheckTrusted returns an error if the user does not trust the gate here. In a store that others write to, anybody could
// have written the command.
func (g *Runner) CheckTrusted(set continuation.Settings) (string, error) {
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
