package session

import (
	"hash/fnv"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// QueueItem is the item of a queue that a worker's agent works on in a session of its own.
type QueueItem struct {
	Queue   string // the list's name
	Item    string // the item's id
	Content string // its text, as it was when the work began
	Worker  string
	Unknown jsontext.Value
}

// Fields lists the members of a work.
func (w *QueueItem) Fields(f *object.Fields) {
	f.Require("queue", "item")
	object.Text(f, "queue", &w.Queue)
	object.Text(f, "item", &w.Item)
	object.Text(f, "content", &w.Content)
	object.Text(f, "worker", &w.Worker)
	f.Unknown(&w.Unknown)
}

// WorkerSession returns the session of a worker's own, in which its agent keeps the steps of an item of this list: `release.w1`.
// A name that cannot be a session's as it is has a hash, so that no two workers share one.
func (n Name) WorkerSession(worker string) Name {
	text := n.String() + "." + worker
	id := cleanID(text, maxSession)
	if id != text {
		h := fnv.New32a()
		h.Write([]byte(text))
		hash := "-" + strconv.FormatUint(uint64(h.Sum32()), 36)
		id = cleanID(text, maxSession-len(hash)) + hash
	}
	return Name{Session: id}
}
