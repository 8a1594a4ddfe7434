package durable

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTooFewFilesIsReported checks that the check of the poller returns an error that names the system call, and that it can be repeated.
func TestTooFewFilesIsReported(t *testing.T) {
	var had unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &had); err != nil {
		t.Fatal(err)
	}
	few := had
	few.Cur = 3
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	first := possible()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &had); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(first, unix.EMFILE) || first.Error() != "epoll_create: too many open files" {
		t.Errorf("got %v", first)
	}
	for range 2 {
		if err := possible(); err != nil {
			t.Error(err)
		}
	}
}
