package durable

import (
	"os"

	"golang.org/x/sys/unix"
)

// possible creates the resources of the poller, and releases them.
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
