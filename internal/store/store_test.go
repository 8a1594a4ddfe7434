package store_test

import (
	"testing"

	"onward/test/storetest"
)

func inMemory(m *storetest.Memory) storetest.Subject {
	return storetest.Subject{Backend: m, Notes: m, Damage: m.Damage, Lose: m.Lose}
}

func TestMemoryBackend(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Subject { return inMemory(storetest.NewMemory()) })
}

// TestContendedMemory makes every change twice.
func TestContendedMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Subject {
		m := storetest.NewMemory()
		m.Contended = true
		return inMemory(m)
	})
}

// TestBackendWithoutComparison proves that the suite can find lost updates.
func TestBackendWithoutComparison(t *testing.T) {
	m := storetest.NewMemory()
	m.Careless = true
	if storetest.Lost(t, inMemory(m)) == 0 {
		t.Error("nothing was lost")
	}
}
