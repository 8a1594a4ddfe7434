package durable

import (
	"errors"
	"io/fs"
	"path/filepath"

	"onward/internal/store"
)

// Examine adds up the sizes of all files. A file that is removed while it counts is left out.
func (s *Store) Examine() (store.Condition, error) {
	var c store.Condition
	err := filepath.WalkDir(s.Dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				c.Size += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	return c, SystemError(err)
}
