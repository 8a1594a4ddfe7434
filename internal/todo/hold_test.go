package todo

import (
	"errors"
	"strings"
	"testing"
)

// TestHold renews the claim of a run, and checks the errors if the claim was lost.
func TestHold(t *testing.T) {
	w1, w2 := worker("w1"), worker("w2")
	there := worker("w1")
	there.Host = "there"
	later := noon + Time(lease.Milliseconds()) // the claim has ended
	claim := func(w Worker, at Time) func([]Item) []Item {
		return func(items []Item) []Item {
			e, _, err := ClaimNext(items, w, at)
			if err != nil {
				t.Fatal(err)
			}
			return e.Items
		}
	}
	set := func(s Status) func([]Item) []Item {
		return func(items []Item) []Item {
			e, err := SetStatus(items, []Range{{all: true}}, s, "", noon+1)
			if err != nil {
				t.Fatal(err)
			}
			return e.Items
		}
	}
	for name, c := range map[string]struct {
		did    []func([]Item) []Item
		number int
		want   error
		says   string
	}{
		"held":                          {did: []func([]Item) []Item{claim(w1, noon)}},
		"held, by its number":           {did: []func([]Item) []Item{claim(w1, noon)}, number: 1},
		"never claimed":                 {want: ErrHeld, says: "not claimed by w1: item 1 is pending"},
		"expired, not reclaimed":        {did: []func([]Item) []Item{claim(w1, noon-Time(lease.Milliseconds()))}, number: 1},
		"ended, and another came":       {did: []func([]Item) []Item{claim(w1, noon), claim(w2, later)}, number: 1, want: ErrHeld, says: "item 1 is claimed by w2 since "},
		"came back":                     {did: []func([]Item) []Item{claim(w1, noon), claim(w2, later), set(Pending), claim(w1, later)}, number: 1, want: ErrHeld, says: "claimed again, by another process of w1"},
		"of that name elsewhere":        {did: []func([]Item) []Item{claim(there, noon)}, want: ErrHeld, says: "item 1 is claimed by w1 on another machine, there, since "},
		"completed meanwhile":           {did: []func([]Item) []Item{claim(w1, noon), set(Completed)}, number: 1, want: ErrCompleted, says: "item 1 is completed already"},
		"completed after another claim": {did: []func([]Item) []Item{claim(w1, noon), claim(w2, later), set(Completed)}, number: 1, want: ErrHeld, says: "item 1 is completed"},
		"blocked meanwhile":             {did: []func([]Item) []Item{claim(w1, noon), set(Blocked)}, number: 1, want: ErrBlocked, says: "item 1 was blocked meanwhile: no reason given"},
		"blocked before":                {did: []func([]Item) []Item{claim(w1, noon), set(Blocked)}, want: errNotHeld, says: "not claimed by w1: item 1 is blocked"},
		"blocked after another claim":   {did: []func([]Item) []Item{claim(w1, noon), claim(w2, later), set(Blocked)}, number: 1, want: errNotHeld, says: "not claimed by w1: item 1 is blocked"},
	} {
		t.Run(name, func(t *testing.T) {
			items := parse("·one")
			for _, did := range c.did {
				items = did(items)
			}
			h := HeldClaim{ID: items[0].ID, Number: c.number}
			got, at, err := w1.RenewClaim(items, h, noon+5)
			switch {
			case c.want == nil && (err != nil || at != 0 || got[0].Claim.Until != noon+5+Time(lease.Milliseconds()) || got[0].Claim.Number != 1):
				t.Errorf("item %d, %+v, %v", at, got[0].Claim, err)
			case c.want != nil && (!errors.Is(err, c.want) || !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v; want %q", err, c.says)
			}
			if _, err := w1.SettleClaim(items, h, Completed, "", noon+5); (err == nil) != (c.want == nil) {
				t.Errorf("settle: %v", err)
			}
		})
	}
	if _, _, err := w1.RenewClaim(parse("·one"), HeldClaim{ID: "gone"}, noon); !errors.Is(err, ErrNotFound) {
		t.Errorf("an item that is gone: %v", err)
	}
}

// TestSettle ends a claim in each way. Afterwards no worker may hold the item.
func TestSettle(t *testing.T) {
	for status, want := range map[Status]struct{ reason, what string }{
		Completed: {"", "w1 completed 1 item"},
		Blocked:   {"no access", "w1 blocked 1 item"},
		Pending:   {"", "w1 released 1 item"},
	} {
		e, _, err := ClaimNext(parse("·one ·two"), worker("w1"), noon)
		if err != nil {
			t.Fatal(err)
		}
		e, err = worker("w1").SettleClaim(e.Items, HeldClaim{ID: e.Items[0].ID, Number: 1}, status, want.reason, noon+1)
		if err != nil {
			t.Fatal(err)
		}
		if it := e.Items[0]; it.Status != status || it.Claim != nil || it.Claims != 1 || it.Reason != want.reason || e.What != want.what || len(e.Touched) != 1 {
			t.Errorf("%s: %+v, %q", status, it, e.What)
		}
	}
}
