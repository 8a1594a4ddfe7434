package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"onward/internal/durable"
)

// Leftovers gives the lists that were deleted, but whose deletion was cut off, so that some of their files are still there.
// They go when the list is deleted again or begun anew.
func (s *Store) Leftovers() ([]Name, error) {
	root, err := durable.Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	var left []Name
	for _, folder := range []string{sessionsDir, historyDir} {
		files, err := fileNames(root, folder)
		if err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		for _, file := range files {
			name, err := ParseName(ownerOf(file))
			if err != nil || slices.Contains(left, name) {
				continue // not a name that we give
			}
			if _, err := root.Lstat(documentPath(name)); errors.Is(err, fs.ErrNotExist) && document(name).Deleted(root) {
				left = append(left, name)
			}
		}
	}
	return left, nil
}

// ownerOf gives the name of the list that a file beside the documents belongs to; none for a document and its lock.
func ownerOf(file string) string {
	if hidden, ok := strings.CutPrefix(file, "."); ok {
		name, _, _ := strings.Cut(hidden, ".tmp-")
		return name
	}
	if name, sum, ok := strings.Cut(file, ".json.corrupt-"); ok && len(sum) == 8 {
		return name
	}
	for _, ending := range []string{".activity", ".jsonl", ".jsonl.tmp"} {
		if name, ok := strings.CutSuffix(file, ending); ok {
			return name
		}
	}
	return ""
}

// fileNames lists a folder of the store; one that does not exist has no files.
func fileNames(root *os.Root, folder string) ([]string, error) {
	dir, err := root.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, durable.SystemError(err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	return names, durable.SystemError(err)
}
