package continuation

import "onward/internal/todo"

// Facts are what only the caller of a decision knows.
// What is not said is unknown, never zero; so numbers are pointers.
// The JSON form is what `check-continue --facts -` reads.
type Facts struct {
	ToolCalls        *int     `json:"tool_calls"`         // in the turn that ended just now
	PendingToolCalls *int     `json:"pending_tool_calls"` // the agent still has these to run
	Background       *int     `json:"background"`         // work that runs beside the conversation
	QueuedMessages   *int     `json:"queued_messages"`    // of the user, not yet read by the agent
	AgentMode        string   `json:"agent_mode"`         // the agent's own name for its mode, such as plan
	CanWrite         *bool    `json:"can_write"`
	ContextRatio     *float64 `json:"context_ratio"` // used part of the model's context, 0 to 1
	SpendUSD         *float64 `json:"spend_usd"`
	SpendTokens      *int64   `json:"spend_tokens"`
	ElapsedMS        *int64   `json:"elapsed_ms"` // since the work began

	Owner *Claim `json:"-"` // who the caller says it is; nil where it does not name itself
	Named bool   `json:"-"` // the session was named outright, by flag or environment

	ReadRev            uint64 `json:"-"` // the document's rev when the caller first read it
	CountdownCancelled bool   `json:"-"` // another process was active during the countdown

	Hook         *Hook `json:"-"` // set where a hook asks
	SessionKnown bool  `json:"-"`
}

// Claim is a caller's word on who it is.
type Claim struct {
	Agent   string
	Session string
}

// Hook is what an agent's stop hook knows beyond the facts.
type Hook struct {
	Cap   int       // consecutive blocks after which the host ignores us; 0 is no cap
	Began todo.Time // when the agent's session began; 0 is unknown
	Key   string    // names the question: the host's turn or prompt id, or what stands for it
}
