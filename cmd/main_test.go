package cmd

import (
	"os"
	"testing"

	"onward/internal/native"
)

// TestMain removes the signs of an agent that may run the tests.
func TestMain(m *testing.M) {
	for _, marker := range native.Markers() {
		os.Unsetenv(marker)
	}
	os.Exit(m.Run())
}
