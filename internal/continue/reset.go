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
	weekday         int // 1 is Sunday; 0 is not given
	tomorrow        bool
	dayOnly         bool // no time of day is given, only its day
	hour, min, secs int

	// The limit that ends then lasts a day or longer, so that a time of day that has just passed is that of the next day.
	lasts bool
}

// The range of times that is believed.
const (
	resetPast   = time.Hour          // a time of day up to this long ago means now
	ResetFuture = 8 * 24 * time.Hour // a time further ahead was misread, or is too far to wait for
)

// ResetAt returns an instant.
func ResetAt(at todo.Time) Reset { return Reset{at: at.Time()} }

// IsZero reports whether the time is unknown.
func (r Reset) IsZero() bool { return r == Reset{} }

// LacksZone reports whether it is a time of day on a date with its year, in a zone that is not named.
func (r Reset) LacksZone() bool { return r.clock && r.year != 0 && r.zone == nil }

// InZone returns a time of day in a zone.
func (r Reset) InZone(zone *time.Location) Reset {
	r.zone = zone
	return r
}

// AsLongLimit returns the end of a limit that lasts a day or longer, such as a weekly one.
func (r Reset) AsLongLimit() Reset {
	r.lasts = r.clock
	return r
}

// Instant returns the instant that a report means, given the time of the report. Its location applies to a time of day without
// a zone. A time of day means the next such time, or now if it has just passed: then the limit was due to end, and the host
// is a little late. The end of a weekly limit is printed with a date only if it is more than a day ahead, so without a date
// it is the next one. The result is 0 for a time that is not believed.
func (r Reset) Instant(report time.Time) todo.Time {
	at := r.named(report)
	ahead := at.Sub(report)
	switch {
	case at.IsZero() || ahead > ResetFuture || ahead < -resetPast:
		return 0
	case ahead < 0:
		at = report
	}
	return todo.TimeOf(at)
}

// TooFar returns the instant that a report means if it is too far ahead to be believed or waited for; 0 if it is not.
func (r Reset) TooFar(report time.Time) todo.Time {
	if at := r.named(report); at.Sub(report) > ResetFuture {
		return todo.TimeOf(at)
	}
	return 0
}

// named returns the instant that a report means, believed or not; the zero time if it names none.
func (r Reset) named(report time.Time) time.Time {
	switch {
	case r.in > 0:
		return report.Add(r.in)
	case r.clock:
		return r.nextTimeOfDay(report)
	}
	return r.at
}

// instantFollowing is Instant for a report that follows one about a limit that was due at a time. If that was a moment ago, a time of day
// that has just passed is the same time again, of any limit.
func (r Reset) instantFollowing(report time.Time, due todo.Time) todo.Time {
	if late := due.Since(todo.TimeOf(report)); due != 0 && late >= 0 && late <= resetPast {
		r.lasts = false
	}
	return r.Instant(report)
}

// nextTimeOfDay returns the first instant that matches the time of day, from an hour before the report on, or the zero time.
func (r Reset) nextTimeOfDay(report time.Time) time.Time {
	zone := r.zone
	if zone == nil {
		zone = report.Location()
	}
	report = report.In(zone)
	past := resetPast
	if r.lasts && r.day == 0 {
		past = time.Minute // the text names no seconds
	}
	for i := range 10 { // from yesterday to a week after it, or of a date without a year, from last year on
		year, month, day := report.Year(), report.Month(), report.Day()+i-1
		switch {
		case r.year != 0:
			year, month, day = r.year, r.month, r.day
		case r.day != 0:
			year, month, day = report.Year()+i-1, r.month, r.day
		case r.tomorrow:
			day = report.Day() + 1
		case r.weekday != 0 && int(time.Date(year, month, day, 12, 0, 0, 0, time.UTC).Weekday())+1 != r.weekday:
			continue
		}
		if r.day != 0 && time.Date(year, month, day, 12, 0, 0, 0, time.UTC).Day() != day {
			continue // February 29 or April 31
		}
		if ty, tm, td := report.Date(); r.dayOnly && year == ty && month == tm && day == td {
			return time.Time{} // some time today
		}
		if at := time.Date(year, month, day, r.hour, r.min, r.secs, 0, zone); at.Sub(report) >= -past {
			return at
		}
	}
	return time.Time{}
}

// ParseReset reads a time at the beginning of a text. It reads what agents and their hosts write:
//
//	2026-11-23T15:00:00Z    Wed, 21 Oct 2026 07:28:00 GMT    1759950000 (seconds or milliseconds since 1970)
//	3pm (America/New_York)    6:34 AM    15:00 UTC    10:57 PM GMT-3    midnight UTC    Monday at 9:00 AM    tomorrow at 8am
//	Oct 9, 5pm    Oct 9th, 2026 6:34 AM    9 October 2026 at 18:00    08-14 09:18:00 UTC    11/27/2026, 9:00 AM
//	2026-10-09 20:15:57 +0800 CST    2026-10-09 at 15:00 UTC    10:30 PM Japan Standard Time
//	Monday    tomorrow    October 12, 2026 (a day alone is its beginning, and unknown if it is today)
//	34.07s    12h4m    in 3 days 4 hours 12 minutes    in 2:15:00    an hour    half an hour    less than a minute    120 (seconds)
func ParseReset(text string) (Reset, error) {
	s := &scanner{rest: text[:min(len(text), maxReset)]}
	forms := []func() (Reset, bool){s.instant, s.clock, s.duration, s.number}
	if s.leadIn() == "in" {
		forms = []func() (Reset, bool){s.duration, s.number} // "in 04:30" is no time of day
	}
	for _, read := range forms {
		began := s.rest
		if r, ok := read(); ok {
			return r, nil
		}
		s.rest = began
	}
	return Reset{}, fmt.Errorf("%w: %q is not a time such as 2026-11-23T15:00:00Z, 3pm (America/New_York) or 12h4m", todo.ErrSyntax, s.rest)
}

// leadIn passes over what is before a time, such as "again on" or a quotation mark, and returns the last word of it.
func (s *scanner) leadIn() string {
	last := ""
	for {
		s.skip(" \t\r\n\u00a0\u202f\"'`\\:=([~,·*")
		began := s.rest
		switch word := strings.ToLower(s.word()); word {
		case "in", "at", "on", "after", "again", "for", "by", "until", "till", "around", "about", "approximately", "is":
			last = word
		default:
			s.rest = began
			return last
		}
	}
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
	var h, m, sec int
	if n, _ := fmt.Sscanf(s.rest, "%d:%d:%d", &h, &m, &sec); n == 3 && h >= 0 && h < 1e4 && m >= 0 && m < 60 && sec >= 0 && sec < 60 {
		return Reset{in: time.Duration((h*60+m)*60+sec) * time.Second}, h+m+sec > 0
	}
	total := 0.0
	for {
		began := s.rest
		n, err := s.amount()
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

// amount reads a number, or the article of one unit.
func (s *scanner) amount() (float64, error) {
	began := s.rest
	switch strings.ToLower(s.word()) {
	case "a", "an", "one":
		return 1, nil
	case "half":
		s.skip(" ")
		if began = s.rest; s.word() != "an" { // half an hour, or half hour
			s.rest = began
		}
		return 0.5, nil
	}
	s.rest = began
	return strconv.ParseFloat(s.digits(true), 64)
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
	case "w", "wk", "wks", "week", "weeks":
		return 7 * 24 * 3600
	}
	return 0
}

// clock reads a time of day, after a date or without one, and its zone.
func (s *scanner) clock() (Reset, bool) {
	r := Reset{clock: true}
	if !s.date(&r) {
		return Reset{}, false
	}
	began := s.rest
	switch strings.ToLower(s.word()) {
	case "midnight":
		return s.after(r)
	case "noon":
		r.hour = 12
		return s.after(r)
	}
	s.rest = began
	if r.dayOnly = r.namesDay() && !leads(s.rest, '0', '9'); r.dayOnly {
		return s.inZone(r)
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
	if rest, ok := strings.CutPrefix(s.rest, "."); ok && leads(rest, '0', '9') {
		s.rest = rest
		if part := s.digits(false); !named && len(part) == 2 { // 7.30 pm; otherwise a part of a second
			r.min, _ = strconv.Atoi(part)
		}
	}
	began = s.rest
	s.skip(" \u00a0\u202f")
	switch half := s.half(); {
	case r.hour < 0, r.hour > 23, r.min > 59:
		return Reset{}, false
	case half != "":
		if r.hour < 1 || r.hour > 12 {
			return Reset{}, false
		}
		if r.hour %= 12; half == "pm" {
			r.hour += 12
		}
	case !named:
		return Reset{}, false
	default:
		s.rest = began
	}
	return s.after(r)
}

// after reads what follows a time of day: its zone, and its date if none came before: 2:00 AM UTC on April 20, 2026.
func (s *scanner) after(r Reset) (Reset, bool) {
	r, ok := s.inZone(r)
	if !ok || r.namesDay() {
		return r, ok
	}
	s.skip(" ,")
	s.rest = strings.TrimPrefix(s.rest, "on ")
	dated := r
	switch name := s.peek(); {
	case name == "tomorrow":
		r.tomorrow = true
	case weekdayOf(name) != 0:
		r.weekday = weekdayOf(name)
	case (monthOf(name) != 0 || leads(s.rest, '0', '9')) && s.date(&dated) && dated.day != 0:
		if dated.zone != nil {
			return dated, true
		}
		return s.inZone(dated)
	}
	return r, true
}

func (r Reset) namesDay() bool { return r.day != 0 || r.weekday != 0 || r.tomorrow }

// half reads am or pm, with dots or without; it returns an empty string if neither is there.
func (s *scanner) half() string {
	for _, form := range [...]string{"a.m.", "p.m.", "am", "pm"} {
		if n := len(form); len(s.rest) >= n && strings.EqualFold(s.rest[:n], form) && !leads(strings.ToLower(s.rest[n:]), 'a', 'z') {
			s.rest = s.rest[n:]
			return form[:1] + "m"
		}
	}
	return ""
}

// leads reports whether a text begins with a byte of a range.
func leads(text string, from, to byte) bool { return text != "" && from <= text[0] && text[0] <= to }

// date reads what is before a time of day to name its day, if that is there: Oct 9th, 2026 or 2026-10-09 or Monday. A word or a
// date that is wrong is false.
func (s *scanner) date(r *Reset) bool {
	began := s.rest
	if s.numericDate(r) {
		return s.onDay(r)
	}
	s.rest = began
	day := s.count() // as in 9 October
	if day >= 0 {
		s.ordinal()
		s.skip(" ")
		s.rest = strings.TrimPrefix(s.rest, "of ")
		if r.month = monthOf(s.word()); r.month == 0 {
			s.rest = began
			return true
		}
		s.skip(".")
		r.day = day
		return s.year(r)
	}
	s.rest = began
	name := strings.ToLower(s.word())
	switch name {
	case "", "midnight", "noon":
		s.rest = began
		return true
	case "today", "tonight", "tomorrow":
		r.tomorrow = name == "tomorrow"
		s.leadIn()
		return true
	}
	if r.weekday = weekdayOf(name); r.weekday != 0 {
		s.skip(".")
		s.leadIn()
		return !leads(s.rest, '0', '9') && monthOf(s.peek()) == 0 || s.date(r)
	}
	if r.month = monthOf(name); r.month == 0 {
		return false
	}
	s.skip(" .")
	if r.day = s.count(); r.day < 1 {
		return false
	}
	s.ordinal()
	return s.year(r)
}

// numericDate reads a date that is written without words: 2026-10-09, 10/09/2026, or 10-09 before a time.
func (s *scanner) numericDate(r *Reset) bool {
	var parts []string
	for {
		parts = append(parts, s.digits(false))
		if parts[len(parts)-1] == "" || s.rest == "" || len(parts) == 3 || s.rest[0] != '-' && s.rest[0] != '/' {
			break
		}
		s.rest = s.rest[1:]
	}
	n := [3]int{}
	for i, part := range parts {
		n[i], _ = strconv.Atoi(part)
	}
	switch last := parts[len(parts)-1]; {
	case len(parts) == 3 && len(parts[0]) == 4 && last != "":
		r.year, r.month, r.day = n[0], time.Month(n[1]), n[2]
	case len(parts) == 3 && len(last) == 4:
		r.year, r.month, r.day = n[2], time.Month(n[0]), n[1]
		if n[0] > 12 {
			r.month, r.day = time.Month(n[1]), n[0]
		}
	case len(parts) == 2 && len(parts[0]) == 2 && len(last) == 2 && leads(s.rest, ' ', ' ') && strings.IndexByte(s.rest, ':') > 0:
		r.month, r.day = time.Month(n[0]), n[1]
	default:
		return false
	}
	r.weekday = 0
	s.rest = strings.TrimPrefix(s.rest, "T")
	return true
}

// ordinal passes over the end of a day's number, as in 9th.
func (s *scanner) ordinal() {
	switch s.peek() {
	case "st", "nd", "rd", "th":
		s.word()
	}
}

// year reads the year after a day and a month.
func (s *scanner) year(r *Reset) bool {
	s.skip(" ,")
	began := s.rest
	if year := s.digits(false); len(year) == 4 {
		r.year, _ = strconv.Atoi(year)
	} else {
		s.rest = began
	}
	return s.onDay(r)
}

// onDay passes over what is between a date and its time of day, and reports whether there is such a date.
func (s *scanner) onDay(r *Reset) bool {
	s.leadIn()
	r.weekday = 0
	year := r.year
	if year == 0 {
		year = 2024 // a leap year
	}
	return r.month >= 1 && r.month <= 12 && r.day >= 1 && time.Date(year, r.month, r.day, 0, 0, 0, 0, time.UTC).Day() == r.day
}

// monthOf reads the name of a month, or its first letters; 0 is none.
func monthOf(name string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if isAbbreviation(m.String(), name) || m == time.September && strings.EqualFold(name, "sept") {
			return m
		}
	}
	return 0
}

// weekdayOf reads the name of a day of the week, or its first letters: 1 is Sunday, and 0 is none.
func weekdayOf(name string) int {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if isAbbreviation(d.String(), name) {
			return int(d) + 1
		}
	}
	return 0
}

// isAbbreviation reports whether a word is a name, or three or more of its first letters.
func isAbbreviation(name, word string) bool {
	return len(word) >= 3 && len(word) <= len(name) && strings.EqualFold(name[:len(word)], word)
}

// inZone reads the zone of a time of day, if it has one. An unknown zone makes the time unknown.
func (s *scanner) inZone(r Reset) (Reset, bool) {
	s.skip(" \u00a0\u202f")
	rest, bracketed := strings.CutPrefix(s.rest, "(")
	if !bracketed {
		zone, ok := s.zone()
		r.zone = zone
		return r, ok
	}
	inside, rest, closed := strings.Cut(rest, ")")
	if !closed {
		return r, true
	}
	s.rest = rest
	if strings.HasPrefix(inside, "in ") || strings.Contains(inside, "local") {
		return r, true
	}
	zone, ok := (&scanner{rest: inside}).zone()
	if zone == nil {
		var err error
		zone, err = time.LoadLocation(inside)
		ok = err == nil && inside != ""
	}
	if !ok {
		return Reset{}, false
	}
	r.zone = zone
	return r, true
}

// zone reads the name of a zone, an offset, or both. It returns nil if there is none, and false for one that is not known.
func (s *scanner) zone() (*time.Location, bool) {
	if zone := s.offset(len("+0800")); zone != nil {
		return zone, true
	}
	began := s.rest
	name := s.take(func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' || r == '/' || r == '_' })
	switch name {
	case "Z", "UTC", "GMT":
		if rest := strings.TrimPrefix(s.rest, " "); leads(rest, '+', '+') || leads(rest, '-', '-') {
			s.rest = rest
			if zone := s.offset(len("+8")); zone != nil {
				return zone, true
			}
		}
		return time.UTC, true
	}
	if strings.Contains(name, "/") {
		name += s.take(func(r rune) bool {
			return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("/_+-", r)
		})
		zone, err := time.LoadLocation(name)
		return zone, err == nil
	}
	if zone, ok := s.longZone(name); ok {
		return zone, zone != nil
	}
	for _, z := range abbreviations {
		if z.name == name {
			return time.FixedZone(name, int(z.hours*60*60)), true
		}
	}
	if zone := placeOf(name); zone != nil {
		return zone, true
	}
	if (len(name) == 3 || len(name) == 4) && strings.ToUpper(name) == name && name[len(name)-1] == 'T' {
		return nil, false // as they all end
	}
	s.rest = began
	return nil, true
}

// longZone reads what follows the first word of a name such as Central European Summer Time. It returns nil for one that is not
// known, and false if the words name no zone.
func (s *scanner) longZone(first string) (*time.Location, bool) {
	if !leads(first, 'A', 'Z') {
		return nil, false
	}
	began := s.rest
	name := first
	for range 4 {
		s.skip(" ")
		switch word := s.word(); strings.ToLower(word) {
		case "":
			s.rest = began
			return nil, false
		case "time":
			return placeOf(name), true
		case "standard", "daylight", "summer":
		default:
			name += " " + word
		}
	}
	s.rest = began
	return nil, false
}

// placeOf returns the zone of a name in the table of places, or nil.
func placeOf(name string) *time.Location {
	for _, z := range places {
		if z.name == name {
			zone, _ := time.LoadLocation(z.place)
			return zone
		}
	}
	return nil
}

// abbreviations are the offsets of zones, in hours. What is ambiguous is what an American program means.
var abbreviations = [...]struct {
	name  string
	hours float64
}{
	{"PST", -8},
	{"PDT", -7},
	{"MST", -7},
	{"MDT", -6},
	{"CST", -6},
	{"CDT", -5},
	{"EST", -5},
	{"EDT", -4},
	{"AKST", -9},
	{"AKDT", -8},
	{"HST", -10},
	{"WET", 0},
	{"WEST", 1},
	{"BST", 1},
	{"CET", 1},
	{"CEST", 2},
	{"EET", 2},
	{"EEST", 3},
	{"MSK", 3},
	{"IST", 5.5},
	{"JST", 9},
	{"KST", 9},
	{"AEST", 10},
	{"AEDT", 11},
	{"NZST", 12},
	{"NZDT", 13},
	{"SGT", 8},
	{"HKT", 8},
	{"ICT", 7},
	{"PKT", 5},
	{"SAST", 2},
	{"BRT", -3},
}

// places are the zones of names that stand for summer time and for winter time.
var places = [...]struct{ name, place string }{
	{"PT", "America/Los_Angeles"},
	{"MT", "America/Denver"},
	{"CT", "America/Chicago"},
	{"ET", "America/New_York"},
	{"Pacific", "America/Los_Angeles"},
	{"Mountain", "America/Denver"},
	{"Central", "America/Chicago"},
	{"Eastern", "America/New_York"},
	{"Coordinated Universal", "UTC"},
	{"Greenwich Mean", "UTC"},
	{"British", "Europe/London"},
	{"Western European", "Europe/Lisbon"},
	{"Central European", "Europe/Berlin"},
	{"Eastern European", "Europe/Helsinki"},
	{"Moscow", "Europe/Moscow"},
	{"India", "Asia/Kolkata"},
	{"China", "Asia/Shanghai"},
	{"Beijing", "Asia/Shanghai"},
	{"Singapore", "Asia/Singapore"},
	{"Japan", "Asia/Tokyo"},
	{"Korean", "Asia/Seoul"},
	{"Korea", "Asia/Seoul"},
	{"Australian Eastern", "Australia/Sydney"},
	{"Brasilia", "America/Sao_Paulo"},
}

// offset reads an offset from UTC of a length at least: +08:00, -0300, +8. It returns nil if there is none.
func (s *scanner) offset(least int) *time.Location {
	began := s.rest
	sign := s.take(func(r rune) bool { return r == '+' || r == '-' })
	digits := s.digits(false)
	hours, minutes := digits, ""
	if len(digits) > 2 {
		hours, minutes = digits[:len(digits)-2], digits[len(digits)-2:]
	} else if rest, ok := strings.CutPrefix(s.rest, ":"); ok && leads(rest, '0', '9') {
		s.rest = rest
		minutes = s.digits(false)
	}
	h, err := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes)
	if len(sign) != 1 || err != nil || h > 14 || m > 59 || len(began)-len(s.rest) < least {
		s.rest = began
		return nil
	}
	seconds := (h*60 + m) * 60
	if sign == "-" {
		seconds = -seconds
	}
	return time.FixedZone("", seconds)
}

// peek returns the next word without reading it.
func (s *scanner) peek() string {
	began := s.rest
	word := strings.ToLower(s.word())
	s.rest = began
	return word
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

// count reads a number of at most two digits; -1 if there is none.
func (s *scanner) count() int {
	n, err := strconv.Atoi(s.digits(false))
	if err != nil || n > 99 {
		return -1
	}
	return n
}
