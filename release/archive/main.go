// Command archive packs a folder into an archive whose bytes depend on nothing but its files:
// they are sorted, belong to nobody, and have one time.
//
//	go run ./release/archive -epoch 1795250442 onward.tar.gz folder
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	epoch := flag.Int64("epoch", 0, "the time of all files, in seconds since 1970")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: archive [-epoch N] FILE FOLDER")
		os.Exit(2)
	}
	if err := pack(flag.Arg(0), flag.Arg(1), time.Unix(*epoch, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "archive:", err)
		os.Exit(1)
	}
}

// archive is what both kinds can do.
type archive interface {
	add(name string, mode fs.FileMode, data []byte) error
	io.Closer
}

func pack(name, folder string, at time.Time) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	var a archive
	if strings.HasSuffix(name, ".zip") {
		a = &zipped{zip.NewWriter(f), at}
	} else {
		z := gzip.NewWriter(f)
		a = &tarred{tar.NewWriter(z), z, at}
	}
	// WalkDir goes through a folder in the order of the names.
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(filepath.Dir(folder), path)
		if err != nil {
			return err
		}
		// What a build leaves executable are the programs; the rights of other files are the umask's.
		mode := fs.FileMode(0o644)
		switch strings.TrimSuffix(filepath.Base(path), ".exe") {
		case "onward", "onward-schema":
			mode = 0o755
		}
		return a.add(filepath.ToSlash(inside), mode, data)
	})
	if err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return err
	}
	return f.Close()
}

type tarred struct {
	w  *tar.Writer
	z  *gzip.Writer
	at time.Time
}

func (a *tarred) add(name string, mode fs.FileMode, data []byte) error {
	h := &tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: a.at, Format: tar.FormatUSTAR}
	if err := a.w.WriteHeader(h); err != nil {
		return err
	}
	_, err := a.w.Write(data)
	return err
}

func (a *tarred) Close() error {
	if err := a.w.Close(); err != nil {
		return err
	}
	return a.z.Close()
}

type zipped struct {
	w  *zip.Writer
	at time.Time
}

func (a *zipped) add(name string, mode fs.FileMode, data []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at}
	h.SetMode(mode)
	w, err := a.w.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func (a *zipped) Close() error { return a.w.Close() }
