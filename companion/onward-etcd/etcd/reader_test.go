package etcd

import (
	"errors"
	"testing"
)

// What was read is true as long as the servers have reported, from before it was read, what changes, and no later change of it.
func TestKeptIsTrue(t *testing.T) {
	const doc, other, all = "sessions/a", "sessions/b", "sessions/"
	for _, c := range []struct {
		name   string
		happen func(k *kept)
		doc    bool
		list   bool
	}{
		{"nothing is watched", func(*kept) {}, false, false},
		{"the document is watched from before", func(k *kept) { k.sees(doc, 5) }, true, false},
		{"the document is watched from later on", func(k *kept) { k.sees(doc, 6) }, false, false},
		{"the collection is watched", func(k *kept) { k.sees(all, 5) }, true, true},
		{"both are, one from later on", func(k *kept) { k.sees(doc, 6); k.sees(all, 4) }, true, true},
		{"it changed since", func(k *kept) { k.sees(all, 4); k.moved(doc, 6) }, false, false},
		{"it changed before, and this is reported late", func(k *kept) { k.sees(all, 4); k.moved(doc, 5) }, true, true},
		{"another one changed", func(k *kept) { k.sees(all, 4); k.moved(other, 6) }, true, false},
		{"the servers ended the watch", func(k *kept) { k.sees(all, 4); k.sees(all, 0) }, false, false},
		{"the watch began again later", func(k *kept) { k.sees(all, 4); k.sees(all, 0); k.sees(all, 7) }, false, false},
		{"the servers were silent", func(k *kept) { k.sees(all, 4); (&reader{kept: k}).spoke(errors.New("silence")) }, false, false},
	} {
		k := newKept()
		k.since[doc], k.since[all] = 0, 0
		k.keep(doc, answer{at: 5})
		k.keep(all, answer{at: 5})
		c.happen(k)
		if _, is := k.find(doc); is != c.doc {
			t.Errorf("%s: the document is kept: %v", c.name, is)
		}
		if _, is := k.find(all); is != c.list {
			t.Errorf("%s: the list of the collection is kept: %v", c.name, is)
		}
	}
}
