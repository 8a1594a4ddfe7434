package cmd

import (
	"os"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/ask"
	continuation "onward/internal/continue"
	"onward/internal/hooks"
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
	_, set := r.event.Found()
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

// readConversation reads from the conversation's file how long it is, the agent's last message if the event does not have it,
// and whether background work would end with the turn. If the file cannot be read, these are unknown.
func (r *hookRun) readConversation(t *ask.Turn) {
	path := r.transcript()
	from, tail, there := hooks.ReadTail(path)
	if r.agent.WritesLate && r.call.At != "" {
		for until := time.Now().Add(maxLate); time.Now().Before(until); {
			if there && hook.ReachesTo(tail, r.call.At) {
				break
			}
			time.Sleep(maxLate / 30)
			from, tail, there = hooks.ReadTail(path)
		}
	}
	if !there {
		return
	}
	if r.agent.ByVersion {
		r.call.Version = hook.VersionIn(tail)
	}
	message, said := r.agent.LastMessage(tail)
	if t.Call.Message == "" {
		t.Call.Message = message
	}
	if t.Length = from + int64(len(tail)); said > 0 {
		t.Length = from + int64(said)
	}
	if doc, _ := r.event.Found(); r.call.Kind == hook.Stop && len(doc.Continuation.Background) > 0 {
		t.Ends = r.agent.EndsWithTurn(r.beginning)
	}
}

// beginning returns the beginning of the conversation's file.
func (r *hookRun) beginning() []byte { return hooks.ReadHead(r.transcript()) }

// transcript returns the path of the conversation's file; empty if it is not known.
func (r *hookRun) transcript() string { return hooks.ExpandPath(r.call.Transcript) }

// maxLate is how long an agent that writes the conversation's file late is waited for.
const maxLate = 300 * time.Millisecond
