package todo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const lease = 30 * time.Minute

func worker(name string) Worker {
	return Worker{Name: name, Host: "here", Lease: lease, Claims: true}
}

// In the table, each word of a list is an item: its status, its priority, its claim, and the items that it depends on.
func TestReadyFor(t *testing.T) {
	held := func(by string, until Time) *Claim { return &Claim{By: by, Host: "here", Until: until} }
	const now = Time(1_000_000)
	for name, c := range map[string]struct {
		items []Item
		want  int
		why   string
	}{
		"an empty list":                   {nil, -1, nothingOpen},
		"all closed":                      {[]Item{{Status: Completed}, {Status: Cancelled}}, -1, nothingOpen},
		"the first":                       {[]Item{{Status: Pending}, {Status: Pending}}, 0, ""},
		"a higher priority":               {[]Item{{Status: Pending}, {Status: Pending, Priority: High}}, 1, ""},
		"after a closed one":              {[]Item{{ID: "a", Status: Completed}, {Status: Pending, BlockedBy: []string{"a"}}}, 1, ""},
		"held by another":                 {[]Item{{Status: InProgress, Claim: held("w2", now+1)}, {Status: Pending}}, 1, ""},
		"the other's claim has ended":     {[]Item{{Status: InProgress, Claim: held("w2", now)}, {Status: Pending}}, 0, ""},
		"its own before a higher one":     {[]Item{{Status: Pending, Priority: High}, {Status: InProgress, Claim: held("w1", now+1)}}, 1, ""},
		"in progress without a holder":    {[]Item{{Status: InProgress}}, -1, othersWork},
		"all held":                        {[]Item{{Status: InProgress, Claim: held("w2", now+1)}}, -1, othersWork},
		"after one that is held":          {[]Item{{ID: "a", Status: InProgress, Claim: held("w2", now+1)}, {Status: Pending, BlockedBy: []string{"a"}}}, -1, othersWork},
		"blocked":                         {[]Item{{Status: Blocked}}, -1, allBlocked},
		"after a blocked one":             {[]Item{{ID: "a", Status: Blocked}, {Status: Pending, BlockedBy: []string{"a"}}}, -1, allBlocked},
		"its own, which an agent blocked": {[]Item{{Status: Blocked, Claim: held("w1", now+1)}}, -1, allBlocked},
	} {
		t.Run(name, func(t *testing.T) {
			got := ReadyFor(c.items, worker("w1"), now)
			if got.Item != c.want || got.Item < 0 && got.Reason() != c.why {
				t.Errorf("item %d, %s; want %d, %s", got.Item, got.Reason(), c.want, c.why)
			}
		})
	}
}

// Two workers with the same name on different machines must not share their claims.
func TestWorkerOnTwoMachines(t *testing.T) {
	items := parse("·one ·two")
	e, _, err := ClaimNext(items, worker("w1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	there := worker("w1")
	there.Host = "there"
	if _, _, err = ClaimNext(e.Items, there, noon+1); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "another machine, here: choose another name") {
		t.Errorf("claim from another machine: %v", err)
	}
	if _, _, err = ClaimNext(e.Items, there, noon+Time(lease.Milliseconds())); err != nil {
		t.Errorf("claim once the other one has ended: %v", err)
	}
}

// A machine that replaces another one under the same worker name continues what that one held, before any other item, once its
// claim keeps nobody away any more.
func TestReplacedMachine(t *testing.T) {
	its := &Process{PID: 1, Start: "1"}
	for name, c := range map[string]struct {
		blocked, holds, take bool
		want                 int
		says                 string
		err                  error
	}{
		"it has died":                      {false, false, false, 0, "w1 claimed 1 item again, which it held on here", nil},
		"it has died, its item is blocked": {true, false, false, 1, "w1 claimed 1 item", nil},
		"it is at work":                    {false, true, false, -1, "", ErrHeld},
		"it is at work, and loses it":      {false, true, true, 1, "w1 claimed 1 item", nil},
	} {
		t.Run(name, func(t *testing.T) {
			items := parse("·one ·two")
			here, there := worker("w1"), worker("w1")
			here.Process, there.Host, there.Take = its, "there", c.take
			there.Holds = func(it *Item, _ Time) bool { return it.Claim != nil && c.holds }
			e, _, err := ClaimNext(items, here, noon)
			if err != nil {
				t.Fatal(err)
			}
			e.Items[1].Priority = High
			if c.blocked {
				e.Items[0].Status = Blocked
			}
			got, ready, err := ClaimNext(e.Items, there, noon+1)
			if ready.Item != c.want || got.What != c.says || !errors.Is(err, c.err) {
				t.Fatalf("item %d, %q, %v", ready.Item, got.What, err)
			}
			if c.want == 0 {
				if is := got.Items[0].Claim; is.Number != 2 || is.Host != "there" || is.Process != nil {
					t.Errorf("%+v", is)
				}
			}
		})
	}
}

// A claim with a process ends with the process, and lasts as long as its run works, whatever the clock shows.
func TestClaimOfProcess(t *testing.T) {
	its := &Process{PID: 1, Start: "1"}
	for name, c := range map[string]struct {
		process *Process
		later   Time
		holds   bool
		gets    bool
		says    string
	}{
		"at work":                     {its, 1, true, false, ""},
		"ended":                       {its, 1, false, true, "w2 claimed 1 item, after the process of w1 had ended"},
		"ended long ago":              {its, Time(lease.Milliseconds()), false, true, "w2 claimed 1 item, after the claim of w1 had ended"},
		"at work, the clock is ahead": {its, Time(lease.Milliseconds()), true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w1, w2 := worker("w1"), worker("w2")
			w1.Process = c.process
			w2.Holds = func(*Item, Time) bool { return c.holds }
			e, _, err := ClaimNext(parse("·one"), w1, noon)
			if err != nil {
				t.Fatal(err)
			}
			got, ready, err := ClaimNext(e.Items, w2, noon+c.later)
			if err != nil || (ready.Item == 0) != c.gets || got.What != c.says {
				t.Errorf("item %d, %q, %v", ready.Item, got.What, err)
			}
			if wait := ready.Wait(noon + c.later); !c.gets && wait != 3*time.Second {
				t.Errorf("it looks again after %v, though the process may end before", wait)
			}
			if c.gets && (got.Items[0].Claim.Process != nil || got.Items[0].Claim.Number != 2) {
				t.Errorf("%+v", got.Items[0].Claim)
			}
		})
	}
}

// No other worker gets the item of a worker that renews its claim, if the time between two renewals and the difference between
// two clocks are together shorter than the lease.
func TestClaimsByTwoClocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ahead := rapid.Int64Range(-lease.Milliseconds(), lease.Milliseconds()-2).Draw(t, "the other clock is ahead by")
		pause := Time(rapid.Int64Range(1, lease.Milliseconds()-max(ahead, 0)-1).Draw(t, "the time between two renewals"))
		e, _, err := ClaimNext(parse("·one"), worker("w1"), noon)
		if err != nil {
			t.Fatal(err)
		}
		for now := noon; now < noon+10*pause; now += pause {
			items := worker("w1").Renew(e.Items, now)
			asked := now + Time(rapid.Int64Range(0, int64(pause)-1).Draw(t, "asks after"))
			if got, _, err := ClaimNext(items, worker("w2"), asked+Time(ahead)); err != nil || got.Items != nil {
				t.Fatalf("%q, %v", got.What, err)
			}
			e.Items = items
		}
	})
}

// A worker whose run has died keeps its item by renewing the claim, which then ends only by the clock.
func TestRenewAfterProcess(t *testing.T) {
	w := worker("w1")
	w.Process = &Process{PID: 1, Start: "1"}
	e, _, err := ClaimNext(parse("·one"), w, noon)
	if err != nil {
		t.Fatal(err)
	}
	w.Process = nil
	if got := w.Renew(e.Items, noon+1)[0].Claim; got.Process == nil {
		t.Error("a command of the worker ends the tie to its run")
	}
	w.Holds = func(*Item, Time) bool { return false }
	if e, _, err = ClaimNext(e.Items, w, noon+2); err != nil {
		t.Fatal(err)
	}
	if got := e.Items[0].Claim; got.Process != nil || got.Number != 1 || !got.Live(noon+2) {
		t.Errorf("%+v", got)
	}
}

// An agent's own list contains no claims. It removes no claim, neither from items that it rewrites nor from those that it leaves out.
func TestAgentsListKeepsClaims(t *testing.T) {
	items := parse("·one ·two")
	e, _, err := ClaimNext(items, worker("w1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string][]Item{
		"rewritten": {{Content: "one", Status: Pending}, {Content: "two"}},
		"left out":  {{Content: "two"}},
	} {
		out, from := Carry(e.Items, list, false, 0, noon+1)
		out, _, _ = KeepUserItems(e.Items, out, from, false)
		ref, err := byID(out, e.Items[0].ID)
		if err != nil || !out[ref.Item].Claim.Live(noon+1) {
			t.Errorf("%s: the claim is lost: %+v, %v", name, out, err)
		}
	}
	out, _ := Carry(e.Items, []Item{{Content: "one", Status: Completed}, {Content: "two"}}, false, 0, noon+1)
	if out[0].Claim != nil || out[0].Claims != 1 {
		t.Errorf("a completed item is still claimed: %+v", out[0])
	}
}

// TestClaimsProperties draws actions of workers in any order. No worker may get an item that another one holds; no item may be ready
// before those it depends on; the number of claims of an item only grows; and when all claims have ended, each open item is
// ready, or depends on an open item.
func TestClaimsProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(r, "items")
		drafts := make([]Draft, n)
		for i := range drafts {
			drafts[i].Content = fmt.Sprint("item ", i)
			drafts[i].Priority = rapid.SampledFrom([]Priority{"", High, Low}).Draw(r, "priority")
		}
		e, err := Add(nil, EndPosition(), drafts, noon)
		if err != nil {
			r.Fatal(err)
		}
		items, now := e.Items, noon
		for i := 1; i < n; i++ {
			if rapid.Bool().Draw(r, "after") {
				items[i].BlockedBy = []string{items[rapid.IntRange(0, i-1).Draw(r, "before")].ID}
			}
		}
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			now += Time(rapid.SampledFrom([]int64{0, 1, lease.Milliseconds() / 2, lease.Milliseconds()}).Draw(r, "pass"))
			w := worker(rapid.SampledFrom([]string{"w1", "w2", "w3"}).Draw(r, "worker"))
			before := items
			switch rapid.SampledFrom([]string{"next", "next", "done", "release", "block", "start"}).Draw(r, "does") {
			case "next":
				e, got, err := ClaimNext(items, w, now)
				if err != nil {
					r.Fatal(err)
				}
				if got.Item < 0 {
					continue
				}
				if c := before[got.Item].Claim; c.Live(now) && c.By != w.Name {
					r.Fatalf("%s got item %d, which %s holds", w.Name, got.Item+1, c.By)
				}
				if c := before[got.Item].Claim; c == nil && len(WaitsFor(before, got.Item)) > 0 {
					r.Fatalf("%s got item %d before what it comes after", w.Name, got.Item+1)
				}
				items = e.Items
			case "release":
				if e, err := Release(items, at(r, n), w, now); err == nil {
					items = e.Items
				}
			case "done":
				items = settle(items, at(r, n), Completed, w, now)
			case "block":
				items = settle(items, at(r, n), Blocked, w, now)
			case "start":
				items = settle(items, at(r, n), InProgress, w, now)
			}
			for i := range items {
				if items[i].Claims < before[i].Claims {
					r.Fatalf("item %d was claimed %d times, and now %d", i+1, before[i].Claims, items[i].Claims)
				}
				if c := before[i].Claim; c.Live(now) && c.By != w.Name && !items[i].Claim.equal(c) {
					r.Fatalf("%s took item %d from %s", w.Name, i+1, c.By)
				}
				if items[i].Claim != nil && !items[i].Status.Open() {
					r.Fatalf("item %d is closed and claimed", i+1)
				}
			}
		}
		got := ReadyFor(items, worker("w9"), now+Time(lease.Milliseconds())+1)
		if count := Count(items); got.Item < 0 && count.Open > 0 && got.Reason() == othersWork {
			r.Fatalf("all claims have ended, and nothing of %d open items is ready", count.Open)
		}
	})
}

func at(r *rapid.T, n int) []Range {
	ranges, err := ParseRanges([]string{fmt.Sprint(rapid.IntRange(1, n).Draw(r, "at"))})
	if err != nil {
		r.Fatal(err)
	}
	return ranges
}

func settle(items []Item, ranges []Range, s Status, w Worker, now Time) []Item {
	if e, err := SetStatusBy(items, ranges, s, "", w, now); err == nil {
		return e.Items
	}
	return items
}

// TestLateWorker lets a worker whose claim has ended change an item that another one has completed since.
func TestLateWorker(t *testing.T) {
	items := []Item{{ID: "1", Content: "one", Status: Completed, Claims: 2}}
	one, err := ParseRange("1")
	if err != nil {
		t.Fatal(err)
	}
	all := []Range{one}
	late := Worker{Name: "w1", Claims: true}
	for _, s := range []Status{InProgress, Blocked, Cancelled} {
		if _, err := SetStatusBy(items, all, s, "", late, 1000); !errors.Is(err, ErrHeld) {
			t.Errorf("%s: %v", s, err)
		}
		taking := late
		taking.Take = true
		for _, w := range []Worker{taking, {}} {
			if e, err := SetStatusBy(items, all, s, "", w, 1000); err != nil || e.Items[0].Status != s {
				t.Errorf("%s by %+v: %v", s, w, err)
			}
		}
	}
	if e, err := SetStatusBy(items, all, Pending, "", late, 1000); err != nil || e.Items[0].Status != Pending {
		t.Errorf("opened again: %v", err)
	}
}
