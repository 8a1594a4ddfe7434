package store_test

import (
	"testing"

	"onward/test/storetest"
)

func inMemory(m *storetest.Memory) storetest.Subject {
	return storetest.Subject{Backend: m, Notes: m, Damage: m.Damage, Lose: m.Lose}
}

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Subject { return inMemory(storetest.NewMemory()) })
}

// TestBackendWithoutComparison proves that the suite can find lost updates.
func TestBackendWithoutComparison(t *testing.T) {
	m := storetest.NewMemory()
	m.Careless = true
	if storetest.Lost(t, inMemory(m)) == 0 {
		t.Error("nothing was lost")
	}
}
