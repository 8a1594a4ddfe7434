package continuation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Windows and small images have no zones; it costs 0.4 MB, and no time at a start

	"onward/internal/todo"
)

// Reset is the time at which a host can be asked again, in its own words: an instant, a time span, or a time of day.
// The zero value is unknown.
type Reset struct {
	at    time.Time     // an instant
	in    time.Duration // from the report on
	clock bool          // the members below are a time of day
	zone  *time.Location

	year, day       int // 0 is not given
	month           time.Month
	hour, min, secs int
}

// The range of times that is believed.
const (
	resetPast   = time.Hour          // a time of day up to this long ago means now
	resetFuture = 8 * 24 * time.Hour // a time further ahead was misread, or is too far to wait for
)

// ResetAt returns an instant.
func ResetAt(at todo.Time) Reset { return Reset{at: at.Time()} }

// IsZero reports whether the time is unknown.
func (r Reset) IsZero() bool { return r == Reset{} }

// NamesNoZone reports whether it is a time of day on a date with its year, in a zone that is not named.
func (r Reset) NamesNoZone() bool { return r.clock && r.year != 0 && r.zone == nil }

// In returns a time of day in a zone.
func (r Reset) In(zone *time.Location) Reset {
	r.zone = zone
	return r
}

// After returns the instant that a report means, given the time of the report. Its location applies to a time of day without
// a zone. A time of day means the next such time, or now if it has just passed. The result is 0 for a time that is not believed.
func (r Reset) After(report time.Time) todo.Time {
	at := r.at
	switch {
	case r.in > 0:
		at = report.Add(r.in)
	case r.clock:
		at = r.next(report)
	}
	ahead := at.Sub(report)
	switch {
	case at.IsZero() || ahead > resetFuture || ahead < -resetPast:
		return 0
	case ahead < 0:
		at = report
	}
	return todo.TimeOf(at)
}

// next returns the first instant that matches the time of day, from an hour before the report on, or the zero time.
func (r Reset) next(report time.Time) time.Time {
	zone := r.zone
	if zone == nil {
		zone = report.Location()
	}
	report = report.In(zone)
	for i := range 3 { // from yesterday on, or of a date without a year, from last year on
		i--
		at := time.Date(report.Year(), report.Month(), report.Day()+i, r.hour, r.min, r.secs, 0, zone)
		switch {
		case r.year != 0:
			at = time.Date(r.year, r.month, r.day, r.hour, r.min, r.secs, 0, zone)
		case r.day != 0:
			at = time.Date(report.Year()+i, r.month, r.day, r.hour, r.min, r.secs, 0, zone)
		}
		if at.Sub(report) >= -resetPast {
			return at
		}
	}
	return time.Time{}
}

// ParseReset reads a time at the beginning of a text. It reads what agents and their hosts write:
//
//	2026-11-23T15:00:00Z    Wed, 21 Oct 2026 07:28:00 GMT    1759950000 (seconds or milliseconds since 1970)
//	3pm (America/New_York)    6:34 AM    15:00 UTC    Oct 9, 5pm    Oct 9th, 2026 6:34 AM
//	2026-10-09 20:15:57 +0800 CST    2026-10-09 at 15:00 UTC
//	34.07s    12h4m    3 days 4 hours 12 minutes    less than a minute    120 (seconds)
func ParseReset(text string) (Reset, error) {
	s := &scanner{rest: strings.TrimLeft(text[:min(len(text), maxReset)], " \t\r\n\"'`\\:=([")}
	for _, read := range []func() (Reset, bool){s.instant, s.clock, s.duration, s.number} {
		began := s.rest
		if r, ok := read(); ok {
			return r, nil
		}
		s.rest = began
	}
	return Reset{}, fmt.Errorf("%w: %q is not a time such as 2026-11-23T15:00:00Z, 3pm (America/New_York) or 12h4m", todo.ErrSyntax, s.rest)
}

// maxReset limits the search for a time, in bytes.
const maxReset = 100

// scanner reads a text from its beginning.
type scanner struct{ rest string }

func (s *scanner) instant() (Reset, bool) {
	for _, layout := range []string{time.RFC3339, time.RFC1123} {
		for _, end := range []int{len("2026-11-23T15:00:00Z"), strings.IndexAny(s.rest+" ", " ,;\")"), len(time.RFC1123)} {
			if end > len(s.rest) {
				continue
			}
			if at, err := time.Parse(layout, s.rest[:end]); err == nil {
				return Reset{at: at}, at.Unix() > 0
			}
		}
	}
	return Reset{}, false
}

// number reads a bare number: an instant since 1970 if it is that large, else seconds from now on.
func (s *scanner) number() (Reset, bool) {
	n, err := strconv.ParseFloat(s.digits(true), 64)
	switch {
	case err != nil || n <= 0 || n > 1e15:
		return Reset{}, false
	case n >= 1e12:
		return Reset{at: time.UnixMilli(int64(n))}, true
	case n >= 1e9:
		return Reset{at: time.Unix(int64(n), 0)}, true
	case n > 1e8:
		return Reset{}, false
	}
	if s.skip(" "); s.rest != "" && strings.IndexByte(":-/", s.rest[0]) >= 0 || s.word() != "" {
		return Reset{}, false // an impossible time, or a date alone
	}
	return Reset{in: seconds(n)}, true
}

// duration reads counts of units, one after the other.
func (s *scanner) duration() (Reset, bool) {
	if strings.HasPrefix(strings.ToLower(s.rest), "less than a minute") {
		return Reset{in: time.Minute}, true
	}
	total := 0.0
	for {
		began := s.rest
		n, err := strconv.ParseFloat(s.digits(true), 64)
		s.skip(" ")
		unit := unitOf(s.word())
		if err != nil || unit == 0 || n > 1e8 {
			s.rest = began
			break
		}
		total += n * unit
		if s.skip(" ,"); strings.HasPrefix(s.rest, "and ") {
			s.rest = s.rest[len("and "):]
		}
	}
	if total <= 0 || total > 1e8 {
		return Reset{}, false
	}
	return Reset{in: seconds(total)}, true
}

func seconds(n float64) time.Duration {
	return time.Duration(math.Round(n*1000)) * time.Millisecond
}

// unitOf returns a unit of time in seconds; 0 if the word is not a unit.
func unitOf(name string) float64 {
	switch strings.ToLower(name) {
	case "ms":
		return 0.001
	case "s", "sec", "secs", "second", "seconds":
		return 1
	case "m", "min", "mins", "minute", "minutes":
		return 60
	case "h", "hr", "hrs", "hour", "hours":
		return 3600
	case "d", "day", "days":
		return 24 * 3600
	}
	return 0
}

// clock reads a time of day, after a date or without one, and its zone.
func (s *scanner) clock() (Reset, bool) {
	r := Reset{clock: true}
	if !s.date(&r) {
		return Reset{}, false
	}
	r.hour = s.count()
	named := false
	for _, part := range []*int{&r.min, &r.secs} {
		if rest, ok := strings.CutPrefix(s.rest, ":"); ok {
			s.rest, named = rest, true
			if *part = s.count(); *part < 0 || *part > 59 {
				return Reset{}, false
			}
		}
	}
	began := s.rest
	s.skip(" \u202f")
	switch half := strings.ToLower(strings.ReplaceAll(s.rest[:min(4, len(s.rest))], ".", "")); {
	case r.hour < 0, r.hour > 23:
		return Reset{}, false
	case strings.HasPrefix(half, "am"), strings.HasPrefix(half, "pm"):
		if r.hour < 1 || r.hour > 12 {
			return Reset{}, false
		}
		if r.hour %= 12; half[0] == 'p' {
			r.hour += 12
		}
		s.word()
		s.skip(".")
		s.word()
		s.skip(".")
	case !named:
		return Reset{}, false
	default:
		s.rest = began
	}
	return s.inZone(r)
}

// date reads the date before a time of day, if there is one: Oct 9th, 2026 or 2026-10-09. A word or a date that is wrong is false.
func (s *scanner) date(r *Reset) bool {
	began := s.rest
	if len(s.rest) > 10 {
		if day, err := time.Parse(time.DateOnly, s.rest[:10]); err == nil {
			r.year, r.month, r.day = day.Date()
			s.rest = s.rest[10:]
			s.skip("T ,")
			s.rest = strings.TrimPrefix(s.rest, "at ")
			return true
		}
	}
	name := s.word()
	if len(name) < 3 {
		s.rest = began
		return true
	}
	month, err := time.Parse("Jan", name[:3])
	if err != nil {
		return false
	}
	r.month = month.Month()
	s.skip(" .")
	if r.day = s.count(); r.day < 1 || r.day > 31 {
		return false
	}
	s.word() // as in 9th
	s.skip(" ,")
	began = s.rest
	if year := s.digits(false); len(year) == 4 {
		r.year, _ = strconv.Atoi(year)
		s.skip(" ,")
	} else {
		s.rest = began
	}
	s.rest = strings.TrimPrefix(s.rest, "at ")
	return true
}

// inZone reads the zone of a time of day, if it has one. An unknown zone makes the time unknown.
func (s *scanner) inZone(r Reset) (Reset, bool) {
	s.skip(" ")
	if len(s.rest) >= len("+0800") {
		if at, err := time.Parse("-0700", s.rest[:len("+0800")]); err == nil {
			r.zone = at.Location()
			return r, true
		}
	}
	name := ""
	if rest, ok := strings.CutPrefix(s.rest, "("); ok {
		name, _, ok = strings.Cut(rest, ")")
		if !ok {
			return r, true
		}
	} else if word := s.word(); word == "UTC" || word == "GMT" {
		name = word
	}
	if name == "" {
		return r, true
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return Reset{}, false
	}
	r.zone = zone
	return r, true
}

func (s *scanner) skip(chars string) { s.rest = strings.TrimLeft(s.rest, chars) }

// take returns the leading bytes of one kind.
func (s *scanner) take(of func(rune) bool) string {
	rest := strings.TrimLeftFunc(s.rest, of)
	taken := s.rest[:len(s.rest)-len(rest)]
	s.rest = rest
	return taken
}

func (s *scanner) word() string {
	return s.take(func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' })
}

func (s *scanner) digits(fraction bool) string {
	return s.take(func(r rune) bool { return '0' <= r && r <= '9' || fraction && r == '.' })
}

// count reads a number of at most two digits; -1 where there is none.
func (s *scanner) count() int {
	n, err := strconv.Atoi(s.digits(false))
	if err != nil || n > 99 {
		return -1
	}
	return n
}
