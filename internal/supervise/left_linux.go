package supervise

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// leftFile is the file descriptor by which a keeper reports that its program left processes at work.
const leftFile = 3

// leftPatience is for the report of a keeper that was killed, whose orphans may hold the file: what it has reported is there by then.
const leftPatience = 100 * time.Millisecond

// listenForLeft lets a keeper that is to be started report that. The function that it returns is called once the keeper has ended, or
// could not be started, and returns whether it did.
func listenForLeft(keeper *exec.Cmd) (left func() bool, err error) {
	listens, reports, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	keeper.ExtraFiles = []*os.File{reports}
	return func() bool {
		_ = reports.Close()
		defer listens.Close()
		_ = listens.SetReadDeadline(time.Now().Add(leftPatience))
		n, _ := listens.Read(make([]byte, 1))
		return n > 0
	}, nil
}

// leftReporter returns the function of a keeper that reports. Its program does not inherit the file.
func leftReporter() (report func()) {
	syscall.CloseOnExec(leftFile)
	return func() { _, _ = syscall.Write(leftFile, []byte{1}) }
}
