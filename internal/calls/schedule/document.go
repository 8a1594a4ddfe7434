package schedule

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/todo"
)

// The kinds of errors.
var (
	ErrState    = errors.New("not possible now") // the call has another status by now, mostly because somebody else answered first
	ErrNotFound = errors.New("not found")
	ErrRequest  = errors.New("bad request")
	ErrFull     = errors.New("over the limit")
)

// Limits of one document.
const (
	maxCalls    = 10_000
	maxMessages = 1_000
	MaxArgs     = 64 << 10 // bytes of the arguments of one call
	maxMessage  = 64 << 10 // bytes
	// maxNesting is how deep the arguments of a call may nest: the document that they are kept in may nest
	// object.MaxDepth deep; the document, its list of calls and the call take three levels.
	maxNesting = object.MaxDepth - 3
	maxAfter   = 100
)

// Document has all calls of a session, and the messages that are queued for its agent.
type Document struct {
	Schema       string
	MinReader    int
	Messages     []Message
	Rev          uint64
	Op           string
	Operations   []Operation // whose callers gave them an id
	OperationIDs []string    // the ids of the last commits, newest last
	Session      string
	Agent        string
	UpdatedAt    todo.Time
	MovedTo      string        // the store that it was moved to; this copy does not count any more
	Arriving     bool          // MovedTo is the store that it comes from, until the move is completed
	Rules        []policy.Rule // of this session
	Batches      []Batch
	Calls        []Call // in the order of the requests
	Unknown      jsontext.Value

	at        map[string]int // the indexes of calls, by id
	journaled int            // how many bytes of the journal the document includes
	Journal   int            // the length of the journal in bytes; the document may not include the last ones
}

// Message is a text that a user typed while the agent was busy.
type Message struct {
	ID      string
	By      string // the agent that queued it; empty is the user
	Text    string
	At      todo.Time
	Unknown jsontext.Value
}

// Batch is a group of calls that were submitted together.
type Batch struct {
	ID       string
	Complete bool // all its calls have ended, and this was reported
	Unknown  jsontext.Value
}

// Operation is the recorded result of an operation whose caller gave it an id.
type Operation struct {
	ID     string
	Change Change
}

// Change is what an operation did.
type Change struct {
	What     string    // in words; empty means nothing to commit
	Calls    []string  // the ids of the calls that it is about
	Complete []string  // the batches that it completed
	Text     string    // its result as a text: messages, or a rule
	Messages []Message // the messages that it removed from the queue
}

// newDocument returns the document of a schedule before its first commit.
func newDocument(name session.Name, now todo.Time) *Document {
	return &Document{Schema: schema, Session: name.Session, Agent: name.AgentID(), UpdatedAt: now}
}

// HasOperation reports whether an operation is among those that the document keeps.
func (d *Document) HasOperation(op string) bool {
	return d.Op == op || slices.Contains(d.OperationIDs, op) || slices.ContainsFunc(d.Operations, func(o Operation) bool { return o.ID == op })
}

// Files returns the files with outputs of calls.
func (d *Document) Files() (files []string) {
	for c := range d.all() {
		files = append(files, c.files()...)
	}
	return files
}

// files returns the files with what a call has printed.
func (c *Call) files() []string {
	if c.Result == nil {
		return nil
	}
	return slices.DeleteFunc([]string{c.Result.Output, c.Result.Kept}, func(f string) bool { return f == "" })
}

// all yields the calls in the order of the requests; a missing document has none.
func (d *Document) all() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		if d == nil {
			return
		}
		for i := range d.Calls {
			if !yield(&d.Calls[i]) {
				return
			}
		}
	}
}

// Find returns a call, or nil.
func (d *Document) Find(id string) *Call {
	if d == nil {
		return nil
	}
	if d.at == nil {
		d.index()
	}
	if i, ok := d.at[id]; ok {
		return &d.Calls[i]
	}
	return nil
}

// WithoutOpenCalls returns the document without the calls that may still run, and the number of these.
func (d *Document) WithoutOpenCalls() (*Document, int) {
	open := d.Open()
	if open == 0 {
		return d, 0
	}
	ended := *d
	ended.at = nil
	ended.Calls = slices.DeleteFunc(slices.Clone(d.Calls), func(c Call) bool { return !c.Status.Final() })
	ended.Batches = slices.DeleteFunc(slices.Clone(d.Batches), func(b Batch) bool { return len(ended.CallsOf(b.ID)) == 0 })
	return &ended, open
}

// LacksOpenCalls reports whether another document has calls that may still run and that this one does not have. Either may be nil.
func (d *Document) LacksOpenCalls(other *Document) bool {
	for c := range other.all() {
		if !c.Status.Final() && d.Find(c.ID) == nil {
			return true
		}
	}
	return false
}

func (d *Document) index() {
	d.at = make(map[string]int, len(d.Calls))
	for i := range d.Calls {
		d.at[d.Calls[i].ID] = i
	}
}

// CallsByID returns calls by their ids, each once.
func (d *Document) CallsByID(ids ...string) ([]*Call, error) {
	var out []*Call
	for _, id := range ids {
		c := d.Find(id)
		if c == nil {
			return nil, fmt.Errorf("%w: call %q", ErrNotFound, id)
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, nil
}

// CallsOf returns the calls of a batch, in the order of the requests; without a batch all of them.
func (d *Document) CallsOf(batch string) []*Call {
	var out []*Call
	for c := range d.all() {
		if batch == "" || c.Batch == batch {
			out = append(out, c)
		}
	}
	return out
}

// AwaitingIDs returns the ids of the calls of a batch that await approval; without a batch of all.
func (d *Document) AwaitingIDs(batch string) []string {
	return IDsWithStatus(d.CallsOf(batch), Awaiting)
}

// NextAwaiting returns the first call that awaits approval, apart from those that the user left for later; nil if there is none.
func (d *Document) NextAwaiting(later []string) *Call {
	for _, id := range d.AwaitingIDs("") {
		if !slices.Contains(later, id) {
			return d.Find(id)
		}
	}
	return nil
}

// CallsWaitedFor returns the calls that a wait was about: those of a batch, or without one, those that had not ended before.
func (d *Document) CallsWaitedFor(batch string, before *Document) []*Call {
	return slices.DeleteFunc(d.CallsOf(batch), func(c *Call) bool {
		was := before.Find(c.ID)
		return batch == "" && was != nil && was.Status.Final()
	})
}

// WaitOver reports whether a wait for the calls of a batch, or for all, is over: they have ended, or some of those that it was about wait
// for an approval, which waiting does not bring.
func (d *Document) WaitOver(batch string, awaited []*Call) bool {
	return d.Settled(batch) || OutcomeOf(awaited) == SomeAwaitApproval
}

// Counts returns the number of calls in each state.
func (d *Document) Counts() map[Status]int {
	return CountByStatus(d.CallsOf(""))
}

// Open returns how many calls have not ended.
func (d *Document) Open() int {
	return unfinished(d.Counts())
}

// unfinished returns how many of the counted calls have not ended.
func unfinished(counts map[Status]int) (n int) {
	for s, count := range counts {
		if !s.Final() {
			n += count
		}
	}
	return n
}

// Settled reports whether all calls of a batch have ended, or only an approval could change that. Without a batch it is
// about all calls.
func (d *Document) Settled(batch string) bool {
	if d == nil || d.Open() == 0 || d.stuck() {
		return true
	}
	if batch == "" {
		return false
	}
	counts := CountByStatus(d.CallsOf(batch))
	return counts[Executing] == 0 && (counts[Awaiting] > 0 || unfinished(counts) == 0)
}

// stuck reports whether a call awaits approval and no other call can run.
func (d *Document) stuck() bool {
	waiting := d.waiting()
	for c := range d.all() {
		if c.Status == Executing || c.Status == Scheduled && !waiting[c.Batch] && d.dependenciesDone(c) {
			return false
		}
	}
	return len(waiting) > 0
}

// waiting returns the batches that cannot start, because one of their calls awaits approval or is not validated yet.
func (d *Document) waiting() map[string]bool {
	batches := map[string]bool{}
	for c := range d.all() {
		if c.Status == Awaiting || c.Status == Validating {
			batches[c.Batch] = true
		}
	}
	return batches
}

// batch returns a batch, and creates it if there is none.
func (d *Document) batch(id string) *Batch {
	for i := range d.Batches {
		if d.Batches[i].ID == id {
			return &d.Batches[i]
		}
	}
	d.Batches = append(d.Batches, Batch{ID: id})
	return &d.Batches[len(d.Batches)-1]
}

// ExistingCalls returns the calls with these ids that still exist.
func (d *Document) ExistingCalls(ids []string) []*Call {
	var out []*Call
	for _, id := range ids {
		if c := d.Find(id); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// CallsWithStatus returns the calls that have one of some statuses.
func CallsWithStatus(calls []*Call, statuses ...Status) []*Call {
	var out []*Call
	for _, c := range calls {
		if slices.Contains(statuses, c.Status) {
			out = append(out, c)
		}
	}
	return out
}

// IDsWithStatus returns the ids of the calls that have one of some statuses.
func IDsWithStatus(calls []*Call, statuses ...Status) []string {
	var ids []string
	for _, c := range CallsWithStatus(calls, statuses...) {
		ids = append(ids, c.ID)
	}
	return ids
}

// CountByStatus returns the number of calls in each state.
func CountByStatus(calls []*Call) map[Status]int {
	counts := map[Status]int{}
	for _, c := range calls {
		counts[c.Status]++
	}
	return counts
}
