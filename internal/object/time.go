package object

import "time"

// layout is the one form of a time in every file and output.
const layout = "2006-01-02T15:04:05.000Z"

// AppendMillis appends a time in that form.
func AppendMillis(b []byte, ms int64) []byte { return time.UnixMilli(ms).UTC().AppendFormat(b, layout) }
