package durable

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTooFewFilesIsReported returns an error that names the call, and can be tried again.
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
