package continuation

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/session"
	"onward/internal/todo"
)

// Facts is what only the caller of a decision knows.
// A missing fact is unknown, not zero; so numbers are pointers.
// The JSON form is what `check-continue --facts -` reads.
type Facts struct {
	ToolCalls        *int     `json:"tool_calls"`         // in the turn that ended just now
	PendingToolCalls *int     `json:"pending_tool_calls"` // the agent still has these to run
	Background       *int     `json:"background"`         // work that runs alongside the conversation
	QueuedMessages   *int     `json:"queued_messages"`    // of the user, not yet read by the agent
	AgentMode        string   `json:"agent_mode"`         // the agent's own name for its mode, such as plan
	CanWrite         *bool    `json:"can_write"`
	ContextRatio     *float64 `json:"context_ratio"` // used part of the model's context, 0 to 1
	SpendUSD         *float64 `json:"spend_usd"`
	SpendTokens      *int64   `json:"spend_tokens"`
	ElapsedMS        *int64   `json:"elapsed_ms"` // since the work began

	Gate *session.GateResult `json:"-"` // the result of the gate; nil if it has not run

	ItemGates bool     `json:"-"` // the gates of items can be run for the answer
	Ran       []string `json:"-"` // the ids of the items whose gates have run for it

	Owner *string `json:"owner"` // the session id of the caller; nil if it does not name itself
	Named bool    `json:"-"`     // the question is about this list and no other; false if a hook looks for the list of its conversation

	Removed bool `json:"-"` // somebody removed the list from the store, as a record of its last run shows

	Messages []Queued `json:"-"` // that wait in onward's own queue

	Awaiting []string `json:"-"` // onward's own tool calls that wait for an approval, by id
	Running  int      `json:"-"` // onward's own tool calls that a live process runs or is about to

	Switch string `json:"-"` // how the todo tool of the agent that asks is switched on; empty if the agent is unknown

	AskedAt todo.Time     `json:"-"` // when the caller first read it; 0 is now
	ReadRev *uint64       `json:"-"` // the document's rev when the caller first read it, 0 if there was none; nil is unknown
	Rest    time.Duration `json:"-"` // after a cancelled countdown: the time to wait, unless the turn ends before

	ActiveAt todo.Time `json:"-"` // the last activity that is not in the document
	CallOpen bool      `json:"-"` // a tool call began and has not ended
	AtWork   bool      `json:"-"` // an agent that a run started is known to be at work
	TurnGone bool      `json:"-"` // the process with which the running turn ends has ended
	Hook     *Hook     `json:"-"` // set if a hook asks

	Prompts   int    `json:"-"` // continuations that a run has counted since the user's last words
	Command   string `json:"-"` // what continues the agent, for a hint; empty is `onward resume`
	Ended     bool   `json:"-"` // the agent's program has ended, and its sub-agents with it
	TaskWaits bool   `json:"-"` // a run has a task that no turn has worked on yet, so the list is from before it
	Again     bool   `json:"-"` // a run has a task that it sends again if the last turn failed
	TakesOver bool   `json:"-"` // an agent of a run goes on after the failed turn of another one, and has had no turn yet
	Idle      bool   `json:"-"` // nothing shows that the agent of a run has begun its task
	InRun     bool   `json:"-"` // a run asks, which compares its gate with the one that it began with
}

// Hook is what an agent's stop hook reports in addition to the facts.
type Hook struct {
	Cap       int       // consecutive blocks after which the host ignores us; 0 is no cap
	Ends      bool      // the host's program ends with the turn, even if background work is still running
	WorkFrees bool      // the host resets its count of blocks after a turn that ran tools
	BothEnds  bool      // the agent's hooks report the beginning and the end of a turn
	Began     todo.Time // when the agent's session began; 0 is unknown
	Worked    bool      // a tool that may have changed something has run since the user's prompt
	Key       string    // names the question: the host's turn or prompt id, or its substitute
}

// yoloModes are the modes in which the agents' hosts ask nobody for permission.
var yoloModes = [...]string{"bypassPermissions", "yolo"}

// WithMode returns the settings adapted to the mode of the agent's host: one that asks for no permission gets the stronger
// prompt, unless the user chose otherwise.
func (s Settings) WithMode(mode string) Settings {
	is := func(name string) bool { return strings.EqualFold(name, strings.TrimSpace(mode)) }
	s.Yolo = s.Yolo || !s.YoloSet && slices.ContainsFunc(yoloModes[:], is)
	return s
}

// ErrData marks facts or an event from outside that cannot be read.
var ErrData = errors.New("bad data")

// ReadFacts reads facts as one JSON object. A key that is not a fact is an error,
// because a misspelt one would be silently without effect.
func ReadFacts(data []byte) (Facts, error) {
	var said struct {
		Facts
		Elapsed jsontext.Value `json:"elapsed"` // as text such as 90s, or a number of seconds; also elapsed_ms
		Gate    *struct {
			Command string `json:"command"`
			Code    *int   `json:"code"`
			Problem string `json:"problem"`
			Output  string `json:"output"` // its end
		} `json:"gate"`
	}
	if err := json.Unmarshal(data, &said, json.RejectUnknownMembers(true)); err != nil {
		return Facts{}, readError("facts", err)
	}
	f := said.Facts
	if said.Elapsed != nil {
		d, err := parseDuration(said.Elapsed)
		if err != nil {
			return f, fmt.Errorf("%w: facts: elapsed: %w", ErrData, err)
		}
		f.ElapsedMS = new(d.Milliseconds())
	}
	why := f.problem()
	switch g := said.Gate; {
	case g == nil || why != "":
	case g.Code == nil && g.Problem == "":
		why = "gate has neither a code nor a problem"
	case g.Code != nil && *g.Code < 0:
		why = fmt.Sprintf("the code of gate is %d, not 0 or more", *g.Code)
	case g.Problem != "":
		f.Gate = &session.GateResult{Command: cmp.Or(g.Command, unnamedGate), Problem: g.Problem, Output: g.Output}
	default:
		f.Gate = &session.GateResult{Command: cmp.Or(g.Command, unnamedGate), Code: *g.Code, Output: g.Output}
	}
	if why != "" {
		return f, fmt.Errorf("%w: facts: %s", ErrData, why)
	}
	return f, nil
}

// unnamedGate stands for the command of a gate whose caller tells only its result.
const unnamedGate = "the caller's gate"

// parseDuration reads a duration as text such as 90s, or as a number of seconds.
func parseDuration(v jsontext.Value) (time.Duration, error) {
	text := string(v)
	if v.Kind() == '"' {
		if err := json.Unmarshal(v, &text); err != nil {
			return 0, err
		}
	}
	d, err := ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration such as 90s or a number of seconds", text)
	}
	return d, nil
}

// readError describes an error in external JSON, without the names of Go types.
func readError(what string, err error) error {
	var syntax *jsontext.SyntacticError
	var bad *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: %s: at byte %d: %w", ErrData, what, syntax.ByteOffset, syntax.Err)
	case !errors.As(err, &bad):
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("%w: %s: unknown key %q", ErrData, what, bad.JSONPointer.LastToken())
	case bad.JSONPointer == "":
		return fmt.Errorf("%w: %s: not one JSON object", ErrData, what)
	default:
		return fmt.Errorf("%w: %s: %s has the wrong kind of value", ErrData, what, bad.JSONPointer.LastToken())
	}
	return fmt.Errorf("%w: %s: %w", ErrData, what, err)
}

// Check refuses impossible facts.
func (f Facts) Check() error {
	if why := f.problem(); why != "" {
		return fmt.Errorf("%w: %s", todo.ErrSyntax, why)
	}
	return nil
}

// problem reports an impossible fact: counts and costs are at least 0.
func (f Facts) problem() string {
	for _, n := range []struct {
		name  string
		value *int
	}{
		{"tool_calls", f.ToolCalls},
		{"pending_tool_calls", f.PendingToolCalls},
		{"background", f.Background},
		{"queued_messages", f.QueuedMessages},
	} {
		if n.value != nil && (*n.value < 0 || *n.value > maxCalls) {
			return fmt.Sprintf("%s is %d, not 0 to %d", n.name, *n.value, maxCalls)
		}
	}
	switch {
	case f.ContextRatio != nil && !(*f.ContextRatio >= 0 && *f.ContextRatio <= 1):
		return fmt.Sprintf("context_ratio is %v, not 0 to 1", *f.ContextRatio)
	case f.SpendUSD != nil && !(*f.SpendUSD >= 0):
		return fmt.Sprintf("spend_usd is %v, not 0 or more", *f.SpendUSD)
	case f.SpendTokens != nil && *f.SpendTokens < 0:
		return fmt.Sprintf("spend_tokens is %d, not 0 or more", *f.SpendTokens)
	case f.ElapsedMS != nil && *f.ElapsedMS < 0:
		return fmt.Sprintf("elapsed_ms is %d, not 0 or more", *f.ElapsedMS)
	}
	return ""
}

// WithDefaults returns the facts, and those of other that are unknown here.
func (f Facts) WithDefaults(other Facts) Facts {
	known, more := reflect.ValueOf(&f).Elem(), reflect.ValueOf(other)
	for i := range known.NumField() {
		if known.Field(i).IsZero() {
			known.Field(i).Set(more.Field(i))
		}
	}
	return f
}
