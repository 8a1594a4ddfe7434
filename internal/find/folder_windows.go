package find

import (
	"os"
	"path/filepath"
)

// currentFolder returns the working folder without links in its path.
func currentFolder() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return dir, err
}
