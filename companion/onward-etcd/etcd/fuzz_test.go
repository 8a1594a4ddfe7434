package etcd

import (
	"bytes"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"onward/internal/store"
)

// FuzzCell looks for a value whose content exceeds its limit, or changes when it is packed and read again.
func FuzzCell(f *testing.F) {
	packed, err := cell{data: []byte(`{"a":1}`), ids: []id{{1}, {2}}, mark: "journal 3 7"}.pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add(packed[:len(packed)-3])
	f.Add(append(slices.Clone(packed), packed...))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		const limit = 1 << 10
		c, err := unpack(packed, limit)
		if err != nil {
			if !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrLimit) {
				t.Fatalf("another kind of error: %v", err)
			}
			return
		}
		if len(c.data) > limit {
			t.Fatalf("%d bytes", len(c.data))
		}
		again, err := c.pack()
		if err != nil {
			return // onward's own cells have no comment
		}
		back, err := unpack(again, limit)
		if err != nil || !bytes.Equal(back.data, c.data) || back.mark != c.mark || !slices.Equal(back.ids, c.ids[max(0, len(c.ids)-keptIDs):]) {
			t.Fatalf("%+v, and then %+v, %v", c, back, err)
		}
	})
}

// FuzzURL looks for a URL that reaches another machine without TLS, or keys outside its prefix.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"etcd://db1,db2:2379,db3/team-a", "etcd+plain://127.0.0.1:2379/x@y/", "etcd+plain://db1/a", "etcd://[::1]/a", "etcd://[::1]:1/../a", "etcd+plain://localhost,/a", "etcd://h:/a//b", "etcd://h//", "://",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		set, err := ParseURL(url)
		if err != nil {
			return
		}
		if len(set.Hosts) == 0 || len(set.Prefix) < 2 || !strings.HasSuffix(set.Prefix, "/") || strings.Contains(set.Prefix, "//") || strings.HasPrefix(set.Prefix, "/") {
			t.Fatalf("%q: %+v", url, set)
		}
		for _, host := range set.Hosts {
			name, _, err := net.SplitHostPort(host)
			if err != nil || set.TLS == nil && name != "localhost" && !net.ParseIP(name).IsLoopback() {
				t.Fatalf("%q: %q, %v", url, host, err)
			}
		}
	})
}
