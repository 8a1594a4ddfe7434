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
		"://":                             "|://",
		"Not a scheme://x":                "|Not a scheme://x",
		"file:///var/lib/onward":          "|/var/lib/onward",
		"file://localhost/var/lib":        "|/var/lib",
		"file:///with%20space":            "|/with space",
		"file:/var/lib/onward":            "|/var/lib/onward",
		"file:folder":                     "!file:///var",
		"etcd://db1,db2:2379,db3/team-a":  "etcd|etcd://db1,db2:2379,db3/team-a",
		"etcd+plain://127.0.0.1:2379/x@y": "etcd|etcd+plain://127.0.0.1:2379/x@y",
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
