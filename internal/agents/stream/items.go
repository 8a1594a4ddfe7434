package stream

import (
	"strconv"
	"time"

	"onward/internal/native"
	"onward/internal/todo"
)

// Items returns the items of a list. An entry that cannot be kept is left out with a warning.
func (s *Session) Items(list *native.List) []todo.Item {
	s.unread, s.leftOut = len(list.Left), list.SkippedTexts()
	for _, left := range list.Left {
		s.Counts.ItemsSkipped++
		s.Warn("item %d of a list is left out: %v", left.At+1, left.Why)
	}
	if list.More > 0 {
		s.SkipItems(list.More, "more items of a list are left out: the list is full")
	}
	return list.Items
}

// Accepted returns the items of the list that an accepted call holds, or false if it holds none that can be read.
func (s *Session) Accepted(call AwaitedTodoCall, list *native.List) (items []todo.Item, ok bool) {
	switch {
	case list != nil:
	case call.long:
		s.Warn("%s was accepted, but its list was not read: it has more than %d bytes", Quote(call.ID), maxInput)
		return nil, false
	default:
		s.Warn("%s was accepted, but holds no list", Quote(call.ID))
		return nil, false
	}
	return s.Items(list), true
}

// Accept reports the list that an accepted call wrote.
func (s *Session) Accept(call AwaitedTodoCall, list *native.List, at todo.Time) {
	if items, ok := s.Accepted(call, list); ok {
		s.EmitList(Update{SubAgent: call.SubAgent, Parent: call.Parent, TodoID: call.ID, At: at}, items)
	}
}

// SkipItems counts items that are omitted because a list is full.
func (s *Session) SkipItems(n int, why string) {
	s.Counts.ItemsSkipped += n
	s.Warn("%d %s", n, why)
}

// ParseMillis reads a stream's own time if it is a number, the milliseconds since the Unix epoch; an invalid time is 0.
func ParseMillis(text Word) todo.Time {
	at, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || at < 0 || at > maxMillis {
		return 0
	}
	return todo.Time(at)
}

// ParseUnixSeconds reads a stream's own time if it is in seconds since the Unix epoch, with a fraction; an invalid time is 0.
func ParseUnixSeconds(text Word) todo.Time {
	at, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(at > 0 && at <= maxMillis/1000) {
		return 0
	}
	return todo.Time(at * 1000)
}

// maxMillis is the end of the year 9999, the last that can be written.
const maxMillis = 253402300799999

// ParseInstant reads a stream's own time; an invalid time is 0.
func ParseInstant(text Word) todo.Time {
	if len(text) == 0 {
		return 0
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return 0
	}
	return todo.TimeOf(at)
}
