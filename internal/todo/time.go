package todo

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Time is an instant in milliseconds since the Unix epoch; zero means never.
// In JSON it is RFC 3339 in UTC with exactly three decimals.
type Time int64

// TimeOf rounds t down to the millisecond.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMilli())
}

// Time returns the instant in UTC, or the zero time for never.
func (t Time) Time() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(t)).UTC()
}

// Since returns the duration from t to now; it is never negative.
func (t Time) Since(now Time) time.Duration {
	return max(0, time.Duration(now-t)*time.Millisecond)
}

// ClockText returns the instant as a person reads it, by the machine's clock: `15:04`, with the date if it is not the day of the other one.
func (t Time) ClockText(day Time) string {
	local, other, layout := t.Time().Local(), day.Time().Local(), "15:04"
	switch {
	case local.Year() != other.Year():
		layout = "Jan 2 2006 15:04"
	case local.YearDay() != other.YearDay():
		layout = "Jan 2 15:04"
	}
	return local.Format(layout)
}

// String returns the form that is written to files.
func (t Time) String() string { return string(object.AppendMillis(nil, int64(t))) }

// MarshalJSONTo writes the instant if it is a member of a struct that package json writes.
func (t Time) MarshalJSONTo(enc *jsontext.Encoder) error {
	b := append(enc.AvailableBuffer(), '"')
	return enc.WriteValue(append(object.AppendMillis(b, int64(t)), '"'))
}
