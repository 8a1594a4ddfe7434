package live

import (
	"testing"
	"time"

	continuation "onward/internal/continue"
	"onward/internal/session"
)

func TestStaleSnapshot(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	written := now.Add(-time.Hour)
	read := Snapshot{Row: Row{StoredList: session.StoredList{Changed: written}}, At: now.Add(-time.Minute)}
	volatile := read
	volatile.Row.Standing.Volatile = true
	again := volatile
	again.At = now.Add(-time.Second)
	withCalls := read
	withCalls.Calls = true
	for _, c := range []struct {
		name    string
		read    Snapshot
		changed time.Time
		calls   bool
		want    bool
	}{
		{"unchanged", read, written, false, false},
		{"written since", read, written.Add(time.Second), false, true},
		{"with tool calls", read, written, true, true},
		{"with tool calls before", withCalls, written, false, true},
		{"that time alone may change", volatile, written, false, true},
		{"that time alone may change, just read", again, written, false, false},
	} {
		if got := c.read.Stale(session.StoredList{Changed: c.changed}, c.calls, now, now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	just := Snapshot{Row: Row{StoredList: session.StoredList{Changed: now.Add(-time.Second)}}, At: now}
	if !just.Stale(session.StoredList{Changed: now.Add(-time.Second)}, false, now, now) {
		t.Error("a document that was written a moment ago may have been written again")
	}
}

func TestSwitchStopsOrResumes(t *testing.T) {
	name := session.Name{Session: "demo"}
	for _, c := range []struct {
		attention continuation.Attention
		reason    string
		want      continuation.Type
	}{
		{continuation.AttentionContinuing, "open", continuation.Stop},
		{continuation.AttentionStalled, "open", continuation.Stop},
		{continuation.AttentionUser, "open", continuation.Stop},
		{continuation.AttentionUser, "paused", continuation.Resume},
		{continuation.AttentionLimit, "open", continuation.Resume},
		{continuation.AttentionHost, "failed", continuation.Resume},
		{continuation.AttentionStopped, "stopped", continuation.Resume},
	} {
		r := Row{StoredList: session.StoredList{Name: name}}
		r.Standing.Attention, r.Standing.Reason = c.attention, c.reason
		if event, done, err := r.StopOrResume(); event != c.want || done == "" || err != nil {
			t.Errorf("%s %s: %s %q, %v", c.attention, c.reason, event, done, err)
		}
	}
	done := Row{StoredList: session.StoredList{Name: name}}
	done.Standing.Attention = continuation.AttentionDone
	for _, r := range []Row{done, {StoredList: session.StoredList{Name: name}, Err: session.ErrNoSession}} {
		if event, _, err := r.StopOrResume(); event != "" || err == nil {
			t.Errorf("%+v: %s, %v", r, event, err)
		}
	}
}
