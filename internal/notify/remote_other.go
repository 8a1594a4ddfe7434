//go:build !linux

package notify

// remoteFileSystem would name the file system of a folder if others could change it without this system knowing.
// The query is unknown for this system; if its own call refuses, slow polling takes over.
func remoteFileSystem(string) string { return "" }
