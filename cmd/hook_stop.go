package cmd

import (
	"cmp"
	"os"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/hooks"
	"onward/internal/night/system"
	"onward/internal/output"
	"onward/internal/render"
	"onward/internal/wait"
)

// stop decides whether the agent continues.
func (r *hookRun) stop() (hook.Answer, error) {
	gate, err := r.gate()
	if err != nil {
		return hook.Answer{}, err
	}
	r.event.Gate, r.event.Waiting = gate, wait.New(nil)
	got, err := r.event.Stop(r.agent.BlockLimit(os.Getenv), r.readConversation)
	if err != nil {
		return hook.Answer{}, err
	}
	_, set := r.event.DocumentAndSettings()
	set.Yolo = got.Settings.Yolo // the agent's mode may have chosen it
	d, said := got.Decision, hook.Answer{}
	switch {
	case r.call.Ahead:
		return hook.Answer{Decision: hook.CountdownJSON(d, set)}, nil
	case d.Outcome == continuation.Continue:
		said.Prompt = got.Prompt()
	default:
		said.Notice = render.Text(ask.StopNotice(got))
		if err := r.event.SubagentEnded(); err != nil {
			hooks.Log(r.agent.Name, err)
		}
	}
	if r.agent.ReadsDecision {
		said.Decision = output.DecisionJSON(r.Name, got.Doc, d, set, said.Prompt, false)
	}
	return said, nil
}

// readConversation reads the conversation's file, if that can be read.
func (r *hookRun) readConversation(t *ask.Turn) {
	at := ""
	if r.agent.WritesLate {
		at = r.call.At
	}
	from, tail, there := hooks.ReadTailAt(r.transcript(), at)
	if !there {
		return
	}
	if r.agent.ByVersion {
		r.call.Version = hook.VersionIn(tail)
	}
	doc, _ := r.event.DocumentAndSettings()
	t.Changed = func(since time.Time) bool {
		return system.FilesChanged(cmp.Or(r.folder(), "."), []string{r.Storage.Address.Text}, since)
	}
	t.ReadConversation(doc, from, tail, r.beginning)
}

// beginning returns the beginning of the conversation's file.
func (r *hookRun) beginning() []byte { return hooks.ReadHead(r.transcript()) }

// transcript returns the path of the conversation's file; empty if it is not known.
func (r *hookRun) transcript() string { return hooks.ExpandPath(r.call.Transcript) }
