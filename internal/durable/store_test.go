package durable

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"onward/internal/store"
	"onward/test/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Subject {
		s := &Store{Dir: filepath.Join(memoryDir(t), "store"), Wait: time.Minute}
		return storetest.Subject{
			Backend: s, Notes: s,
			Damage: func(k store.Key, data []byte) {
				if err := os.WriteFile(s.Path(k), data, 0o600); err != nil {
					t.Fatal(err)
				}
			},
			Lose: func(k store.Key) {
				if err := os.Remove(s.Path(k)); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// memoryDir returns a folder on a disk in memory, if the system has one, so that thousands of commits do not wait for a real disk.
func memoryDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "onward-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
