package store_test

import (
	"strings"
	"testing"

	"onward/internal/store"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"/var/lib/onward":                 "|/var/lib/onward",
		"relative/folder":                 "|relative/folder",
		"C://folder":                      "|C://folder",
		"://":                             "!neither a folder nor the URL",
		"Not a scheme://x":                "!neither a folder nor the URL",
		"x/../evil://y":                   "!neither a folder nor the URL",
		"x/../evil://me:secret@y":         "!no user or password",
		"me:secret@evil://y":              "!no user or password",
		"EVIL://x":                        "evil|evil://x",
		"ETCD+Plain://127.0.0.1:2379/X":   "etcd|etcd+plain://127.0.0.1:2379/X",
		"FILE:///var/lib/Onward":          "|/var/lib/Onward",
		"file:///var/lib/onward":          "|/var/lib/onward",
		"file://localhost/var/lib":        "|/var/lib",
		"file:///with%20space":            "|/with space",
		"file:/var/lib/onward":            "|/var/lib/onward",
		"file:folder":                     "!file:///var",
		"etcd://db1,db2:2379,db3/team-a":  "etcd|etcd://db1,db2:2379,db3/team-a",
		"etcd+plain://127.0.0.1:2379/x@y": "etcd|etcd+plain://127.0.0.1:2379/x@y",
		"etcd://DB2,db1:2379/Team/":       "etcd|etcd://db1:2379,db2/Team",
		"etcd://db":                       "etcd|etcd://db",
		"file://host/share":               "!file:///var",
		"file://":                         "!file:///var",
		"file:///x?y":                     "!file:///var",
		"etcd://me:secret@db1/team-a":     "!no user or password",
		"etcd://db1,me@db2":               "!no user or password",
	} {
		got, err := store.ParseAddress(text)
		switch problem, refused := strings.CutPrefix(want, "!"); {
		case refused && (err == nil || !strings.Contains(err.Error(), problem) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%q: got %+v, %v", text, got, err)
		case !refused && (err != nil || got.Engine()+"|"+got.Text != want):
			t.Errorf("%q: got %+v, %v; want %q", text, got, err, want)
		}
	}
}
