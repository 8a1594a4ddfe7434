package storetest

import (
	"errors"
	"testing"

	"onward/internal/store"
)

// faulty is a backend that fails at one of its calls: either before the call does anything,
// or after it has done everything, as when the answer of a server is lost.
type faulty struct {
	store.Backend
	at   int
	late bool
	n    int
}

var errFault = store.WrapProblem(store.ErrIO, "a fault of the test")

// call runs one step of the backend, and fails before or after it if its turn has come.
func (f *faulty) call(step func() error) error {
	f.n++
	if f.n == f.at && !f.late {
		return errFault
	}
	err := step()
	if f.n == f.at && err == nil {
		err = errFault
	}
	return err
}

func (f *faulty) Get(k store.Key) (v store.Value, err error) {
	err = f.call(func() error { v, err = f.Backend.Get(k); return err })
	return v, err
}

func (f *faulty) List(kind *store.Spec, like string, times bool) (entries []store.Entry, err error) {
	err = f.call(func() error { entries, err = f.Backend.List(kind, like, times); return err })
	return entries, err
}

func (f *faulty) Update(k store.Key, change func(store.Value, error) (store.Write, error)) error {
	return f.call(func() error { return f.Backend.Update(k, change) })
}

// testFaults lets each call of an update fail in turn. The page must be the old one or the new one,
// and when the operation is repeated under the same id, the page must have changed exactly once.
func testFaults(t *testing.T, s Subject) {
	lines := ""
	for at := 1; ; at++ {
		for _, late := range []bool{false, true} {
			f := &faulty{Backend: s.Backend, at: at, late: late}
			failing := s
			failing.Backend = f
			op := string(rune('a'+at)) + map[bool]string{false: "1", true: "2"}[late]
			_, err := failing.add("faults", op, op)
			if f.n < at {
				if err != nil {
					t.Error(err)
				}
				if at == 1 {
					t.Error("the update called nothing")
				}
				return
			}
			if !errors.Is(err, errFault) {
				t.Errorf("call %d, late %v: %v", at, late, err)
			}
			c, err := s.add("faults", op, op)
			if err != nil || c.Doc == nil {
				t.Fatal(err)
			}
			lines += " " + op
			s.expect(t, "faults", lines[1:])
		}
	}
}
