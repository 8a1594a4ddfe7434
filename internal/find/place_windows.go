package find

import (
	"io/fs"
	"syscall"
)

// number returns the time at which a folder was made, which it keeps when it is moved within a file system. A copy has
// another one.
func number(info fs.FileInfo) uint64 {
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return uint64(data.CreationTime.Nanoseconds())
	}
	return 0
}
