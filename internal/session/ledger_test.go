package session

import (
	"reflect"
	"testing"

	"onward/internal/todo"
)

// TestEveryCounterIsListed checks that each counter of a ledger is in the table that says what resets it.
func TestEveryCounterIsListed(t *testing.T) {
	var l Ledger
	listed := map[any]bool{}
	for _, c := range counters {
		listed[c.of(&l)] = true
	}
	v := reflect.ValueOf(&l).Elem()
	for i := range v.NumField() {
		if n, ok := v.Field(i).Addr().Interface().(*int); ok && !listed[n] {
			t.Errorf("%s is not in the table of counters", v.Type().Field(i).Name)
		}
	}
}

func TestCountersStartAnew(t *testing.T) {
	full := Ledger{Turns: 1, Attempts: 2, Stagnation: 3, TotalPrompt: 4, TotalSession: 5, ToolCalls: 6, PendingCalls: 7, CheckIns: 8}
	for _, c := range []struct {
		kind ResetBy
		want Ledger
	}{
		{EveryTurn, Ledger{Stagnation: 3, TotalPrompt: 4, TotalSession: 5, PendingCalls: 7, CheckIns: 8}},
		{ByUser, Ledger{Turns: 1, Resets: 1, TotalSession: 5, ToolCalls: 6, PendingCalls: 7, CheckIns: 8}},
		{ByArchive, Ledger{Turns: 1, Attempts: 2, Stagnation: 3, TotalPrompt: 4, ToolCalls: 6, PendingCalls: 7}},
		{ByLoad, Ledger{Turns: 1, TotalPrompt: 4, TotalSession: 5, ToolCalls: 6, PendingCalls: 7, CheckIns: 8}},
	} {
		got := full
		if got.ResetCounters(c.kind); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%b: got %+v", c.kind, got)
		}
		if !full.HasCounters(c.kind) || got.HasCounters(c.kind) {
			t.Errorf("%b: counted %v, then %v", c.kind, full.HasCounters(c.kind), got.HasCounters(c.kind))
		}
		got.Resets = 0 // is of no kind: that the user began anew stays
		if got.SetCounters(c.kind, &full); !reflect.DeepEqual(got, full) {
			t.Errorf("%b: set back to %+v", c.kind, got)
		}
	}
}

func TestActiveListAndStop(t *testing.T) {
	active := &Document{Todos: Todos{Active: true}}
	archived := &Document{Todos: Todos{Items: []todo.Item{{Content: "a"}}}}
	stopped := &Document{Continuation: Ledger{StoppedAt: noon}}
	for _, c := range []struct {
		name            string
		doc             *Document
		active, stopped bool
	}{
		{"no document", nil, false, false},
		{"an empty list", active, true, false},
		{"an archived list", archived, false, false},
		{"no list, and a stop", stopped, false, true},
	} {
		if is, was := c.doc.IsActive(), c.doc.Ledger().Stopped(); is != c.active || was != c.stopped {
			t.Errorf("%s: active %v, stopped %v", c.name, is, was)
		}
	}
}
