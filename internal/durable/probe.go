package durable

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"onward/internal/store"
)

// Probe finds out whether a folder can hold a store: whether files can be made in it,
// and whether their locks are exclusive. It leaves no files.
func Probe(dir string) error {
	path := filepath.Join(dir, fmt.Sprintf(".probe-%012x", rand.Uint64()>>16))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return SystemError(err)
	}
	defer func() { _ = os.Remove(path) }()
	defer f.Close()
	if err := acquire(f, 0); err != nil {
		return err
	}
	other, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return SystemError(err)
	}
	switch err := acquire(other, 0); {
	case err == nil:
		other.Close()
		return store.Problem(store.ErrLockUnsupported, "a lock in %s does not exclude other writers", dir)
	case errors.Is(err, store.ErrBusy):
		return nil
	default:
		return err
	}
}
