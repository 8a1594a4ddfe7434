package session

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/durable"
)

// keep copies a damaged document beside itself, once for each content, and gives the copy's path in the store.
// The document itself stays as it is. Where it is gone, there is nothing to copy.
func keep(root *os.Root, name Name) (string, error) {
	info, err := root.Lstat(documentPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", durable.SystemError(err)
	}
	if err := durable.Regular(documentPath(name), info); err != nil {
		return "", err
	}
	from, err := root.Open(documentPath(name))
	if err != nil {
		return "", durable.SystemError(err)
	}
	defer from.Close()
	sum := fnv.New32a()
	if _, err := io.Copy(sum, from); err != nil {
		return "", durable.SystemError(err)
	}
	path := fmt.Sprintf("%s.corrupt-%08x", documentPath(name), sum.Sum32())
	if has, ok := sumOf(root, path); ok && has == sum.Sum32() {
		return path, nil
	}
	// What else has this name is the half of a copy whose writer died.
	if err := root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", durable.SystemError(err)
	}
	to, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", durable.SystemError(err)
	}
	_, err = from.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(to, from)
	}
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		root.Remove(path)
		return "", durable.SystemError(err)
	}
	return path, nil
}

// remains lists what belongs to a list beside its document: copies of damaged ones, its history and activity,
// and what a writer was making when the power failed, which nobody else clears away.
func remains(root *os.Root, name Name) ([]string, error) {
	paths := []string{historyPath(name), trimmedPath(name), activityPath(name)}
	files, err := fileNames(root, sessionsDir)
	for _, file := range files {
		if strings.HasPrefix(file, "."+name.String()+".tmp-") || isCopy(file, name) {
			paths = append(paths, filepath.Join(sessionsDir, file))
		}
	}
	return paths, err
}

// sumOf gives the sum of a file's content, by which a copy is named.
func sumOf(root *os.Root, path string) (uint32, bool) {
	info, err := root.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	f, err := root.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	sum := fnv.New32a()
	_, err = io.Copy(sum, f)
	return sum.Sum32(), err == nil
}

// kept lists the copies of damaged documents of a name.
func kept(root *os.Root, name Name) []string {
	var paths []string
	files, _ := fileNames(root, sessionsDir)
	for _, file := range files {
		if isCopy(file, name) {
			paths = append(paths, filepath.Join(sessionsDir, file))
		}
	}
	return paths
}

// isCopy reports whether a file is a copy of a list's damaged document.
// The document of a session that is called like a copy is longer by its ending.
func isCopy(file string, name Name) bool {
	sum, ok := strings.CutPrefix(file, name.String()+".json.corrupt-")
	return ok && len(sum) == 8
}
