package poller

import (
	"os"

	"golang.org/x/sys/unix"
)

// possible makes what the poller is made of, and gives it back.
func possible() error {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("epoll_create", err)
	}
	defer func() { _ = unix.Close(epoll) }()
	event, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return os.NewSyscallError("eventfd", err)
	}
	return unix.Close(event)
}
