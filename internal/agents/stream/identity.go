package stream

import (
	"encoding/hex"
	"hash/fnv"
	"strconv"
)

// SubAgentName turns an agent's id into a name that is valid in a session's name:
// ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$. An id that already is one stays as it is, and so does none, the main agent's.
// Any other one gets a sum of the id at its end, so that two ids never become one name.
func SubAgentName(id string) string {
	const most = 64
	name := make([]byte, 0, most)
	same := len(id) <= most
	for i := 0; i < len(id) && i < most; i++ {
		c := id[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '_' && c != '-') {
			c, same = 'x', false
			if i > 0 {
				c = '-'
			}
		}
		name = append(name, c)
	}
	if same {
		return string(name)
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	sum := hex.EncodeToString(h.Sum(nil))
	return string(name[:min(len(name), most-1-len(sum))]) + "-" + sum
}

// EventID makes a UUID of version 8 (RFC 9562: its bits are ours to choose) from what the update is.
// The same stream yields the same ids, so its output can be compared and a duplicate event recognised.
// Some streams contain nothing that differs between two runs of a session, not even the time;
// seed distinguishes such runs and may be empty.
func (u Update) EventID(seed string) string {
	h := fnv.New128a()
	field := func(s string) {
		h.Write([]byte(strconv.Itoa(len(s))))
		h.Write([]byte{':'})
		h.Write([]byte(s))
	}
	field(seed)
	field(string(u.Kind))
	field(u.Session)
	field(u.SubAgent)
	field(strconv.Itoa(u.Turn))
	field(strconv.Itoa(u.ordinal))
	field(string(u.Event.Type))
	field(u.TodoID)
	field(strconv.FormatInt(int64(u.At), 10))
	for i := range u.Event.Items {
		field(u.Event.Items[i].Content)
		field(string(u.Event.Items[i].Status))
	}
	var id [16]byte
	h.Sum(id[:0])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	b := make([]byte, 0, 36)
	for i, c := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, []byte{c})
	}
	return string(b)
}
