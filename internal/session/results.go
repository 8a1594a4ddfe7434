package session

import (
	"slices"
	"time"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// resultsKind describes where the results of gates are kept, a document for each checkout of this machine.
var resultsKind = store.Spec{Name: "results", Folder: "results", Limit: 1 << 20}

// ResultsKey returns the key under which the results of the gates of a checkout are.
func (p Project) ResultsKey() store.Key { return store.Key{Kind: &resultsKind, Name: p.Key} }

// Result is the result of a gate for a state of the files.
type Result struct {
	Command string
	Tree    string // of the files once the gate had ended
	Code    int    // its exit code
	Output  string // its end
	At      todo.Time
	Took    int      // milliseconds
	Writes  []string // files that the gate wrote, the first of them
}

// Results are the results of the gates of a checkout, the newest at the end.
type Results struct{ all []Result }

const (
	mostResults = 32             // of a checkout
	resultHolds = 24 * time.Hour // longer than that, what no file shows may have changed
)

// Add adds a result, and replaces an earlier one like it. A result of the other kind on the same files stays: the two show
// that the gate is flaky. A gate that wrote files back as they were in an earlier result did not begin with them: as long as that is
// kept, it says nothing about them.
func (r *Results) Add(is Result) {
	if len(is.Writes) > 0 && slices.ContainsFunc(r.all, func(was Result) bool { return was.Command == is.Command && was.Tree == is.Tree }) {
		return
	}
	r.all = slices.DeleteFunc(r.all, func(was Result) bool {
		return was.Command == is.Command && was.Tree == is.Tree && (was.Code == 0) == (is.Code == 0)
	})
	r.all = append(r.all, is)
	r.all = r.all[max(0, len(r.all)-mostResults):]
}

// LastOn returns the last result of a gate on files of a tree, and whether it is flaky there: then it has failed and passed on the
// same files. The result is nil if there is none, or only one that is too old. Without a tree there is none.
func (r *Results) LastOn(command, tree string, now todo.Time) (last *Result, flaky bool) {
	passed, failed := false, false
	for i := range r.all {
		is := &r.all[i]
		if tree == "" || is.Command != command || is.Tree != tree {
			continue
		}
		passed, failed = passed || is.Code == 0, failed || is.Code != 0
		if last = nil; is.At <= now && is.At.Since(now) <= resultHolds {
			last = is
		}
	}
	return last, passed && failed
}

// Last returns the last result of a gate, on whichever files; nil if none is kept.
func (r *Results) Last(command string) *Result {
	for i := len(r.all) - 1; i >= 0; i-- {
		if r.all[i].Command == command {
			return &r.all[i]
		}
	}
	return nil
}

// Writes reports whether a kept result of a gate shows that it wrote these files.
func (r *Results) Writes(command string, files []string) bool {
	return slices.ContainsFunc(r.all, func(is Result) bool { return is.Command == command && slices.Equal(is.Writes, files) })
}

// Fields lists the members of the results of a checkout.
func (r *Results) Fields(f *object.Fields) {
	f.Require("results")
	object.List(f, "results", &r.all)
}

// Fields lists the members of a result.
func (r *Result) Fields(f *object.Fields) {
	object.Text(f, "command", &r.Command)
	object.Text(f, "tree", &r.Tree)
	f.Int("code", &r.Code)
	object.Text(f.OmitEmpty(), "output", &r.Output)
	object.Time(f, "at", &r.At)
	f.OmitEmpty().Int("took", &r.Took)
	object.Strings(f.OmitEmpty(), "writes", &r.Writes)
}

// ReadResults reads the results of a checkout. What cannot be read is not known: the gates run again.
func ReadResults(b store.Backend, p Project) *Results {
	v, err := b.Get(p.ResultsKey())
	return resultsOf(v, err)
}

func resultsOf(v store.Value, err error) *Results {
	r := &Results{}
	if err != nil || v.Data == nil || resultsKind.Read(v.Data, r) != nil {
		return &Results{}
	}
	return r
}

// AddResult keeps a result of a gate of a checkout, and returns all that are kept there.
func AddResult(b store.Backend, p Project, is Result) (r *Results, err error) {
	err = b.Update(p.ResultsKey(), func(v store.Value, unread error) (store.Write, error) {
		r = resultsOf(v, unread)
		r.Add(is)
		return store.Write{Data: resultsKind.Write(r), Now: is.At.Time()}, nil
	})
	return r, err
}
