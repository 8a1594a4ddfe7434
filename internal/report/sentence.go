package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/run"
	"onward/internal/session"
	"onward/internal/todo"
)

// sentence is an event in a sentence that says who did what. If a text of the user or the agent follows, such as a prompt, a
// reason, a command or an item, the sentence ends in a colon.
func (e *Event) sentence() (sentence, own string) {
	sentence, own = e.clause()
	switch {
	case own != "":
		return sentence + ":", own
	case strings.HasSuffix(sentence, "."):
		return sentence, ""
	}
	return sentence + ".", ""
}

// line is the sentence with the text that follows it.
func (e *Event) line() string {
	sentence, own := e.sentence()
	return strings.TrimRight(sentence+" "+own, " ")
}

// clause returns the sentence without its full stop or colon, and the text that follows.
func (e *Event) clause() (sentence, own string) {
	switch e.Type {
	case session.Continued:
		done := "onward "
		if wait := time.Duration(e.waited) * time.Millisecond; wait >= time.Second {
			done += "waited " + todo.SpanText(wait) + ", and "
		}
		return done + "sent the agent back to work" + tierReason(continuation.Tier(e.Tier)), ""
	case session.Answered:
		if e.Status == "done" {
			return "onward let the agent stop, because no item is open", ""
		}
		return "onward did not send the agent back: " + e.Text, ""
	case session.Gated:
		if e.Item != "" {
			return "The gate of an item " + e.gated(), e.item + ": " + e.Text
		}
		return "The gate " + e.gated(), e.Text
	case session.ItemChanged:
		return "The agent " + e.Status + " an item", e.Text
	case session.Ran:
		return e.ranWords(), e.Text
	case session.CutOff:
		where, words, _ := strings.Cut(e.Text, ": ")
		return "The run was cut off after this, " + where, words
	case session.TakenUp:
		return "The run that was cut off " + e.Text + " goes on", ""
	case session.Relayed:
		return e.relayed(), ""
	case EventListChanged:
		return e.listed(), e.item
	case EventToolCalled:
		return "A tool call " + e.did, e.Text
	}
	switch continuation.Type(e.Type) {
	case continuation.UserPrompt:
		return "The user sent a prompt", e.Text
	case continuation.TurnStart:
		return "The agent started a turn", ""
	case continuation.TurnEnd:
		return e.ended(), e.Text
	case continuation.AssistantMessage:
		return "The agent wrote a message", e.Text
	case continuation.Pause:
		return "The agent paused", e.Text
	case continuation.Stop:
		return "The user stopped continuation", e.Text
	case continuation.Resume:
		return "The user resumed continuation", ""
	case continuation.Abort:
		return "The user interrupted the agent", ""
	case continuation.Error:
		return "The agent reported an error" + because(e.Class), e.Text
	case continuation.BackgroundStart:
		return "The agent started work in the background", e.Text
	case continuation.BackgroundEnd:
		return "Work in the background ended", e.Text
	case continuation.RecoveryStart:
		return "The agent started to recover its session", ""
	case continuation.RecoveryEnd:
		return "The agent recovered its session", ""
	case continuation.CompactionStart:
		return "The agent started to compact its context", ""
	case continuation.CompactionEnd:
		return "The agent compacted its context", ""
	case continuation.QuestionAsked:
		return "The agent asked the user a question", e.Text
	case continuation.QuestionAnswered:
		return "The user answered the question", e.Text
	case continuation.NeedsUser:
		return "The agent waits for its user", e.Text
	case continuation.Goal:
		return "The agent reported a goal of its own", e.Text
	case continuation.Unread:
		return "The agent sent something that onward does not know", e.Text
	case continuation.SessionEnd:
		return "The agent's conversation ended", ""
	}
	return "An event was recorded, " + strings.ReplaceAll(e.Type, "-", " "), e.Text
}

// tierReason says why an agent was sent back to work, if it was not for its open items.
func tierReason(tier continuation.Tier) string {
	switch tier {
	case continuation.TierEscalated:
		return ", with a stronger prompt"
	case continuation.TierLast:
		return ", with the last reminder before the limit"
	case continuation.TierCheckIn:
		return ", to look after its work in the background"
	case continuation.TierBackground:
		return ", to wait for its sub-agent"
	case continuation.TierGate:
		return ", because the gate failed"
	case continuation.TierMessage:
		return " with the user's message"
	case continuation.TierDropped:
		return ", because its list had lost open items"
	}
	return ""
}

// because names the cause of an error, if it is known.
func because(class string) string {
	if cause := continuation.ErrorClass(class).Cause(); cause != "" {
		return ": " + cause
	}
	return ""
}

// ended says how a turn ended.
func (e *Event) ended() string {
	switch continuation.TurnStatus(e.Status) {
	case continuation.Failed:
		return "The agent's turn failed" + because(e.Class)
	case continuation.Aborted:
		return "The user interrupted the agent's turn"
	case continuation.CutOff:
		return "The agent's turn was cut off"
	}
	return "The agent ended its turn"
}

// relayed says which agent takes over, from which one, and why.
func (e *Event) relayed() string {
	sentence := e.Worker + " takes over"
	if e.From != "" {
		sentence += " from " + e.From
	}
	if e.Text != "" {
		sentence += ": " + e.Text
	}
	return sentence
}

// rows are what is known about a run, each with its name.
func (r *Run) rows() []figure {
	agent := r.Agent
	if r.Model != "" {
		agent += ", with the model " + r.Model
	}
	rows := []figure{{"Agent", agent}}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, figure{name, value})
		}
	}
	spent := make([]string, 0, len(r.Relay)+1)
	if r.spent != "" {
		spent = append(spent, r.spent)
	}
	for _, of := range r.Relay {
		spent = append(spent, of.text)
	}
	add("Spent", strings.Join(spent, "; "))
	add("Task", r.Task)
	add("Gate at first", r.first)
	end := strings.ReplaceAll(r.Outcome, "_", " ")
	if end != "" && r.Message != "" {
		end += ": " + r.Message
	}
	if end != "" {
		end += " (after " + todo.Plural(r.Turns, "turn")
		if r.Code != nil {
			end += fmt.Sprintf(", with exit code %d", *r.Code)
		}
		end += ")"
	}
	add("Ended", end)
	add("Proof", r.Proof)
	add("To answer", r.reply)
	add("To go on", r.next)
	add("Said last", r.Said)
	if f := r.Files; f != nil {
		text := "no file"
		switch {
		case f.Unknown != "":
			text = "unknown: " + f.Unknown
		case f.Count > 0:
			text = fmt.Sprintf("%s, +%d -%d: %s", todo.Plural(f.Count, "file"), f.Added, f.Removed, strings.Join(f.Names, ", "))
			if f.Count > len(f.Names) {
				text += ", …"
			}
		}
		add("Changed", text)
	}
	return rows
}

// made are the tool calls of a turn that are known, those that were denied last; of a gate, the files that had changed since its
// result before.
func (e *Event) made() []string {
	made := slices.Concat(e.Called, render.Map(e.Since, func(_ int, file *string) string { return "changed: " + *file }))
	if slices.ContainsFunc(made, func(call string) bool { return strings.HasPrefix(call, continuation.DeniedCall) }) {
		return made // which says more than the names of the tools
	}
	for _, tool := range e.Denied {
		made = append(made, continuation.DeniedCall+tool)
	}
	return made
}

// gated says how a run of the gate ended.
func (e *Event) gated() string {
	switch {
	case e.Problem != "":
		return "gave no result, because " + e.Problem
	case e.Code != nil && *e.Code != 0:
		return fmt.Sprintf("failed with exit code %d", *e.Code)
	case e.Proof == string(run.Proven):
		return "passed, and had failed before the work"
	}
	return "passed"
}

// listed says what was done with the list, and by whom.
func (e *Event) listed() string {
	_, act, _ := strings.Cut(e.did, " ")
	switch {
	case strings.HasPrefix(act, "claimed "), strings.HasPrefix(act, "renewed "): // such a sentence begins with the worker
		return e.did
	case strings.Contains(e.did, "the finished list was cleared"):
		return "onward archived the finished list"
	case e.By == "cli" || e.By == "":
		return "A command " + e.did
	case strings.Contains(e.did, "the list was "):
		return "The agent changed the list, but the status of no item"
	}
	return "The agent " + e.did
}
