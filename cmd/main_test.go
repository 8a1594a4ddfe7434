package cmd

import (
	"os"
	"testing"

	"onward/internal/agents"
)

// TestMain removes the signs of an agent that may run the tests.
func TestMain(m *testing.M) {
	for _, marker := range agents.Markers() {
		os.Unsetenv(marker)
	}
	os.Exit(m.Run())
}
