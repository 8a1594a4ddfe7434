package hooks

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/agents/hook"
)

// ReadHead reads the beginning of a regular file; it returns nil if that fails.
func ReadHead(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return section(path, 0, hook.MaxHead)
}

// ExpandPath returns the path of a file that an agent names; empty if it is not known where that is.
func ExpandPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// ReadTail reads the end of a regular file, and returns the offset at which that begins. A pipe or a device would block.
func ReadTail(path string) (from int64, tail []byte, there bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil, false
	}
	from = max(0, info.Size()-hook.MaxTail)
	return from, section(path, from, hook.MaxTail), true
}

// section reads a section of a file; it returns nil if that fails.
func section(path string, from, length int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, from, length))
	if err != nil {
		return nil
	}
	return data
}
