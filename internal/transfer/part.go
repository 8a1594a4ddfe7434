package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"onward/internal/store"
)

// part is one document to copy, with its log.
type part struct {
	key     store.Key
	to      store.Backend
	data    []byte // what the target receives; nil if there is nothing to copy
	changed time.Time
	lines   []byte // the lines of the log that the target lacks
	target  []byte // what the target has
	clears  bool   // remove the target's copy first, with its log
}

func (p *part) differs() bool {
	if p.data == nil {
		return p.clears
	}
	return !bytes.Equal(p.data, p.target) || len(p.lines) > 0
}

// write writes the document to the target. If the target has changed since it was read, the error is errAgain.
func (p *part) write() error {
	if !p.differs() {
		return nil
	}
	if p.clears {
		err := p.to.Update(p.key, func(store.Value, error) (store.Write, error) { return store.Write{Delete: true}, nil })
		if err != nil {
			return err
		}
		p.target, p.clears = nil, false
		if p.data == nil {
			return nil
		}
	}
	return p.to.Update(p.key, func(v store.Value, err error) (store.Write, error) {
		if err == nil && !bytes.Equal(v.Data, p.target) {
			err = errAgain
		}
		return store.Write{Data: p.data, Now: p.changed, Line: p.lines}, err
	})
}

// verify reads the document back, and returns errAgain if somebody has changed it.
func (p *part) verify() error {
	if p.data == nil {
		return nil
	}
	v, err := p.to.Get(p.key)
	if err == nil && !bytes.Equal(v.Data, p.data) {
		err = errAgain
	}
	return err
}

// lines reads the log of a document as of the moment at which the document was read.
func lines(v store.Value) ([]byte, error) {
	log, err := v.Lines()
	return log, meanwhile(err)
}

// meanwhile adds errAgain to the error about a log that has changed since its document was read.
func meanwhile(err error) error {
	if errors.Is(err, store.ErrBusy) {
		return fmt.Errorf("%w: %w", errAgain, err)
	}
	return err
}

// lacking returns the lines of a log that another one lacks.
func lacking(log, other []byte) []byte {
	has := map[string]bool{}
	for line := range bytes.Lines(other) {
		has[string(line)] = true
	}
	var out []byte
	for line := range bytes.Lines(log) {
		if !has[string(line)] {
			out = append(out, line...)
		}
	}
	return out
}
