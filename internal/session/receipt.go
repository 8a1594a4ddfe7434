package session

import (
	"time"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// receiptKind describes where the receipt of a session's last run is kept. The record of a run that is done is removed; this stays
// as long as the session.
var receiptKind = store.Spec{Name: "receipt", Folder: "receipts", Limit: MaxReceipt}

// MaxReceipt is how long a receipt may be, in bytes.
const MaxReceipt = 16 << 10

// ReceiptKey returns the key under which the receipt of a session's last run is.
func ReceiptKey(name Name) store.Key { return store.Key{Kind: &receiptKind, Name: name.String()} }

// Receipt is what a run that has ended leaves as evidence: facts, without the agent's output and without prompts.
type Receipt struct {
	Task    string // its first line
	Item    string // SESSION:ID of the item that the run worked on; empty if it had a list of its own
	Model   string // that the agent or its user named; empty if nobody did
	Outcome string // in one word
	Code    int    // the exit code of the run; 0 if it is done, or where an older version wrote the receipt
	Grade   string // what is known about the work, as package run says it; empty unless the run is done
	Message string // the words about it
	Gate    string // its command; empty if none was set
	Passed  *Files // the files before the check was written, on which the gate passed; nil if the check did not come first
	Start   Files  // the files before the first turn, or once the check was written
	End     Files  // those for which the gate has its last result
	NoTree  string // why it is not known which files changed
	Results []ProofResult
	Older   int // how many results between the first one and the others are left out

	Changed Changed
	Checks  []string // check files that were there at the start, and were changed or deleted
	Counts  todo.Counts
	Agents  []string
	Relay   []RunAgent // what each of them has spent, where they went on for each other; else nil
	Turns   int
	Tokens  int
	Micros  int       // millionths of a US dollar
	Earlier *RunAgent // what the runs have spent that this one continues; nil if there were none
	Began   todo.Time
	Ended   todo.Time
	Idle    int    // the milliseconds in between for which it was cut off
	Version string // of onward
}

// Files are a state of the files of a checkout.
type Files struct {
	Tree   string // the id that git gives to a tree of them; empty if it is not known
	Commit string // the commit that has these files; empty if none has
}

// ProofResult is a result of the gate of a run, without its output.
type ProofResult struct {
	At   todo.Time
	Code int    // its exit code; -1 if it has none, because it took too long or could not be started
	Took int    // milliseconds
	Sum  string // the id that git gives to the end of its output as a file; empty if it is not known
	Tree string // of the files once it had ended
}

// Changed is what differs between two states of the files.
type Changed struct {
	Count   int
	Added   int // lines
	Removed int
	Files   []ChangedFile // the first of them
	Unknown string        // why it is not known
}

// ChangedFile is a file that differs.
type ChangedFile struct {
	Path    string
	Added   int // lines
	Removed int
	Binary  bool // it has no lines
}

// Fields lists the members of a receipt.
func (r *Receipt) Fields(f *object.Fields) {
	f.Require("outcome", "ended")
	object.Text(f.OmitEmpty(), "task", &r.Task)
	object.Text(f.OmitEmpty(), "item", &r.Item)
	object.Text(f.OmitEmpty(), "model", &r.Model)
	object.Text(f, "outcome", &r.Outcome)
	f.OmitEmpty().Int("exit_code", &r.Code)
	object.Text(f.OmitEmpty(), "proof", &r.Grade)
	object.Text(f.OmitEmpty(), "message", &r.Message)
	object.Text(f.OmitEmpty(), "gate", &r.Gate)
	object.Pointer(f, "before_check", &r.Passed)
	f.Object("start", &r.Start)
	f.Object("end", &r.End)
	object.Text(f.OmitEmpty(), "no_tree", &r.NoTree)
	object.List(f, "results", &r.Results)
	f.OmitEmpty().Int("results_left_out", &r.Older)
	f.Object("changed", &r.Changed)
	object.Strings(f.OmitEmpty(), "checks_changed", &r.Checks)
	f.Object("counts", &r.Counts)
	object.Strings(f, "agents", &r.Agents)
	object.List(f.OmitEmpty(), "relay", &r.Relay)
	f.Int("turns", &r.Turns)
	f.OmitEmpty().Int("tokens", &r.Tokens)
	f.OmitEmpty().Int("cost_microusd", &r.Micros)
	object.Pointer(f.OmitEmpty(), "earlier", &r.Earlier)
	object.Time(f, "began", &r.Began)
	object.Time(f, "ended", &r.Ended)
	f.OmitEmpty().Int("cut_off_ms", &r.Idle)
	object.Text(f, "version", &r.Version)
}

// Fields lists the members of a state of the files.
func (s *Files) Fields(f *object.Fields) {
	object.Text(f.OmitEmpty(), "tree", &s.Tree)
	object.Text(f.OmitEmpty(), "commit", &s.Commit)
}

// Fields lists the members of a result.
func (p *ProofResult) Fields(f *object.Fields) {
	object.Time(f, "at", &p.At)
	f.SignedInt("code", &p.Code)
	f.OmitEmpty().Int("took_ms", &p.Took)
	object.Text(f.OmitEmpty(), "output", &p.Sum)
	object.Text(f.OmitEmpty(), "tree", &p.Tree)
}

// Fields lists the members of what differs.
func (c *Changed) Fields(f *object.Fields) {
	f.Int("count", &c.Count)
	f.Int("added", &c.Added)
	f.Int("removed", &c.Removed)
	object.List(f, "files", &c.Files)
	object.Text(f.OmitEmpty(), "unknown", &c.Unknown)
}

// Fields lists the members of a file that differs.
func (c *ChangedFile) Fields(f *object.Fields) {
	object.Text(f, "path", &c.Path)
	f.Int("added", &c.Added)
	f.Int("removed", &c.Removed)
	f.OmitEmpty().Bool("binary", &c.Binary)
}

// LastAgent returns the agent of the last turn; empty if the receipt leaves it out.
func (r *Receipt) LastAgent() string {
	if len(r.Agents) == 0 {
		return ""
	}
	return r.Agents[len(r.Agents)-1]
}

// Spent says what the run has spent, and before that, what it has spent with those that it continues. The time in which it was cut off
// does not count.
func (r *Receipt) Spent() string {
	own := RunAgent{Turns: r.Turns, Tokens: r.Tokens, Micros: r.Micros}
	text := todo.Plural(r.Turns, "turn") + ", " + todo.SpanText(max(0, r.Began.Since(r.Ended)-time.Duration(r.Idle)*time.Millisecond)) + own.cost()
	if all := own.sumWith(r.Earlier); r.Earlier != nil {
		return text + "; with the runs before: " + todo.Plural(all.Turns, "turn") + all.cost()
	}
	return text
}

// Size returns how long a receipt is as it is kept, in bytes.
func (r *Receipt) Size() int { return len(receiptKind.Write(r)) }

// ReadReceipt returns the receipt of a session's last run; nil if there is none.
func (s *Store) ReadReceipt(name Name) (*Receipt, error) {
	return readObject[Receipt](s.Backend, ReceiptKey(name))
}

// WriteReceipt keeps the receipt of a run, instead of that of the last one.
func WriteReceipt(held store.Held, name Name, r *Receipt) error {
	return held.Update(ReceiptKey(name), func(store.Value, error) (store.Write, error) {
		return store.Write{Data: receiptKind.Write(r), Now: r.Ended.Time()}, nil
	})
}

// ForgetReceipt removes the receipt of a session's last run.
func (s *Store) ForgetReceipt(name Name) error { return s.forget(ReceiptKey(name)) }
