package claude

import (
	"slices"

	"onward/internal/agents/stream"
	"onward/internal/native"
)

// transcriptStart is a call that starts a sub-agent; the sub-agent's first line repeats its prompt.
type transcriptStart struct {
	id     string
	prompt uint64 // stands for the prompt
}

// assignSubAgent finds the sub-agent of a line, and names it as the stream does.
func (c *transcript) assignSubAgent(l *Line, st *transcriptState) {
	l.parent = nil
	if !l.side() {
		l.agentID = nil
		return
	}
	if len(l.agentID) > 0 {
		// Calls of one sub-agent go by its id, whether the call that started it is known or not.
		l.parent = stream.Word(st.parents[string(l.agentID)])
		return
	}
	root := st.roots[string(l.Word("parentUuid"))]
	if root == "" {
		root = c.root(l, st)
	}
	if len(st.roots) >= maxRoots {
		clear(st.roots)
	}
	st.roots = put(st.roots, string(l.uuid()), root)
	if parent := st.parents[root]; parent != "" {
		l.parent = stream.Word(parent)
	} else {
		l.agentID = stream.Word(root)
	}
}

// root names the sub-agent whose first line this is: after the call that started it, whose prompt the line repeats.
func (c *transcript) root(l *Line, st *transcriptState) string {
	for b := range l.content.Blocks() {
		prompt := c.seen.Hash(b.Text("text"))
		n := slices.IndexFunc(st.started, func(s transcriptStart) bool { return s.prompt == prompt })
		if n >= 0 {
			id := st.started[n].id
			st.parents = put(st.parents, id, id)
			st.started = slices.Delete(st.started, n, n+1)
			return id
		}
	}
	return string(l.uuid())
}

func put(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = make(map[string]string)
	}
	m[key] = value
	return m
}

// start remembers a call that starts a sub-agent.
func (c *transcript) start(b stream.Block, st *transcriptState) {
	if name := string(b.Word("name")); name != "Task" && name != "Agent" {
		return
	}
	if len(st.started) == maxStarted {
		st.started = slices.Delete(st.started, 0, 1)
	}
	st.started = append(st.started, transcriptStart{id: string(b.Word("id")), prompt: c.seen.Hash(b.Text("input", "prompt"))})
}

// applyDetails reads a result that holds more than whether its call was accepted: the list itself,
// even if the call is missing, or the id of the sub-agent that the call started.
func (c *transcript) applyDetails(l *Line, b stream.Block, s *Session, st *transcriptState) {
	call, result := b.Word("tool_use_id"), l.result()
	if id := result.Word("agentId"); len(id) > 0 && !l.side() {
		if len(st.parents) >= maxRoots {
			clear(st.parents)
		}
		st.parents = put(st.parents, string(id), string(call))
	}
	if !b.IsTrue("is_error") && !s.AwaitsResult(call) && result.Has("newTodos") {
		s.write(stream.AwaitedTodoCall{ID: string(call), Tool: s.tool("TodoWrite"), SubAgent: s.subAgent(l), Parent: string(l.parent)},
			native.Call{Result: result.Raw()}, l.At())
	}
}
