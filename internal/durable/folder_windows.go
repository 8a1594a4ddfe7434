package durable

import (
	"os"
	"path/filepath"
)

// openFolder opens none: there is nothing here that an open folder would be good for.
func openFolder(*os.Root, string) (*os.File, error) { return nil, nil }

func (t *Transaction) open(name string, flag int) (*os.File, error) {
	return t.Root.OpenFile(filepath.Join(t.doc.Folder, name), flag, 0o600)
}

func (t *Transaction) rename(from, to string) error {
	return Rename(t.Root, filepath.Join(t.doc.Folder, from), filepath.Join(t.doc.Folder, to))
}

func (t *Transaction) syncFolder() error { return SyncDir(t.Root, t.doc.Folder) }
