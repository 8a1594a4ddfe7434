package hooks

import (
	"time"

	continuation "onward/internal/continue"
)

// Limit is how long a hook may take; after that, the agent may proceed.
const Limit = 5 * time.Second

// FileWait is how long a hook waits for another writer of files. It is short because the agent is waiting.
const FileWait = 250 * time.Millisecond

// toolLimit is how long the report of a tool call waits for a store past this machine: there are many of them, and
// each reports little.
const toolLimit = 1200 * time.Millisecond

// StoreLimits returns how long a hook about an activity may take with a store past this machine, and how long it waits for that
// store: less, so that the error of the store comes before the hook is ended.
func StoreLimits(setting time.Duration, activity continuation.Type) (limit, wait time.Duration) {
	limit = setting
	if activity == continuation.ToolEnd {
		limit = min(limit, toolLimit)
	}
	return limit, limit - limit/8
}

// The gate may take the time that an agent waits for its hook, without some seconds at the end.
const (
	gateReserve = 10 * time.Second // so long before the end the gate is asked to end; after half of that time it is killed

	// AfterGate is the time after the gate for the rest of the answer.
	AfterGate = 3 * time.Second
)

// GateTime returns how long the gate may run if the agent waits for its hook that much longer.
func GateTime(left time.Duration) time.Duration { return (left - gateReserve).Truncate(time.Second) }

// GateLimit returns how long a hook that runs the gate may take if the agent waits for it that much longer.
func GateLimit(left time.Duration) time.Duration { return max(Limit, left-AfterGate) }
