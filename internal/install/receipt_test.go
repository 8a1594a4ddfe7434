package install

import (
	"errors"
	"os"
	"testing"

	"onward/internal/store"
)

// TestDetectEveryDamagedReceiptByte damages each byte of a receipt in two ways. Each damage must be detected.
func TestDetectEveryDamagedReceiptByte(t *testing.T) {
	o := place(t, "claude")
	if _, err := Install(o); err != nil {
		t.Fatal(err)
	}
	p, _, err := prepare(&o)
	if err != nil {
		t.Fatal(err)
	}
	target := p.files[0].path
	at := receiptPath(o.Store, target)
	whole := read(t, at)
	if r, err := readReceipt(o.Store, target); err != nil || !r.matches([]byte(read(t, target))) || len(r.folders) == 0 {
		t.Fatalf("%+v %v", r, err)
	}
	for i := range whole {
		for _, bit := range []byte{1, 0x20} {
			damaged := []byte(whole)
			damaged[i] ^= bit
			if err := os.WriteFile(at, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := readReceipt(o.Store, target)
			if !errors.Is(err, ErrReceipt) || !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrNewer) {
				t.Fatalf("byte %d, %q: %+v %v", i, damaged, r, err)
			}
		}
	}
}
