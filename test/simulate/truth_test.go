package simulate

import (
	"fmt"
	"time"

	"onward/internal/todo"
)

// record is what the referee knows of one list.
type record struct {
	truth
	items     []todo.Item
	own       []map[string]string // all settings that the session ever had, the newest last
	furthest  map[string]int      // the furthest status that each item ever had, by id
	changes   int                 // number of commits, and of changes without one
	rev       uint64              // the revision of the last commit
	ever      int                 // number of continuations
	answered  map[string]int      // number of prompts for each end of a turn, by the name of the end
	written   int                 // how often another list was written
	closed    int                 // how often an item was completed
	proofs    []proof
	claims    map[string]claim    // the claims of items, by id
	completed map[string]bool     // the ids of completed items
	passes    map[string][]string // by the id of an item: its gates that passed and have not yet allowed a completion
}

// proof is a run of the gate.
type proof struct {
	gate   string
	dir    string // the checkout in which it ran
	ended  time.Duration
	lists  []string // the digests of the list at its start and at its end
	passed bool
	failed bool   // with an exit code
	work   int    // the changes of its checkout when it ended
	checks [2]int // those of checks: new ones, and others
}

// truth is what is true of a list by the manual, after all that was reported about it.
type truth struct {
	stopped, aborted, paused, asked bool

	key        string        // the key of the last prompt
	heard      todo.Time     // the time of the last prompt, by the machine's clock; 0 if there was none
	fresh      bool          // no continuation has followed the user's prompt
	sent       bool          // the prompt was a message or `onward resume`, so it did not go through the agent's host
	spent      int           // continuations since the prompt
	most       int           // those that were not cut off with their run
	refunded   int           // those that did not count, since the host refused their turn
	unexcused  int           // those whose turn did not fail because of the host's limit
	running    bool          // a turn has started and has not ended
	since      time.Duration // the start of that turn
	inTurn     bool          // the running turn is a continuation
	moved      bool          // since the last continuation, an item has come further than ever before
	limited    todo.Time     // the host refuses requests until then
	reset      todo.Time     // the time at which the limit ends, as the host named it
	background []string      // work that runs in the background of the conversation
	busy       time.Duration // the start of the background work
	compacting bool
	dropped    []todo.Item   // open items that an agent's own write left out
	worked     bool          // an item was ever completed
	failed     bool          // the last turn failed with an error after which the host accepts no further turn
	full       bool          // since the context was full
	failing    time.Duration // the first of the failed turns in a row that no limit caused; 0 if the last turn did not fail
	emptied    bool          // the agent itself has emptied a list without open items
	listed     bool          // there has been a list
	open       int           // number of open items
	early      string        // the agent that reported something before there was a list
	unclear    bool          // that report may belong to the list of another conversation
	went       time.Duration // the time of the last continuation; below 0 if there was none
}

// told returns as text everything in the truth that forbids or delays a continuation.
func (t truth) told() string {
	return fmt.Sprint(t.stopped, t.aborted, t.paused, t.asked, t.limited, t.background, t.compacting)
}
