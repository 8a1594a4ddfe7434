package etcd

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"sync"

	"onward/internal/store"
)

// id identifies one commit. After a lost answer, a document with the id shows that the commit was made.
type id [8]byte

func newID() (c id) {
	_, _ = rand.Read(c[:]) // it never fails, as its documentation says
	return c
}

// keptIDs is how many commits a document remembers, because others can come between a commit and the search for it.
const keptIDs = 32

// cell is the value of a key. It is compressed with gzip, whose header contains everything but the content;
// so `etcdctl get --print-value-only KEY | gunzip` shows the document.
type cell struct {
	data []byte
	ids  []id   // of the last commits of the document, newest last
	mark string // of a line of a journal
}

// packers are reused, because each takes more memory than the content that it compresses.
var packers sync.Pool

func (c cell) pack() ([]byte, error) {
	var b bytes.Buffer
	z, _ := packers.Get().(*gzip.Writer)
	if z == nil {
		var err error
		if z, err = gzip.NewWriterLevel(&b, gzip.BestSpeed); err != nil {
			return nil, err
		}
	}
	defer packers.Put(z)
	z.Reset(&b)
	ids := c.ids[max(0, len(c.ids)-keptIDs):]
	z.Extra = make([]byte, 0, len(ids)*len(id{}))
	for _, one := range ids {
		z.Extra = append(z.Extra, one[:]...)
	}
	z.Comment = c.mark
	_, err := z.Write(c.data)
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpack reads a cell whose content has at most limit bytes.
func unpack(packed []byte, limit int64) (c cell, err error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return c, store.WrapProblem(store.ErrCorrupt, "it is not packed by gzip: %w", err)
	}
	c.mark = z.Comment
	for part := range slices.Chunk(z.Extra, len(id{})) {
		var one id
		copy(one[:], part)
		c.ids = append(c.ids, one)
	}
	if c.data, err = io.ReadAll(io.LimitReader(z, limit+1)); err != nil {
		return c, store.WrapProblem(store.ErrCorrupt, "it cannot be unpacked: %w", err)
	}
	if int64(len(c.data)) > limit {
		c.data = nil
		return c, store.WrapProblem(store.ErrLimit, "it has more than %d bytes", limit)
	}
	return c, nil
}
