// Command saves is a hello world that also replaces a file with the syncs that a commit of onward needs.
// What it takes more than hello is the disk's share of every commit.
// It depends on the file system: without a journal, and mounted with discard, ext4 waits in the rename until the disk has
// discarded the old file, which takes about a fifth of a hello world.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := save(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "saves:", err)
		os.Exit(1)
	}
	fmt.Println("hello, world")
}

// save replaces the file by one of 4,000 bytes, about as long as a list of twenty items.
func save(path string) error {
	temp := path + ".tmp"
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4000))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
