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

// quarantine copies a damaged document into its own folder, once for each content, and returns where the copy is.
// The document itself stays as it is. If it is gone, there is nothing to copy.
func (d document) quarantine(root *os.Root) (string, error) {
	from, _, err := OpenFile(root, d.path(), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer from.Close()
	sum, err := sumOf(from)
	if err != nil {
		return "", SystemError(err)
	}
	path := d.sibling(fmt.Sprintf(".json.corrupt-%08x", sum))
	if kept, _, err := OpenFile(root, path, os.O_RDONLY); err == nil {
		has, err := sumOf(kept)
		kept.Close()
		if err == nil && has == sum {
			return filepath.Join(root.Name(), path), nil
		}
	}
	// A file of this name with other content is half of a copy, whose writer died.
	if err := root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", SystemError(err)
	}
	err = createFile(root, path, func(to *os.File) error {
		_, err := from.Seek(0, io.SeekStart)
		if err == nil {
			_, err = io.Copy(to, from)
		}
		return err
	})
	if err != nil {
		root.Remove(path)
		return "", SystemError(err)
	}
	return filepath.Join(root.Name(), path), nil
}

// sumOf returns the sum of a file's content, by which a copy is named.
func sumOf(f *os.File) (uint32, error) {
	sum := fnv.New32a()
	_, err := io.Copy(sum, f)
	return sum.Sum32(), err
}

// remains lists the other files of a document: its log and note, what a writer was making
// when the power failed, which no other code removes, and if requested the copies of damaged documents.
func (d document) remains(root *os.Root, copies bool) ([]string, error) {
	var paths []string
	if d.Kind.Log != nil && d.Kind.Log.Folder != d.Kind.Folder {
		paths = append(paths, d.logPath(), d.trimmedPath())
	}
	files, err := fileNames(root, d.Kind.Folder)
	for _, file := range files {
		if owner, copied := ownerOf(d.Kind, file); owner == d.Name && (copies || !copied) {
			paths = append(paths, filepath.Join(d.Kind.Folder, file))
		}
	}
	return paths, err
}

// Leftovers lists copies of damaged documents, and what deletions that were cut off have left.
func (s *Store) Leftovers(kind *store.Spec, name string) ([]store.Leftover, error) {
	root, err := OpenIfExists(s.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	var traces []store.Leftover
	for _, folder := range folders(kind) {
		files, err := fileNames(root, folder)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			owner, copied := ownerOf(kind, file)
			if owner == "" || name != "" && owner != name {
				continue
			}
			t := store.Leftover{Name: owner}
			if copied {
				t.Copy = filepath.Join(s.Dir, folder, file)
			}
			doc := document{store.Key{Kind: kind, Name: owner}}
			if _, err := root.Lstat(doc.path()); errors.Is(err, fs.ErrNotExist) {
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

// ownerOf returns the name of the document that another file in their folder belongs to; none for a
// document and its lock.
func ownerOf(kind *store.Spec, file string) (name string, copied bool) {
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
	info, err := root.Lstat(folder)
	if err == nil && !info.IsDir() {
		return nil, notFolder(folder, info) // a pipe would wait for its writer
	}
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
