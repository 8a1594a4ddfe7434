package cmd

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"onward/internal/agents/hook"
	"onward/internal/ask"
	continuation "onward/internal/continue"
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
	got, err := r.event.Stop(r.agent.Cap(os.Getenv), r.conversation)
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
		said.Notice = render.Text(ask.Notice(d))
		if err := r.event.SubagentEnded(); err != nil {
			r.app.logHook(r.agent.Name, err)
		}
	}
	if r.agent.Decides {
		said.Decision = decisionJSON(r.Name, got.Doc, d, set, said.Prompt, false)
	}
	return said, nil
}

// conversation reads from the conversation's file how long it is, the agent's last message if the event does not have it,
// and whether background work would end with the turn. If the file cannot be read, these are unknown.
func (r *hookRun) conversation(t *ask.Turn) {
	path := r.transcript()
	from, tail, there := end(path)
	if r.agent.Late && r.call.At != "" {
		for until := time.Now().Add(maxLate); time.Now().Before(until); {
			if there && hook.ReachesTo(tail, r.call.At) {
				break
			}
			time.Sleep(maxLate / 30)
			from, tail, there = end(path)
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
func (r *hookRun) beginning() []byte { return head(r.transcript()) }

// head reads the beginning of a regular file; it returns nil if that fails.
func head(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return section(path, 0, hook.MaxHead)
}

// transcript returns the path of the conversation's file; empty if it is not known.
func (r *hookRun) transcript() string { return agentFile(r.call.Transcript) }

// agentFile returns the path of a file that an agent names; empty if it is not known where that is.
func agentFile(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// maxLate is how long an agent that writes the conversation's file late is waited for.
const maxLate = 300 * time.Millisecond

// end reads the end of a regular file, and returns the offset at which that begins. A pipe or a device would block.
func end(path string) (from int64, tail []byte, there bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil, false
	}
	from = max(0, info.Size()-hook.MaxTail)
	return from, section(path, from, hook.MaxTail), true
}

// section reads a section of a file; it returns nil if that fails.
func section(path string, from, length int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, from, length))
	if err != nil {
		return nil
	}
	return data
}
