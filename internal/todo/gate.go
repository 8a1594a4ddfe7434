package todo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrChanged is the error if a result comes too late: the item has changed since the gate began.
var ErrChanged = errors.New("changed meanwhile")

// Gate is the command that must pass before an item is completed. Only a person sets one.
type Gate struct {
	Command     string
	ClaimedDone bool // the item was completed by a command or a tool that could not run the gate
	ByAgent     bool // the item is completed, and the gate passed in an agent's shell: it runs again before the list is done

	// The last run, if it did not pass.
	At      Time   // 0 if the gate has not run since it was set or the item was completed
	Code    int    // the exit code
	Problem string // why there is no exit code
	Output  string // the end of it
	Unknown jsontext.Value
}

// Failed reports whether the last run of a gate failed; nil never ran.
func (g *Gate) Failed() bool { return g != nil && g.At != 0 && g.Problem == "" }

// StateText describes in words what is known about the gate of an open item.
func (g *Gate) StateText() string {
	switch {
	case g.Problem != "":
		return "has no result: " + g.Problem
	case g.At != 0:
		return "failed with exit code " + strconv.Itoa(g.Code)
	case g.ClaimedDone:
		return "has not run yet"
	}
	return ""
}

// equal compares two gates; either may be nil.
func (g *Gate) equal(other *Gate) bool {
	if g == nil || other == nil {
		return g == other
	}
	return g.Command == other.Command && g.ClaimedDone == other.ClaimedDone && g.ByAgent == other.ByAgent && g.At == other.At && g.Code == other.Code &&
		g.Problem == other.Problem && g.Output == other.Output && bytes.Equal(g.Unknown, other.Unknown)
}

// fresh returns the gate without a result; nil stays nil.
func (g *Gate) fresh(claimedDone bool) *Gate {
	if g == nil {
		return nil
	}
	return &Gate{Command: g.Command, ClaimedDone: claimedDone, Unknown: g.Unknown}
}

// newGate makes a gate of a command that a person wrote. The empty text and "none" return nil.
func newGate(command string) (*Gate, error) {
	command = strings.TrimSpace(command)
	switch {
	case command == "" || command == "none":
		return nil, nil
	case !utf8.ValidString(command) || strings.ContainsRune(command, 0):
		return nil, fmt.Errorf("%w: the gate's command is not valid text", ErrText)
	case len(command) > maxGate:
		return nil, fmt.Errorf("%w: the gate's command has %d bytes, at most %d are kept", ErrLimit, len(command), maxGate)
	}
	return &Gate{Command: command}, nil
}

// maxGate is how many bytes the command of a gate may have.
const maxGate = 4096

// GateCommands returns the commands of the gates of items, each once.
func GateCommands(items []Item) (commands []string) {
	for i := range items {
		if g := items[i].Gate; g != nil && !slices.Contains(commands, g.Command) {
			commands = append(commands, g.Command)
		}
	}
	return commands
}

// ClaimedDone reports whether an item was completed, but its gate has not passed for it.
func (it *Item) ClaimedDone() bool { return it.Gate != nil && it.Gate.ClaimedDone }

// passedForAgent reports whether an item is completed because its gate passed in an agent's shell. The agent chooses what a command finds
// there: its variables, its PATH, its folder.
func (it *Item) passedForAgent() bool {
	return it.Gate != nil && it.Gate.ByAgent && it.Status == Completed
}

// Unproven returns the index of the first item that was completed and whose gate has yet to run outside of an agent's shell, without those
// that are passed over; -1 if there is none.
func Unproven(items []Item, pass func(*Item) bool) int {
	return slices.IndexFunc(items, func(it Item) bool {
		return (it.ClaimedDone() && it.Status.Open() || it.passedForAgent()) && !pass(&it)
	})
}

// HoldBackUnproven returns a list in which an item whose gate has not passed is not completed: it is in progress, and its gate
// notes that it was claimed to be done. For each item, from has the index of the saved one that it continues, or -1.
// Passed has the ids of the items whose gates have passed.
func HoldBackUnproven(saved, items []Item, from []int, passed []string) []Item {
	copied := false
	for i := range items {
		it := &items[i]
		if it.Gate == nil || it.Status != Completed || slices.Contains(passed, it.ID) {
			continue
		}
		var was *Item
		if from[i] >= 0 {
			was = &saved[from[i]]
		}
		if was != nil && was.Status == Completed && was.Gate != nil && was.Gate.Command == it.Gate.Command {
			continue
		}
		if !copied {
			items, copied = slices.Clone(items), true
			it = &items[i]
		}
		it.Status, it.NativeStatus, it.CompletedAt = InProgress, "", 0
		if it.Gate = it.Gate.fresh(true); was == nil {
			continue
		}
		it.Claim = was.Claim
		same := *it
		if same.UpdatedAt = was.UpdatedAt; same.equal(was) {
			it.UpdatedAt = was.UpdatedAt
		}
	}
	return items
}

// KeepGates returns a list whose items have the gates of the saved ones that they continue, and require proof where those do.
func KeepGates(saved, items []Item, from []int) []Item {
	items = slices.Clone(items)
	for i, at := range from {
		if at >= 0 {
			items[i].Gate, items[i].NeedsProof = saved[at].Gate, saved[at].NeedsProof
		}
	}
	return items
}

// GateRun is a run of an item's gate.
type GateRun struct {
	Item    Item // the item as it was when the gate began
	Code    int
	Problem string // why the run has no exit code, or why the code does not count
	Output  string // the end of it
	Grade   string // what its success shows of the work, as package run says it; empty for an item that nobody claims
	Shows   string // the same in words
	ByAgent bool   // it ran in an agent's shell
}

// Passed reports whether the gate passed.
func (r *GateRun) Passed() bool { return r.Problem == "" && r.Code == 0 }

// findItem finds the item that a run is about, if its text, claim and gate are unchanged and it has not been closed
// meanwhile.
func (r *GateRun) findItem(items []Item) (at int, err error) {
	at = indexOf(items, r.Item.ID)
	if at < 0 {
		return at, fmt.Errorf("%w: the item %q was removed while its gate ran", ErrChanged, r.Item.ID)
	}
	it, was := &items[at], &r.Item
	switch {
	case it.Gate == nil || it.Gate.Command != was.Gate.Command:
		return at, fmt.Errorf("%w: the gate of item %d was changed while it ran", ErrChanged, at+1)
	case it.Content != was.Content:
		return at, fmt.Errorf("%w: item %d was reworded while its gate ran", ErrChanged, at+1)
	case it.Claims != was.Claims || (it.Claim == nil) != (was.Claim == nil):
		return at, fmt.Errorf("%w: another worker claimed item %d while its gate ran, or it was released", ErrChanged, at+1)
	case !it.Status.Open() && (!was.passedForAgent() || !it.passedForAgent()) || was.ClaimedDone() && !it.ClaimedDone():
		return at, fmt.Errorf("%w: item %d was settled while its gate ran: it is %s", ErrChanged, at+1, it.Status.Words())
	}
	return at, nil
}

// CompleteBy completes places on behalf of a worker. The runs are those of the items' gates; an item whose gate has to
// pass is completed only by a run that passed. It also returns the ids of the items whose gates passed.
func CompleteBy(items []Item, ranges []Range, reason string, runs []GateRun, w Worker, now Time) (e Edit, passed []string, err error) {
	gated, err := ItemsWithGate(items, ranges, w, now)
	if err == nil {
		err = CheckRuns(items, runs)
	}
	if err != nil {
		return Edit{}, nil, err
	}
	for i := range runs {
		passed = append(passed, runs[i].Item.ID)
	}
	for _, at := range gated {
		if !slices.Contains(passed, items[at].ID) {
			return Edit{}, nil, fmt.Errorf("%w: item %d has a gate since the command began", ErrChanged, at+1)
		}
	}
	e, err = SetStatusBy(items, ranges, Completed, reason, w, now)
	for i := range runs {
		if at := indexOf(e.Items, runs[i].Item.ID); runs[i].ByAgent && at >= 0 {
			g := *e.Items[at].Gate
			g.ByAgent = true
			e.Items[at].Gate = &g
		}
	}
	return e, passed, err
}

// CheckRuns returns ErrChanged if an item has changed since its gate began.
func CheckRuns(items []Item, runs []GateRun) error {
	for i := range runs {
		if _, err := runs[i].findItem(items); err != nil {
			return err
		}
	}
	return nil
}

// ItemsWithGate returns the items with a gate among those that a worker wants to complete. It returns an error if another worker
// holds one of them.
func ItemsWithGate(items []Item, ranges []Range, w Worker, now Time) ([]int, error) {
	refs, err := resolve(items, ranges)
	if err == nil {
		err = w.refused(items, refs, now)
	}
	if err != nil {
		return nil, err
	}
	var out []int
	for _, r := range refs {
		if it := &items[r.Item]; r.Sub < 0 && it.Gate != nil && it.Status != Completed {
			out = append(out, r.Item)
		}
	}
	return out, nil
}

// SettleGateRuns records the runs of items' gates. A gate that passed completes its item; after one that failed, or that has no result
// where it passed in an agent's shell, the item is in progress. Another run without a result, or whose item has changed since, has no effect. It also returns the ids of the
// items that were completed.
func SettleGateRuns(items []Item, runs []GateRun, now Time) (e Edit, passed []string) {
	out := slices.Clone(items)
	var refs []Ref
	var words []string
	for i := range runs {
		run := &runs[i]
		at, err := run.findItem(items)
		if err != nil {
			continue
		}
		it := &out[at]
		label := "the gate of item " + strconv.Itoa(at+1)
		g := it.Gate.fresh(false)
		switch {
		case run.Passed():
			it.Gate = g
			it.move(Completed, "", now)
			it.Gate.ByAgent = run.ByAgent // a gate that was made above, or by the move
			passed = append(passed, it.ID)
			label += " passed"
		case run.Problem != "" && it.Gate.Problem == run.Problem:
			continue // it is known
		default:
			g.At, g.Code, g.Problem, g.Output = now, run.Code, run.Problem, run.Output
			again := it.passedForAgent()
			if g.ClaimedDone = run.Problem != "" && (it.Gate.ClaimedDone || again); run.Problem == "" || again {
				it.move(InProgress, "", now)
			}
			it.Gate, it.UpdatedAt = g, now
			label += " " + strings.SplitN(g.StateText(), ":", 2)[0]
		}
		refs, words = append(refs, Ref{at, -1}), append(words, label)
	}
	if refs == nil {
		return Edit{Items: items}, nil
	}
	e = edited(out, "", out, refs)
	e.What = strings.Join(words, ", ")
	return e, passed
}
