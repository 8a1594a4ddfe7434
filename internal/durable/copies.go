package durable

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onward/internal/store"
)

// quarantine copies a damaged document beside itself, once for each content, and returns the copy's path in the store.
// The document itself stays as it is. If it is gone, there is nothing to copy.
func quarantine(root *os.Root, k store.Key) (string, error) {
	info, err := root.Lstat(place(k).Path())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", SystemError(err)
	}
	if err := Regular(place(k).Path(), info); err != nil {
		return "", err
	}
	from, err := root.Open(place(k).Path())
	if err != nil {
		return "", SystemError(err)
	}
	defer from.Close()
	sum := fnv.New32a()
	if _, err := io.Copy(sum, from); err != nil {
		return "", SystemError(err)
	}
	path := fmt.Sprintf("%s.corrupt-%08x", place(k).Path(), sum.Sum32())
	if has, ok := sumOf(root, path); ok && has == sum.Sum32() {
		return path, nil
	}
	// What else has this name is the half of a copy whose writer died.
	if err := root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", SystemError(err)
	}
	to, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", SystemError(err)
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
		return "", SystemError(err)
	}
	return path, nil
}

// remains lists what belongs to a document beside it: its log and note, what a writer was making
// when the power failed, which no other code removes, and if requested the copies of damaged documents.
func remains(root *os.Root, k store.Key, copies bool) ([]string, error) {
	var paths []string
	if k.Kind.Log != nil && k.Kind.Log.Folder != k.Kind.Folder {
		paths = append(paths, logPath(k), trimmedPath(k))
	}
	files, err := fileNames(root, k.Kind.Folder)
	for _, file := range files {
		if owner, copied := ownerOf(k.Kind, file); owner == k.Name && (copies || !copied) {
			paths = append(paths, filepath.Join(k.Kind.Folder, file))
		}
	}
	return paths, err
}

// sumOf returns the sum of a file's content, by which a copy is named.
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

// Traces lists copies of damaged documents, and what deletions that were cut off have left.
func (s *Store) Traces(kind *store.Kind, name string) ([]store.Trace, error) {
	root, err := Open(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	folders := []string{kind.Folder}
	if kind.Log != nil && kind.Log.Folder != kind.Folder {
		folders = append(folders, kind.Log.Folder)
	}
	var traces []store.Trace
	for _, folder := range folders {
		files, err := fileNames(root, folder)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			owner, copied := ownerOf(kind, file)
			if owner == "" || name != "" && owner != name {
				continue
			}
			t := store.Trace{Name: owner}
			if copied {
				t.Copy = filepath.Join(s.Dir, folder, file)
			}
			doc := place(store.Key{Kind: kind, Name: owner})
			if _, err := root.Lstat(doc.Path()); errors.Is(err, fs.ErrNotExist) {
				state, _ := doc.recorded(root)
				t.Deleted = state == stateGone
			}
			if t.Deleted || copied {
				traces = append(traces, t)
			}
		}
	}
	return traces, nil
}

// ownerOf returns the name of the document that a file beside the documents belongs to; none for a document and its lock.
func ownerOf(kind *store.Kind, file string) (name string, copied bool) {
	if hidden, ok := strings.CutPrefix(file, "."); ok {
		name, _, _ := strings.Cut(hidden, ".tmp-")
		return name, false
	}
	if name, sum, ok := strings.Cut(file, ".json.corrupt-"); ok && len(sum) == 8 {
		return name, true
	}
	endings := []string{kind.Note}
	if kind.Log != nil {
		endings = append(endings, kind.Log.Ending, kind.Log.Ending+".tmp")
	}
	for _, ending := range endings {
		if name, ok := strings.CutSuffix(file, ending); ok && ending != "" {
			return name, false
		}
	}
	return "", false
}

// fileNames lists a folder of the store; one that does not exist has no files.
func fileNames(root *os.Root, folder string) ([]string, error) {
	dir, err := root.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, SystemError(err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	return names, SystemError(err)
}
