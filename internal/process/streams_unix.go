//go:build unix

package process

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ReaderGone returns a channel that reports that the reader of a stream has gone, as head goes after its lines.
// Without it, only the next write would notice, and that may never come.
func ReaderGone(stream any) <-chan struct{} {
	file, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	gone := make(chan struct{}, 1)
	descriptor := int32(file.Fd())
	go func() {
		for {
			poll := []unix.PollFd{{Fd: descriptor}} // asks for errors only
			switch n, err := unix.Poll(poll, -1); {
			case errors.Is(err, unix.EINTR):
			case err != nil || n == 0 || poll[0].Revents&unix.POLLNVAL != 0:
				return
			default:
				gone <- struct{}{}
				return
			}
		}
	}()
	return gone
}

// IsClosed reports whether a stream was already closed when the program was started. Go opens /dev/null in its place, for reading
// and writing, so that writing seems to succeed; a shell opens it for writing only.
func IsClosed(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return err != nil
	}
	null, errNull := os.Stat(os.DevNull)
	info, err := file.Stat()
	return errNull == nil && err == nil && os.SameFile(null, info)
}

// IgnoreBackgroundRead makes reading from a terminal an error for a program in its background,
// where the system would stop the program otherwise.
func IgnoreBackgroundRead() { signal.Ignore(syscall.SIGTTIN) }
