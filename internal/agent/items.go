package agent

import (
	"strconv"
	"time"

	"onward/internal/native"
	"onward/internal/todo"
)

// items returns the items of a list. An entry that cannot be kept is left out with a warning.
func (s *stream) items(list *native.List) []todo.Item {
	s.unread = len(list.Left)
	for _, left := range list.Left {
		s.sum.ItemsSkipped++
		s.warn("item %d of a list is left out: %v", left.At+1, left.Why)
	}
	if list.More > 0 {
		s.skipItems(list.More, "more items of a list are left out: the list is full")
	}
	return list.Items
}

// accepted returns the items of the list that an accepted call holds, or false where it holds none.
func (s *stream) accepted(call string, list *native.List) (items []todo.Item, ok bool) {
	if list == nil {
		s.warn("%s was accepted, but holds no list", quote(call))
		return nil, false
	}
	return s.items(list), true
}

// accept reports the list that an accepted call wrote.
func (s *stream) accept(call todoCall, list *native.List, at todo.Time) {
	if items, ok := s.accepted(call.id, list); ok {
		s.list(Update{SubAgent: call.sub, Parent: call.parent, TodoID: call.id, At: at}, items)
	}
}

// skipItems counts items that are omitted because a list is full.
func (s *stream) skipItems(n int, why string) {
	s.sum.ItemsSkipped += n
	s.warn("%d %s", n, why)
}

// millis reads a stream's own time where it is a number, the milliseconds since the Unix epoch; an invalid time is 0.
func millis(text word) todo.Time {
	at, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || at < 0 || at > maxMillis {
		return 0
	}
	return todo.Time(at)
}

// seconds reads a stream's own time where it is in seconds since the Unix epoch, with a fraction; an invalid time is 0.
func seconds(text word) todo.Time {
	at, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(at > 0 && at <= maxMillis/1000) {
		return 0
	}
	return todo.Time(at * 1000)
}

// maxMillis is the end of the year 9999, the last that can be written.
const maxMillis = 253402300799999

// instant reads a stream's own time; an invalid time is 0.
func instant(text word) todo.Time {
	if len(text) == 0 {
		return 0
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return 0
	}
	return todo.TimeOf(at)
}
