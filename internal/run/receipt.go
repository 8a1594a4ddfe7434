package run

import (
	"cmp"
	"slices"
	"strings"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
	"onward/internal/todo"
)

// The most bytes of the parts of a receipt.
const (
	mostText  = 500
	mostFiles = 40
)

// NewReceipt returns the receipt of a run: what was found at its end, with what its record and the end say. What makes it too long is
// cut, the files first: how many there are stays.
func NewReceipt(found session.Receipt, record *session.Run, end Action) *session.Receipt {
	r := &found
	r.Task, _, _ = strings.Cut(record.Task, "\n")
	r.Task, r.Model, r.Gate, r.Outcome, r.NoTree = short(r.Task), short(record.Model()), wholeGate(record.ProvingGate()), string(end.Outcome), short(r.NoTree)
	r.Results, r.Older, r.Began = record.Results, record.Older, record.Began
	r.Idle = record.Idle
	r.Turns, r.Tokens, r.Micros, r.Earlier = record.Turns, record.Tokens, record.Micros, record.Earlier
	for _, agent := range append(record.Agents[:len(record.Agents):len(record.Agents)], record.Agent) {
		r.Agents = slices.DeleteFunc(r.Agents, func(had string) bool { return had == short(agent) })
		r.Agents = append(r.Agents, short(agent)) // the last one was at work last
	}
	for _, of := range record.Relay {
		if of.Turns > 0 {
			of.Name = short(of.Name)
			r.Relay = append(r.Relay, of)
		}
	}
	if end.Outcome == Done {
		r.Grade, r.Message = string(end.Grade), short(end.Message)
	}
	r.Changed.Unknown = short(r.Changed.Unknown)
	r.Changed.Files = first(r.Changed.Files, mostFiles)
	r.Checks = first(r.Checks, mostFiles)
	for r.Size() > session.MaxReceipt-1024 && len(r.Changed.Files)+len(r.Checks)+len(r.Relay)+len(r.Agents) > 0 { // what a reader adds has room
		switch {
		case len(r.Changed.Files) > 0:
			r.Changed.Files = first(r.Changed.Files, len(r.Changed.Files)/2)
		case len(r.Checks) > 0:
			r.Checks = first(r.Checks, len(r.Checks)/2)
		case len(r.Relay) > 0:
			r.Relay = nil
		default:
			r.Agents = first(r.Agents, len(r.Agents)/2)
		}
	}
	return r
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list)):min(n, len(list))] }

func short(text string) string { return clip(text, mostText) }

// wholeGate returns a gate's command as a receipt has it: all of it, since it is compared with the one in force.
func wholeGate(command string) string { return clip(command, continuation.MaxGateCommand) }

func clip(text string, most int) string {
	if text = render.Text(text); len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// PresentFiles is the checkout now.
type PresentFiles struct {
	Gate    string // that is in force
	Tree    string // empty if it is not known
	NoTree  string // why
	Changed session.Changed

	// What this machine knows about the gate on these files.
	Known bool // its last result is a success
	Flaky bool // it has failed and passed
}

// ChangesSince returns what has changed since the end of a run, in words; empty if nothing has, or if the tree of that is not known.
func ChangesSince(r *session.Receipt, now PresentFiles) string {
	switch {
	case r.End.Tree == "" || r.End.Tree == now.Tree:
		return ""
	case now.Tree == "":
		return "nothing shows whether files have changed since: " + now.NoTree
	case now.Changed.Unknown != "", len(now.Changed.Files) == 0: // or only a repository within, or a filter, is another one
		return "the files are not the same any more"
	}
	names := render.Map(now.Changed.Files, func(_ int, f *session.ChangedFile) string { return f.Path })
	return todo.Plural(len(names), "file") + map[bool]string{true: " has", false: " have"}[len(names) == 1] + " changed since: " + FirstFilesText(names)
}

// WhyUnproven returns the line that keeps the present files from being proven; empty if they are. The receipt is that of the last run
// that has ended; last is the record of the last run, nil if none is kept.
func WhyUnproven(last *session.Run, r *session.Receipt, now PresentFiles) string {
	switch {
	case last.IsUnended():
		return "the last run has not ended: it is at work, or was cut off"
	case r == nil:
		return "no run has left a receipt"
	case r.Outcome != string(Done):
		return "the last run is not done: it ended as " + strings.ReplaceAll(r.Outcome, "_", " ")
	case r.Grade != string(Proven):
		return "the last run is only " + cmp.Or(r.Grade, "done") + ": " + r.Message
	case r.Gate != wholeGate(now.Gate):
		return "the gate is not the one that was proven: " + r.Gate
	case now.Tree == "":
		return "nothing shows which files are there: " + now.NoTree
	case r.End.Tree != now.Tree:
		return ChangesSince(r, now)
	case now.Flaky:
		return "the gate is flaky: it failed and passed on the same files"
	case !now.Known:
		return "the gate has not passed on these files on this machine in the last 24 hours"
	}
	return ""
}
