package report

import (
	"crypto/sha256"
	"encoding/base64"
	"testing"
)

// TestStyleHash checks that the page's content security policy has the hash of its style.
func TestStyleHash(t *testing.T) {
	sum := sha256.Sum256([]byte(style))
	if want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); styleHash != want {
		t.Errorf("styleHash is %q, and the style's is %q", styleHash, want)
	}
}
