package cmd

import (
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"time"

	"onward/internal/cli"
	continuation "onward/internal/continue"
	"onward/internal/durable"
	"onward/internal/execute"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/store"
	"onward/internal/tool"
)

// gate runs the gate of a list for a question.
type gate struct {
	files storage
	name  session.Name
	dir   string            // within whose project the gate is run; empty is the working folder
	note  func(text string) // tells the user that the gate is waited for; nil if no user reads it
	begun func(text string) // tells the user that it runs; nil unless a user looks
	turn  store.Held

	// The remaining time for a gate, in a hook; nil means as long as the settings allow.
	// It is asked once the gate may begin.
	left func() time.Duration
}

// gate returns what runs the gate of a list for a command.
func (a *app) gate(t target) *gate {
	g := &gate{files: t.files, name: t.name, note: a.printNote}
	if isTerminal(a.err) {
		g.begun = a.printNote
	}
	return g
}

// leastGate is the time below which a gate is not begun.
const leastGate = time.Second

// Prove runs the gate, or waits for the question that runs it already and shares its result.
// The lock that it waits for is of the gate alone: the list can be read and changed meanwhile.
func (g *gate) Prove(set continuation.Settings, shared func() *session.Proof) (*session.Proof, error) {
	if execute.InGate() {
		return nil, nil
	}
	proof := &session.Proof{Command: set.Gate}
	untrusted, err := g.untrusted(set)
	if proof.Problem = untrusted; untrusted != "" || err != nil {
		return proof, err
	}
	key := session.GateKey(g.name)
	g.turn, err = g.files.Hold(key, true)
	if errors.Is(err, store.ErrBusy) {
		if g.note != nil {
			g.note("the gate runs already; waiting for its result")
		}
		if g.turn, err = g.files.Within(g.time(set.GateTimeout)).Hold(key, false); errors.Is(err, store.ErrBusy) {
			return nil, nil
		}
		if err == nil {
			if proof := shared(); proof != nil {
				return proof, nil
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("lock the gate: %w", err)
	}
	limit := g.time(set.GateTimeout)
	if limit < leastGate && limit < set.GateTimeout {
		return nil, nil
	}
	project, err := findProject(g.dir)
	if err != nil {
		return nil, err
	}
	if g.begun != nil {
		g.begun("running the gate: " + set.Gate)
	}
	signals := interrupts()
	defer signal.Stop(signals)
	res, err := execute.Gate{Command: set.Gate, Dir: project.Dir, Timeout: limit}.Run(signals)
	if errors.Is(err, execute.ErrInterrupted) {
		return nil, cli.Answer(exitInterrupted)
	}
	if proof.Problem, proof.Output = res.Problem, res.Output; res.Problem == "" {
		proof.Code = res.Code
	}
	return proof, err
}

// time returns how long the gate may take.
func (g *gate) time(limit time.Duration) time.Duration {
	if g.left == nil {
		return limit
	}
	return min(limit, g.left())
}

// Release lets the next question run the gate.
func (g *gate) Release() {
	if g.turn != nil {
		g.turn.Release()
		g.turn = nil
	}
}

// untrusted reports why a gate must not run here. On a store that others write to,
// a command in a session document could be anybody's.
func (g *gate) untrusted(set continuation.Settings) (string, error) {
	if set.GateFrom != fromSession {
		return "", nil
	}
	trusted, err := gateTrust().TrustsGate(g.document(), set.Gate)
	if trusted || err != nil {
		return "", err
	}
	return "it is in the session document, and is not trusted on this machine; read it, then run `onward tools trust --gate --session " + g.name.Session + "`", nil
}

// document names the document that the gate is trusted for: a sub-agent's gate is its own.
func (g *gate) document() string { return g.files.Path(session.Key(g.name)) }

// gateTrust is where the user's trust is kept. Without a project it concerns no tool.
func gateTrust() tool.Files { return tool.Files{Disk: durable.Disk{}, Config: configDir()} }

// trustGate lets a gate of the list's document run on this machine.
func (t target) trustGate(command string) error {
	if command = strings.TrimSpace(command); command == "" || command == "none" {
		return nil
	}
	g := gate{files: t.files, name: t.name}
	return gateTrust().TrustGate(ownFiles(t.files.local.Wait), g.document(), command, time.Now())
}

// trustSavedGate trusts the gate that the current list's document contains.
func (a *app) trustSavedGate() error {
	t, doc, err := a.load()
	if err != nil {
		return err
	}
	command := ""
	if doc != nil {
		command = doc.Settings["gate"]
	}
	if command == "" || command == "none" {
		return cli.Hinted(cli.Failf(exitNotFound, "session %q has no gate in its document", t.name), "`onward get gate` shows the gate that is in force")
	}
	if err := t.trustGate(command); err != nil {
		return err
	}
	a.committed = true
	a.tell(settingsJSON(t.name, []continuation.Effective{{Key: "gate", Value: command, Where: fromSession}}, "gate"),
		fmt.Sprintf("trusted the gate of session %s\n  %s\n", t.name, render.Text(command)))
	return nil
}
