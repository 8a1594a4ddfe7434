package store_test

import (
	"bytes"
	"strings"
	"testing"

	"onward/internal/store"
)

// FuzzAddress looks for an address that changes when it is written and read again, or for a password that is
// accepted or printed.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"/var/lib", "file:///with%20space", "file:///C:/x", "etcd://db1,db2:2379/a", "etcd+plain://[::1]/x@y", "x://", "://", "file://localhost/%00", "file:///%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := store.ParseAddress(text)
		if err != nil {
			return
		}
		if at.Scheme == "" && at.Text == "" && text != "" {
			t.Fatalf("%q is nowhere", text)
		}
		if at.Scheme != "" && !strings.HasPrefix(at.Text, at.Scheme+"://") {
			t.Fatalf("%q is %+v", text, at)
		}
		scheme, rest, isURL := strings.Cut(text, "://")
		if !isURL || at.Text == text && at.Scheme == "" {
			return
		}
		const secret = "s3cr3t-of-a-user"
		if _, err := store.ParseAddress(scheme + "://me:" + secret + "@" + rest); err == nil || strings.Contains(err.Error(), secret) {
			t.Fatalf("a password was accepted or repeated: %v", err)
		}
	})
}

// FuzzSeal damages one byte of a sealed text. The damage must be detected.
func FuzzSeal(f *testing.F) {
	f.Add([]byte(`{"a":1}`+"\n"), 3, byte(1))
	f.Add([]byte(`{"a":1,"sum":"0123456789abcdef"}`+"\n"), 12, byte(0x20))
	f.Add([]byte(`{"a":1,"sum":"01234567"}`+"\n"), 12, byte(0x20))
	f.Add([]byte{}, 0, byte(0xff))
	f.Fuzz(func(t *testing.T, object []byte, at int, flip byte) {
		sealed := store.Seal(bytes.Clone(object))
		if ok, err := store.CheckSeal(sealed); !ok || err != nil {
			t.Fatalf("%q: %v, %v", sealed, ok, err)
		}
		if twice := store.Seal(bytes.Clone(sealed)); !bytes.Equal(twice, sealed) {
			t.Fatalf("%q, and then %q", sealed, twice)
		}
		if flip == 0 || at < 0 || at >= len(sealed) {
			return
		}
		sealed[at] ^= flip
		if ok, err := store.CheckSeal(sealed); ok && err == nil {
			t.Fatalf("the damage at byte %d is not noticed: %q", at, sealed)
		}
	})
}
