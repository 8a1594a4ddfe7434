package session

import (
	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// runKind describes where a session is held while `onward run` is at work on it. The document is there until that
// run is over: one that nobody holds was cut off.
var runKind = store.Kind{Name: "run", Folder: "runs", Limit: 64 << 10}

// RunKey returns the key that a run holds, under which its record is.
func RunKey(name Name) store.Key { return store.Key{Kind: &runKind, Name: name.String()} }

// Run is the record of a run that keeps an agent going: who it is, and how far it has come.
type Run struct {
	Process      *Process // of the run
	Keeper       *Process // below which the agent's program runs; nil between two turns
	Mark         string   // the value of ONWARD_RUN in all that it starts
	Agent        string
	Task         string // its digest; empty where there is none
	Began        todo.Time
	Turns        int
	Conversation string // the agent's own id of the last one
	Input        int    // tokens that were spent
	Output       int
	Cost         int // in millionths of a US dollar
}

// Fields lists the members of the record.
func (r *Run) Fields(f *object.Fields) {
	f.Need("mark", "agent")
	object.Pointer(f, "process", &r.Process)
	object.Pointer(f, "keeper", &r.Keeper)
	object.Text(f, "mark", &r.Mark)
	object.Text(f, "agent", &r.Agent)
	object.Text(f.Some(), "task", &r.Task)
	object.Time(f, "began", &r.Began)
	f.Some().Int("turns", &r.Turns)
	object.Text(f.Some(), "conversation", &r.Conversation)
	f.Some().Int("input_tokens", &r.Input)
	f.Some().Int("output_tokens", &r.Output)
	f.Some().Int("cost_microusd", &r.Cost)
}

// ReadRun returns the record of a session's run; nil where there is none.
func (s *Store) ReadRun(name Name) (*Run, error) {
	return readRun(s.Backend.Get(RunKey(name)))
}

func readRun(v store.Value, err error) (*Run, error) {
	if err != nil || v.Data == nil || v.Deleted {
		return nil, err
	}
	r := new(Run)
	return r, runKind.Read(v.Data, r)
}

// WriteRun writes the record of a run that holds its session; nil removes it.
func WriteRun(held store.Held, name Name, r *Run, now todo.Time) error {
	return held.Update(RunKey(name), func(store.Value, error) (store.Write, error) {
		if r == nil {
			return store.Write{Delete: true}, nil
		}
		return store.Write{Data: runKind.Write(r), Now: now.Time()}, nil
	})
}

// ForgetRun removes the record of a session's run.
func (s *Store) ForgetRun(name Name) error {
	if v, err := s.Backend.Get(RunKey(name)); err != nil || v.Data == nil {
		return err
	}
	return s.Backend.Update(RunKey(name), func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
}

// InRun reports whether a process with this mark was started by a run that is still at work on the session.
func (s *Store) InRun(name Name, mark string) bool {
	r, err := s.ReadRun(name)
	return err == nil && r != nil && r.Mark == mark && (s.Gone == nil || !s.Gone(r.Process))
}
