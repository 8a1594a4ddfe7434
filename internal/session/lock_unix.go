//go:build unix

package session

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// acquire locks a file against every other process, waiting at most d.
// The kernel drops the lock when the process ends, however it ends.
func acquire(f *os.File, d time.Duration) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return lockError(err)
	}
	if d <= 0 {
		return problem(ErrBusy, "another process is writing")
	}
	// A blocking lock is faster and fairer than asking again and again.
	// It cannot be called off, so on a timeout it is left behind,
	// with the duty to let go at once if it comes through after all.
	got := make(chan error)
	given := make(chan struct{})
	go func() {
		err := flock(f, syscall.LOCK_EX)
		select {
		case got <- err:
		case <-given:
			f.Close()
		}
	}()
	timeout := time.NewTimer(d)
	defer timeout.Stop()
	select {
	case err := <-got:
		return lockError(err)
	case <-timeout.C:
		close(given)
		return problem(ErrBusy, "another process has been writing for %v", d)
	}
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
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EINVAL):
		return problem(ErrLockUnsupported, "the file system of the store keeps no locks: %w", err)
	default:
		return systemError(err)
	}
}
