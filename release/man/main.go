// Command man writes the man pages into a folder.
//
//	go run ./release/man [-date 2026-11-21] man
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"onward/cmd"
)

func main() {
	date := flag.String("date", "", "of the release, for the foot of the pages")
	flag.Parse()
	if err := write(flag.Arg(0), *date); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

func write(dir, date string) error {
	if dir == "" {
		return fmt.Errorf("name the folder that the pages are to be written to")
	}
	pages := cmd.ManPages(date)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o644); err != nil {
			return err
		}
	}
	return nil
}
