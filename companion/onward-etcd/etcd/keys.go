package etcd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"onward/internal/store"
)

// The keys, after the prefix of the store:
//
//	sessions/NAME               a document, of a collection whose folder is "sessions"
//	index/sessions/name         when it was written, and the length of its log, so that listing reads no documents;
//	                            in lower case, so that two names which differ in case collide
//	history/NAME/REV-SIZE       a line of its log, written when its index had that revision
//	parts/history/NAME/REV-ID   the content of such a line, if it is too large for one request with the document
//	schedules/NAME/PLACE        a line of a journal, at that byte of the log
//	run/schedules/NAME          the holder of the document, as long as its lease lasts
//	asked/schedules/NAME/HOST   when a machine asked whether the holder is still there
//	deleted/sessions/NAME       the mark of a deletion, for a day, so that a deletion can be repeated if its answer was lost
//	copies/sessions/NAME/SUM    a copy of a damaged document

func (s *Store) key(parts ...string) string { return s.prefix + strings.Join(parts, "/") }

func (s *Store) docKey(k store.Key) string { return s.key(k.Kind.Folder, k.Name) }

func (s *Store) indexKey(k store.Key) string {
	return s.key("index", k.Kind.Folder, strings.ToLower(k.Name))
}

func (s *Store) deletedKey(k store.Key) string { return s.key("deleted", k.Kind.Folder, k.Name) }
func (s *Store) runKey(k store.Key) string     { return s.key("run", k.Kind.Folder, k.Name) }

// askedPrefix begins the keys by which machines ask the holder whether it is still there.
func (s *Store) askedPrefix(k store.Key) string { return s.key("asked", k.Kind.Folder, k.Name, "") }

// The prefixes end in a slash, so that the keys of one name are never among those of a longer one.

func (s *Store) logPrefix(k store.Key) string { return s.key(k.Kind.Log.Folder, k.Name, "") }

func (s *Store) partPrefix(k store.Key) string {
	return s.key("parts", k.Kind.Log.Folder, k.Name, "")
}

func (s *Store) copyPrefix(k store.Key) string { return s.key("copies", k.Kind.Folder, k.Name, "") }

// number formats a number for a key, so that the keys sort as the numbers do.
func number[N int | int64](n N) string { return fmt.Sprintf("%016x", n) }

// lineName returns the end of the key of a line: the index revision that it was written at, and its size. Journals have other keys.
func lineName(after int64, size int) string { return number(after) + "-" + strconv.Itoa(size) }

// lineSize returns the size of a line, which its key contains.
func lineSize(key string) int {
	_, size, _ := strings.Cut(key[strings.LastIndexByte(key, '/')+1:], "-")
	n, _ := strconv.Atoi(size)
	return n
}

// entry is the index entry of a document.
type entry struct {
	name    string
	changed time.Time
	lines   int // of its log
	bytes   int // of its log, unpacked
}

func (e entry) String() string {
	return fmt.Sprintf("%s %d %d %s", e.changed.UTC().Format(time.RFC3339Nano), e.lines, e.bytes, e.name)
}

func parseEntry(text string) (e entry, err error) {
	words := strings.SplitN(text, " ", 4)
	if len(words) != 4 {
		return e, store.WrapProblem(store.ErrCorrupt, "the index says %q", text)
	}
	e.name = words[3]
	if e.changed, err = time.Parse(time.RFC3339Nano, words[0]); err == nil {
		e.lines, err = strconv.Atoi(words[1])
	}
	if err == nil {
		e.bytes, err = strconv.Atoi(words[2])
	}
	if err != nil {
		return e, store.WrapProblem(store.ErrCorrupt, "the index says %q: %w", text, err)
	}
	return e, nil
}
