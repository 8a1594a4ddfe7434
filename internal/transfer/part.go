package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"onward/internal/store"
)

// part is one document on its way, with its log.
type part struct {
	key     store.Key
	to      store.Backend
	data    []byte // what the target gets; nil where there is nothing to copy
	changed time.Time
	lines   []byte // of the log, which the target lacks
	target  []byte // what the target has
	clears  bool   // the target's copy is removed first, with its log
}

func (p *part) differs() bool {
	if p.data == nil {
		return p.clears
	}
	return !bytes.Equal(p.data, p.target) || len(p.lines) > 0
}

// write brings the document to the target, unless the target has changed since it was read.
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

// verify reads back what was written.
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

// lines reads the log of a document, as it was together with the document.
func lines(v store.Value) ([]byte, error) {
	log, err := v.Lines()
	return log, meanwhile(err)
}

// meanwhile tells that only a log of another moment can be read any more.
func meanwhile(err error) error {
	if errors.Is(err, store.ErrBusy) {
		return fmt.Errorf("%w: %w", errAgain, err)
	}
	return err
}

// lacking returns the lines that a log has and another one has not.
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
