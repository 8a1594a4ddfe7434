package object

import "time"

// layout is the one form of a time in every file and output.
const layout = "2006-01-02T15:04:05.000Z"

// AppendMillis appends a time in that form. It writes the digits itself,
// because package time takes three times as long, and a long list holds many times.
func AppendMillis(b []byte, ms int64) []byte {
	at := time.UnixMilli(ms).UTC()
	year, month, day := at.Date()
	if year < 0 || year > 9999 {
		return at.AppendFormat(b, layout)
	}
	hour, minute, second := at.Clock()
	b = append(appendDigits(b, year, 1000), '-')
	b = append(appendDigits(b, int(month), 10), '-')
	b = append(appendDigits(b, day, 10), 'T')
	b = append(appendDigits(b, hour, 10), ':')
	b = append(appendDigits(b, minute, 10), ':')
	b = append(appendDigits(b, second, 10), '.')
	return append(appendDigits(b, at.Nanosecond()/1e6, 100), 'Z')
}

// appendDigits writes a number from the digit that counts unit downwards.
func appendDigits(b []byte, n, unit int) []byte {
	for ; unit > 0; unit /= 10 {
		b = append(b, byte('0'+n/unit%10))
	}
	return b
}

// parseMillis reads a time in exactly that form, faster than package time can.
func parseMillis(s []byte) (int64, bool) {
	if len(s) != len(layout) || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return 0, false
	}
	year, month, day := digits(s[0:4]), digits(s[5:7]), digits(s[8:10])
	hour, minute, second, milli := digits(s[11:13]), digits(s[14:16]), digits(s[17:19]), digits(s[20:23])
	if min(year, month, day, hour, minute, second, milli) < 0 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return 0, false // also the last days of a month, which package time knows better
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, milli*1e6, time.UTC).UnixMilli(), true
}

func digits(s []byte) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
