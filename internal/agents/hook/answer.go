package hook

import (
	"cmp"

	continuation "onward/internal/continue"
	"onward/internal/object"
)

// Answer is the answer to an agent.
type Answer struct {
	Prompt   string // the prompt that continues the agent; empty: it may stop
	Notice   string // a line that the user sees, if the agent shows one
	Context  string // for the model's context
	Refused  string // the prompt was a command, and is not for the model; this is what the user sees
	Decision []byte // the whole decision as JSON, for who reads that
}

// Reply is what a hook writes, and its exit code.
type Reply struct {
	Stdout string
	Stderr string
	Code   int
}

// CountdownJSON answers an agent that shows the countdown itself, and asks for it before it asks whether to continue.
// The answer is the length of the countdown and the text to show, or nothing if there is no countdown.
func CountdownJSON(d continuation.Decision, set continuation.Settings) []byte {
	length := set.CountdownFor(true)
	if d.Outcome != continuation.Continue || length <= 0 {
		return []byte("{}\n")
	}
	w := object.NewWriter(128)
	w.Open('{')
	w.String("action", "countdown")
	w.Int("countdown_ms", int(length.Milliseconds()))
	w.Int("grace_ms", int(set.Grace.Milliseconds()))
	w.Int("open", d.Counts.Open)
	w.Close('}')
	w.EndLine()
	return w.Bytes()
}

// ObjectLine writes an object of strings on one line: names, each followed by its text; empty texts are left out.
// event, if it is not empty, nests the object as the agent's answer to that event.
func ObjectLine(event string, members ...string) string {
	w := object.NewWriter(256)
	w.Open('{')
	if event != "" {
		w.Name("hookSpecificOutput")
		w.Open('{')
		w.String("hookEventName", event)
	}
	for i := 0; i+1 < len(members); i += 2 {
		w.StringIfSet(members[i], members[i+1])
	}
	if event != "" {
		w.Close('}')
	}
	w.Close('}')
	w.EndLine()
	return string(w.Bytes())
}

// RenderCommon answers in the format that most agents have adopted, each with exceptions.
// It writes nothing if there is nothing to report, because some agents took an answer that only allows the stop for a request to continue.
// Others treat an unknown key, or a missing reason, as a failure of the hook.
func RenderCommon(c Call, a Answer) Reply { return RenderDecision(c, a, "block") }

// RenderDecision is RenderCommon with the agent's own word for a block.
func RenderDecision(c Call, a Answer, block string) Reply {
	switch reason := cmp.Or(a.Refused, a.Prompt); {
	case reason != "":
		return Reply{Stdout: ObjectLine("", "decision", block, "reason", reason)}
	case a.Context != "":
		return Reply{Stdout: ObjectLine(c.Event, "additionalContext", a.Context)}
	case a.Notice != "":
		return Reply{Stdout: ObjectLine("", "systemMessage", a.Notice)}
	}
	return Reply{}
}
