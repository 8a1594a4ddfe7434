//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
	"time"

	"onward/internal/store"
)

// acquire locks a file against every other process, waiting as long as the caller does.
// The kernel drops the lock when the process ends, however it ends.
// If it fails, the file is closed, or will be.
func acquire(f *os.File, p patience) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, syscall.EWOULDBLOCK):
		return errors.Join(lockError(err), f.Close())
	case p.wait <= 0:
		return errors.Join(store.WrapProblem(store.ErrBusy, "another process is writing"), f.Close())
	}
	// A blocking lock is faster and fairer than asking again and again.
	// It cannot be cancelled. So on a timeout it goes on alone, and closes the file once it has the lock.
	got := make(chan error, 1)
	go func() {
		// Nothing may end the process from here: in a hook that would mean "continue" to some agents.
		defer func() { _ = recover() }()
		got <- flock(f, syscall.LOCK_EX)
	}()
	select {
	case err := <-got:
		if err != nil {
			return errors.Join(lockError(err), f.Close())
		}
		return nil
	case <-time.After(p.wait):
	case <-p.done():
	}
	go func() { _ = errors.Join(<-got, f.Close()) }()
	if err := p.interrupted(); err != nil {
		return err
	}
	return store.WrapProblem(store.ErrBusy, "another process has been writing for %v", p.wait)
}

// flock retries what a signal interrupted.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func lockError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EINVAL):
		return store.WrapProblem(store.ErrLockUnsupported, "the file system of the store does not support locks: %w", err)
	default:
		return SystemError(err)
	}
}
