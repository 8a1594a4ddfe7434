//go:build unix

package torture

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// history contains the operations on one object, each with its times and its answer.
type history struct {
	name string
	ops  []porcupine.Operation
	open int // number of operations whose outcome is unknown
}

// round is a part of the work on one kind of object. Each round has a new object, so that histories stay short
// enough to be checked.
type round struct {
	history
	mu    sync.Mutex
	most  int // the maximum number of operations
	begun int
}

// begin starts an operation in the round; it returns false if the round has enough operations.
func (r *round) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	return r.begun <= r.most
}

// add records an operation. An open one may take effect at any later time or never, so it ends after all others
// in the history.
func (r *round) add(who int, input, output any, a answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	op := porcupine.Operation{ClientId: who, Input: input, Output: output, Call: int64(a.call), Return: int64(a.back)}
	if a.open() {
		op.Return = math.MaxInt64
		r.open++
	}
	r.ops = append(r.ops, op)
}

// verdicts counts the results of porcupine.
type verdicts struct {
	name                                string
	histories, operations, open         int
	linearizable, undecided, impossible int
}

// patient is the time limit for checking one history.
const patient = 2 * time.Minute

// judge checks histories. A history that no order of the operations explains is written to a file.
func (w *world) judge(name string, model porcupine.Model, histories []history) {
	v := verdicts{name: name}
	for _, h := range histories {
		v.histories, v.operations, v.open = v.histories+1, v.operations+len(h.ops), v.open+h.open
		result, info := porcupine.CheckOperationsVerbose(model, h.ops, patient)
		switch result {
		case porcupine.Ok:
			v.linearizable++
		case porcupine.Unknown:
			v.undecided++
		case porcupine.Illegal:
			v.impossible++
			file := filepath.Join(os.TempDir(), fmt.Sprintf("onward-%s-%d.html", h.name, os.Getpid()))
			err := porcupine.VisualizePath(model, info, file)
			w.breaks("no order of its operations explains the answers of %s: %s %v", h.name, file, errorOr(err))
		}
	}
	w.report("%s: %d histories with %d operations, %d of them of unknown outcome: %d linearizable, %d undecided, %d not",
		v.name, v.histories, v.operations, v.open, v.linearizable, v.undecided, v.impossible)
	if *long && v.undecided > v.histories/4 { // a short run does not fail on a slow machine
		w.breaks("%s: too many histories could not be decided within %v", name, patient)
	}
}

func errorOr(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// save writes all commands with their answers to a file, and returns its name.
func (w *world) save() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.seen)
	f, err := os.CreateTemp("", "onward-torture-*.log")
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if _, err = f.WriteString(strings.Join(w.seen, "\n") + "\n"); err != nil {
		return err.Error()
	}
	return f.Name()
}
