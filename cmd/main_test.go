package cmd

import (
	"os"
	"testing"

	"onward/internal/agents"
)

// TestMain removes the variables by which onward recognises an agent's shell, since an agent may run the tests.
func TestMain(m *testing.M) {
	for _, marker := range agents.MarkerVariables() {
		os.Unsetenv(marker)
	}
	os.Exit(m.Run())
}
