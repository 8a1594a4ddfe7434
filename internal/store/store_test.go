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

// TestContendedMemory runs the suite on the backend in memory with a conflict in every change, so that it is called twice.
func TestContendedMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Subject {
		m := storetest.NewMemory()
		m.Contended = true
		return inMemory(m)
	})
}

// TestBackendWithoutComparison checks that the suite finds lost updates of a backend that does not compare revisions.
func TestBackendWithoutComparison(t *testing.T) {
	m := storetest.NewMemory()
	m.Careless = true
	if storetest.Lost(t, inMemory(m)) == 0 {
		t.Error("nothing was lost")
	}
}
