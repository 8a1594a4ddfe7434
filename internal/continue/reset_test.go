package continuation

import (
	"errors"
	"testing"
	"time"

	"onward/internal/session"
	"onward/internal/todo"
)

// TestResets reads the forms in which agents and their hosts name a time. The texts were printed on a Friday in Berlin.
func TestResets(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	report := time.Date(2026, 10, 9, 14, 30, 0, 0, berlin) // 12:30 UTC, 08:30 in New York
	for text, want := range map[string]string{
		// Claude Code
		"3pm (America/New_York)":        "2026-10-09T19:00:00Z",
		"3:45pm (America/New_York).":    "2026-10-09T19:45:00Z",
		"8am (America/New_York)":        "2026-10-09T12:30:00Z", // half an hour ago: now
		"7:31am (America/New_York)":     "2026-10-09T12:30:00Z",
		"7:29am (America/New_York)":     "2026-10-10T11:29:00Z", // tomorrow
		"12am (UTC)":                    "2026-10-10T00:00:00Z",
		"12:05pm (UTC)":                 "2026-10-09T12:30:00Z",
		"3pm":                           "2026-10-09T13:00:00Z", // in Berlin
		"3 p.m. (Asia/Kolkata)":         "2026-10-10T09:30:00Z",
		"Oct 9, 5pm":                    "2026-10-09T15:00:00Z",
		"Oct 9, 5pm (America/New_York)": "2026-10-09T21:00:00Z",
		"Oct 9 at 5:30pm (UTC)":         "2026-10-09T17:30:00Z",
		"October 12, 9am":               "2026-10-12T07:00:00Z",
		"Oct 7, 5pm":                    "",
		"1791556200":                    "2026-10-09T14:30:00Z",
		"1791556200000":                 "2026-10-09T14:30:00Z",
		"1791547200":                    "2026-10-09T12:30:00Z", // half an hour ago
		"1759950000":                    "",                     // a year ago
		"2791556200":                    "",

		// Codex
		"6:34 AM":                    "2026-10-10T04:34:00Z",
		"6:34\u202fPM.":              "2026-10-09T16:34:00Z",
		"Oct 11th, 2026 6:34 AM.":    "2026-10-11T04:34:00Z",
		"Oct 11th, 2025 6:34 AM":     "",
		"Nov 1st, 2026 6:34 AM":      "",
		"3 days 4 hours 12 minutes.": "2026-10-12T16:42:00Z",
		"1 hour and 1 minute":        "2026-10-09T13:31:00Z",
		"less than a minute":         "2026-10-09T12:31:00Z",
		"11.054s. Visit":             "2026-10-09T12:30:11.054Z",
		"898ms":                      "2026-10-09T12:30:00.898Z",

		// with a zone or an offset
		"10:57 PM GMT-3":        "2026-10-10T01:57:00Z",
		"10:57 PM (GMT-3).":     "2026-10-10T01:57:00Z",
		"3pm GMT+5:30":          "2026-10-10T09:30:00Z",
		"15:00 UTC+8":           "2026-10-10T07:00:00Z",
		"15:00 UTC -0230":       "2026-10-09T17:30:00Z",
		"15:00+00:00":           "2026-10-09T15:00:00Z",
		"15:00:30.5Z":           "2026-10-09T15:00:30Z",
		"3pm PDT":               "2026-10-09T22:00:00Z",
		"3 PM PT, or":           "2026-10-09T22:00:00Z",
		"3pm America/New_York":  "2026-10-09T19:00:00Z",
		"midnight Pacific time": "2026-10-10T07:00:00Z",
		"3pm (local time)":      "2026-10-09T13:00:00Z",
		"3pm (in 30 min)":       "2026-10-09T13:00:00Z",

		// with a day
		"Monday 9am":                        "2026-10-12T07:00:00Z",
		"Mon 12:00am":                       "2026-10-11T22:00:00Z",
		"on Monday at 9:00 AM":              "2026-10-12T07:00:00Z",
		"Fri 2pm":                           "2026-10-09T12:30:00Z", // today, half an hour ago
		"Friday, 1pm":                       "2026-10-16T11:00:00Z",
		"Fri 3pm UTC":                       "2026-10-09T15:00:00Z",
		"Thu. at noon":                      "2026-10-15T10:00:00Z",
		"on October 12, 2026 at 2:00 AM or": "2026-10-12T00:00:00Z",
		"Monday, October 12, 2026 at 2:00 AM UTC":  "2026-10-12T02:00:00Z",
		"12 October at 08:00":                      "2026-10-12T06:00:00Z",
		"12th of Oct, 2026, 8am":                   "2026-10-12T06:00:00Z",
		"10-12 09:18:00 UTC.":                      "2026-10-12T09:18:00Z",
		"10/12/2026, 9:00 AM":                      "2026-10-12T07:00:00Z",
		"13/10/2026 09:00":                         "2026-10-13T07:00:00Z",
		"2026/10/12 09:00":                         "2026-10-12T07:00:00Z",
		"2026-10-12T09:00+02:00":                   "2026-10-12T07:00:00Z",
		"Mon Oct 12 2026 09:00:00 GMT+0200 (CEST)": "2026-10-12T07:00:00Z",
		"tomorrow at 8am":                          "2026-10-10T06:00:00Z",
		"2:00 AM on October 12, 2026":              "2026-10-12T00:00:00Z",
		"2:00 AM UTC on Oct 12":                    "2026-10-12T02:00:00Z",
		"9am on Monday":                            "2026-10-12T07:00:00Z",
		"4 PM tomorrow":                            "2026-10-10T14:00:00Z",
		"Oct 18, 5pm":                              "", // 9 days

		// a day alone: its beginning, or unknown if the day is today
		"Monday morning":             "2026-10-11T22:00:00Z",
		"tomorrow.":                  "2026-10-09T22:00:00Z",
		"Friday":                     "",
		"Oct 9":                      "",
		"Oct 16, or upgrade":         "2026-10-15T22:00:00Z",
		"on October 12, 2026 (UTC).": "2026-10-12T00:00:00Z",
		"10/12/2026.":                "2026-10-11T22:00:00Z",
		"2026-10-12":                 "2026-10-11T22:00:00Z",

		"7.30 pm":                          "2026-10-09T17:30:00Z",
		"10:30 PM Japan Standard Time":     "2026-10-09T13:30:00Z",
		"3pm Central European Summer Time": "2026-10-09T13:00:00Z",
		"3 PM Pacific Daylight Time, or":   "2026-10-09T22:00:00Z",
		"3pm. Next Time buy more":          "2026-10-09T13:00:00Z",
		"3pm BRT":                          "2026-10-09T18:00:00Z",
		"in 2:15:00":                       "2026-10-09T14:45:00Z",

		"in 143h57m55s":              "2026-10-15T12:27:55Z",
		"14 hours 33 minutes before": "2026-10-10T03:03:00Z",
		"in 3 days":                  "2026-10-12T12:30:00Z",
		"in a week":                  "2026-10-16T12:30:00Z",
		"again in about an hour":     "2026-10-09T13:30:00Z",

		// Gemini CLI, Qwen Code
		"12h4m":           "2026-10-10T00:34:00Z",
		"5h23m11.5s.":     "2026-10-09T17:53:11.5Z",
		`": "34s"`:        "2026-10-09T12:30:34Z",
		`\": \"34.074s\"`: "2026-10-09T12:30:34.074Z",
		"8 days":          "2026-10-17T12:30:00Z",
		"8 days 1s":       "",

		// Retry-After, and what a caller gives
		": 120":                           "2026-10-09T12:32:00Z",
		`":"120"}`:                        "2026-10-09T12:32:00Z",
		"= Fri, 09 Oct 2026 13:00:00 GMT": "2026-10-09T13:00:00Z",
		"2026-10-09T13:00:00Z":            "2026-10-09T13:00:00Z",
		"2026-10-09T13:00:00+02:00, or":   "",
		"2026-10-09T15:00:00.500+02:00":   "2026-10-09T13:00:00.5Z",
		"15:00 UTC":                       "2026-10-09T15:00:00Z",
		"15:00:30":                        "2026-10-09T13:00:30Z",

		// a date in figures; it is not a number of seconds
		"2026-10-09 20:15:57 +0800 CST.": "2026-10-09T12:30:00Z",
		"2026-10-09 21:15:57 +0800 CST.": "2026-10-09T13:15:57Z",
		"2026-10-09 16:00:00":            "2026-10-09T14:00:00Z", // in Berlin
		"2026-10-09T16:00":               "2026-10-09T14:00:00Z",
		"2026-10-10 at 00:00 UTC.":       "2026-10-10T00:00:00Z",
		"2026-11-01 at 00:00 UTC":        "", // too far to wait for
	} {
		r, err := ParseReset(text)
		at := r.Instant(report)
		got := ""
		if at != 0 {
			got = at.Time().Format(time.RFC3339Nano)
		}
		if err != nil || got != want || r.IsZero() {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "later", "0", "today", "Monday 9", "10-12 hours", "Apr 31", "Apr 31, 5pm", "3pm XXT", "3pm Atlantis Standard Time", "7.75 pm", "in 04:30", "in 1:60:00", "2026-13-01 10:00", "13pm", "3pm (Atlantis/North)", "3pm (../../etc/passwd)", "25:00", "12:60", "Oct 32, 5pm", "5", "-3s", "5 apples", "99999999999999999999", "1e9s", "9:",
	} {
		r, err := ParseReset(text)
		if text == "5" { // seconds, as in Retry-After
			if err != nil || r.Instant(report) != todo.TimeOf(report)+5000 {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if !errors.Is(err, todo.ErrSyntax) || !r.IsZero() || r.Instant(report) != 0 {
			t.Errorf("%q: got %v, %v", text, r.Instant(report).Time(), err)
		}
	}
}

// TestResetAtMidnight reads times of day that are on the day before or after the report.
func TestResetAtMidnight(t *testing.T) {
	for text, want := range map[string]string{"11:50pm": "2026-12-31 23:58", "12:05am": "2027-01-01 00:05", "Jan 1, 5am": "2027-01-01 05:00"} {
		r, err := ParseReset(text)
		if got := r.Instant(time.Date(2026, 12, 31, 23, 58, 0, 0, time.UTC)).Time().Format("2006-01-02 15:04"); err != nil || got != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	r, err := ParseReset("11:50pm")
	early := time.Date(2027, 1, 1, 0, 2, 0, 0, time.UTC)
	if got := r.Instant(early); err != nil || got != todo.TimeOf(early) {
		t.Errorf("got %v, %v", got.Time(), err)
	}
	r, err = ParseReset("Dec 31, 11:50pm")
	if got := r.Instant(early); err != nil || got != todo.TimeOf(early) {
		t.Errorf("got %v, %v", got.Time(), err)
	}
}

func TestUntilText(t *testing.T) {
	local := func(day, hour, minute int) todo.Time {
		return todo.TimeOf(time.Date(2026, 11, day, hour, minute, 0, 0, time.Local))
	}
	now := local(24, 0, 56)
	for want, at := range map[string]todo.Time{
		"until 03:10":        local(24, 3, 10),
		"until 03:11":        local(24, 3, 10) + 1,
		"until 00:57":        now + 30_000,
		"until 00:55":        local(24, 0, 55),
		"until Nov 27 03:10": local(27, 3, 10),
		"until Nov 25 00:00": local(24, 23, 59) + 59_000,
	} {
		if got := UntilText(at, now); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestHostFailuresCostNothing lets the host refuse each turn before its first tool call. Such turns must not count, up to a limit.
func TestHostFailuresCostNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		event Event
		want  int // number of continuations before the total is used up
	}{
		{"a limit", Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit, RetryAfter: 60_000}, maxRefunds + 20},
		{"a server", Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorServer, RetryAfter: 60_000}, maxRefunds + 20},
		{"a limit within a turn", Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit, RetryAfter: 60_000, ToolCalls: 1}, 20},
		{"the program", Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorUnknown}, failuresInARow},
	} {
		doc, now, n := document(), noon, 0
		for n <= 100 {
			d, led := Decide(doc, Facts{}, defaults(t), now)
			if d.Outcome != Continue {
				break
			}
			n++
			doc.Continuation = led
			now += 1000
			if _, err := Apply(doc, c.event, now); err != nil {
				t.Fatal(err)
			}
			now += 4 * 60_000 // longer than each pause between retries, and shorter than the time after which a failure counts as a new outage
		}
		if n != c.want {
			t.Errorf("%s: %d prompts, want %d", c.name, n, c.want)
		}
	}
}

// TestProgressAllowsRefundsAgain makes progress between the failures, after which refused turns must cost nothing again.
func TestProgressAllowsRefundsAgain(t *testing.T) {
	doc := document()
	doc.Continuation.Refunds = maxRefunds
	mustApply(t, doc, Event{Type: Todos, Items: []todo.Item{item("a", todo.Completed), item("b", todo.Completed), item("c", todo.Pending)}})
	if n := doc.Continuation.Refunds; n != 0 {
		t.Errorf("%d refunds", n)
	}
	doc.Continuation.Refunds = maxRefunds
	mustApply(t, doc, Event{Type: UserPrompt})
	if n := doc.Continuation.Refunds; n != 0 {
		t.Errorf("%d refunds after a prompt", n)
	}
}

// TestRowsOfFailures checks the count of failures of one kind in a row. A turn that fails for another reason does not end an outage.
func TestRowsOfFailures(t *testing.T) {
	doc := document()
	want := func(count int, since todo.Time) {
		t.Helper()
		if e := doc.Continuation.Error; e.Count != count || e.Since != since {
			t.Errorf("got %+v, want %d since %v", *e, count, since)
		}
	}
	fail := func(now todo.Time, e Event) {
		t.Helper()
		e.Type = Error
		if _, err := Apply(doc, e, now); err != nil {
			t.Fatal(err)
		}
	}
	fail(noon, Event{ErrorClass: ErrorTurnCutOff})
	fail(noon+1, Event{ErrorClass: ErrorUnknown})
	want(2, noon)
	fail(noon+2, Event{ErrorClass: ErrorServer})
	want(1, noon)
	fail(noon+3, Event{ErrorClass: ErrorServer})
	want(2, noon)
	fail(noon+4, Event{ErrorClass: ErrorRateLimit, RetryAfter: 1})
	want(1, noon+4)
	fail(noon+9, Event{ErrorClass: ErrorRateLimit})
	want(1, noon+9)
	fail(noon+10, Event{ErrorClass: ErrorRateLimit})
	want(2, noon+9)
	doc.Continuation.Error = &session.Failure{Class: "server", At: noon, Count: 7} // of an earlier version
	fail(noon+11, Event{ErrorClass: ErrorServer})
	want(8, noon)
}

// TestOnlyAContinuationIsGivenBack lets the host refuse a turn that was not started by a continuation. Nothing may be given back for it.
func TestOnlyAContinuationIsGivenBack(t *testing.T) {
	refused := Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit}
	reported := Event{Type: Error, ErrorClass: ErrorRateLimit, EndsTurn: true}
	for _, c := range []struct {
		name   string
		facts  Facts
		events []Event
		want   int // number of continuations that still count
	}{
		{"the turn of the continuation", Facts{}, []Event{{Type: TurnStart}, refused}, 0},
		{"only its end is reported", Facts{}, []Event{refused}, 0},
		{"the agent wakes itself up after it", Facts{}, []Event{{Type: TurnStart}, {Type: TurnEnd}, {Type: TurnStart}, refused}, 1},
		{"only the ends are reported", Facts{}, []Event{{Type: TurnEnd}, refused}, 1},
		{"a stop hook's continuation", Facts{Hook: &Hook{BothEnds: true}}, []Event{reported}, 0},
		{"a wake-up immediately after a stop hook's answer", Facts{Hook: &Hook{BothEnds: true}}, []Event{{Type: TurnStart}, reported}, 1},
	} {
		doc, now := document(), noon
		d, led := Decide(doc, c.facts, defaults(t), now)
		if d.Outcome != Continue {
			t.Fatalf("%s: %v", c.name, d)
		}
		doc.Continuation = led
		for _, e := range c.events {
			now += 1000
			if _, err := Apply(doc, e, now); err != nil {
				t.Fatal(err)
			}
		}
		if n := doc.Continuation.TotalPrompt; n != c.want {
			t.Errorf("%s: %d continuations count, want %d", c.name, n, c.want)
		}
	}
}

// TestKnownResetStands lets a turn crash after the host has named the end of a limit. The agent must not continue before that time.
func TestKnownResetStands(t *testing.T) {
	for class, want := range map[ErrorClass]string{
		ErrorUnknown: "rate_limited", ErrorServer: "rate_limited", ErrorTurnCutOff: "rate_limited", ErrorRateLimit: "rate_limited",
		ErrorAuth: "host_error", ErrorContext: "context_full",
	} {
		doc := document()
		mustApply(t, doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit, RetryAfter: time.Hour.Milliseconds()})
		mustApply(t, doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: class})
		if d, _ := Decide(doc, Facts{}, defaults(t), in(59*time.Minute)); d.Reason != want {
			t.Errorf("%s after a rate limit: got %s, want %s", class, d.Reason, want)
		}
		for after, want := range map[time.Duration]string{time.Hour + 59*time.Second: "rate_limited", time.Hour + time.Minute: continued} {
			if d, _ := Decide(doc, Facts{}, defaults(t), in(after)); class.passesWithTime() && d.Reason != want {
				t.Errorf("%s, %v after a rate limit of an hour: got %s, want %s", class, after, d.Reason, want)
			}
		}
	}
}

// TestKnownResetBeforeTheClockWasSetBack checks that the wait is not years long if the clock was set back after the host named the time.
func TestKnownResetBeforeTheClockWasSetBack(t *testing.T) {
	doc := document()
	mustApply(t, doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit, RetryAfter: time.Hour.Milliseconds()})
	back := noon - todo.Time((20 * 24 * time.Hour).Milliseconds())
	if _, err := Apply(doc, Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit}, back); err != nil {
		t.Fatal(err)
	}
	if d, _ := Decide(doc, Facts{}, defaults(t), back); d.Reason != "rate_limited" || d.RetryAfter > time.Hour {
		t.Errorf("it waits %v: %s", d.RetryAfter, d.Reason)
	}
}

func TestCompactionEndsContextError(t *testing.T) {
	for class, want := range map[ErrorClass]bool{ErrorContext: false, ErrorServer: true} {
		doc := document()
		mustApply(t, doc, Event{Type: Error, ErrorClass: class}, Event{Type: CompactionEnd})
		if open := doc.Continuation.Error != nil; open != want {
			t.Errorf("%s: open %v", class, open)
		}
	}
}

// TestDueLimit reports that a limit which was due at a time still holds. Its text then names the same time, which is not that of
// the next day, whatever limit it is.
func TestDueLimit(t *testing.T) {
	doc := document()
	noonUTC := noon.Time().UTC()
	r, err := ParseReset(noonUTC.Add(time.Hour).Format("15:04") + " UTC")
	if err != nil {
		t.Fatal(err)
	}
	failed := func(after time.Duration) Event {
		return Event{Type: TurnEnd, Status: Failed, ErrorClass: ErrorRateLimit, Reset: r.AsLongLimit(), At: in(after)}
	}
	at := func(after time.Duration) todo.Time {
		if _, err := Apply(doc, failed(after), in(after)); err != nil {
			t.Fatal(err)
		}
		return doc.Continuation.Error.RetryAt
	}
	if got := at(0); got != in(time.Hour) {
		t.Errorf("until %v", got)
	}
	for n, after := range []time.Duration{time.Hour + time.Minute, time.Hour + 3*time.Minute, time.Hour + 40*time.Minute} {
		if got := at(after); got != in(after) {
			t.Errorf("%v: until %v", after, got)
		}
		d, _ := Decide(doc, Facts{}, defaults(t), in(after))
		if want := limitFirst << n; d.Outcome == Wait && d.RetryAfter > 2*want {
			t.Errorf("%v: waits %v", after, d.RetryAfter)
		}
	}
	doc = document()
	if got := at(time.Hour + 19*time.Minute); got != in(25*time.Hour) {
		t.Errorf("a limit that is met just then: until %v", got)
	}
}

// TestResetsAreBelievable reads each form at moments around midnight, the ends of months and years, and the changes of the clocks:
// no time is in the past, or further ahead than a week and a day, and a time of day without a date is at most a day ahead.
func TestResetsAreBelievable(t *testing.T) {
	forms := []string{"3pm", "11:59pm", "12:01am", "2:30am", "midnight UTC", "23:30 GMT-3", "Mon 12:00am", "Sunday 2:30am", "Feb 29, 9am", "Dec 31, 11:59pm", "Jan 1, 12:01am", "03-29 02:30:00", "tomorrow at 2:30am", "3pm (Pacific/Apia)", "143h57m55s"}
	for _, zone := range []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Australia/Lord_Howe", "America/Havana"} {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, day := range []string{"2026-02-28", "2028-02-28", "2028-02-29", "2026-03-08", "2026-03-29", "2026-04-30", "2026-10-25", "2026-11-01", "2026-12-31", "2027-01-01"} {
			for _, clock := range []string{"00:00:00", "00:00:59", "01:30:00", "02:59:59", "12:00:00", "23:59:59"} {
				now, err := time.ParseInLocation("2006-01-02 15:04:05", day+" "+clock, place)
				if err != nil {
					t.Fatal(err)
				}
				for _, form := range forms {
					r, err := ParseReset(form)
					if err != nil {
						t.Fatalf("%q: %v", form, err)
					}
					for _, r := range []Reset{r, r.AsLongLimit()} {
						at := r.Instant(now)
						ahead := at.Time().Sub(now)
						if at != 0 && (ahead < 0 || ahead > ResetFuture) || r.clock && at == 0 && r.day == 0 {
							t.Errorf("%q at %v: %v", form, now, at.Time())
						}
						if r.clock && r.day == 0 && r.weekday == 0 && !r.tomorrow && ahead > 25*time.Hour {
							t.Errorf("%q at %v: %v ahead", form, now, ahead)
						}
					}
				}
			}
		}
	}
}
