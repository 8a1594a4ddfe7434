package install

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/store"
)

// receipt records the content of a file before onward wrote it.
// It is kept in the store, because an agent may take every file next to its settings for settings.
type receipt struct {
	path    string
	written string   // digest of what onward wrote
	backup  string   // the copy of the previous file; empty if it did not exist
	copied  string   // digest of the copy; receipts of reader 1 have none
	folders []string // that onward made for the file, the outermost first
	granted []string // the grants that --allow added, even if the file was rewritten since
	unknown jsontext.Value
}

// Fields lists the members of a receipt.
func (r *receipt) Fields(f *object.Fields) {
	f.Require("path", "written")
	object.Text(f, "path", &r.path)
	object.Text(f, "written", &r.written)
	object.Text(f.OmitEmpty(), "backup", &r.backup)
	object.Text(f.OmitEmpty(), "copied", &r.copied)
	object.Strings(f.OmitEmpty(), "folders", &r.folders)
	object.Strings(f.OmitEmpty(), "granted", &r.granted)
	f.Unknown(&r.unknown)
}

// receiptKind describes all receipts. They are named by the paths of their files.
var receiptKind = store.Spec{Name: "hooks-receipt", Limit: maxSettings}

// receiptPath returns the place of a file's receipt in the store.
func receiptPath(store, path string) string {
	h := fnv.New32a()
	h.Write([]byte(path))
	return filepath.Join(store, "hooks", fmt.Sprintf("%s-%08x.json", filepath.Base(path), h.Sum32()))
}

func backupPath(store, path string) string { return receiptPath(store, path) + ".backup" }

// digest identifies the content of a file. It detects accidents, not forgery: whoever can write the settings can write the
// receipt. A hash of package crypto would make every start of onward pay for its set-up.
func digest(data []byte) string {
	h := fnv.New128a()
	h.Write(data)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// readReceipt reads the receipt of a file; it is empty if there is none. A damaged one is an error: the original content of
// the file is lost with it, and only its owner can decide that this does not matter.
func readReceipt(store, path string) (*receipt, error) {
	at := receiptPath(store, path)
	r, err := openReceipt(at)
	if err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", ErrReceipt, at, err)
	}
	if r.path != path {
		return &receipt{}, nil // of another file, whose path has the same hash
	}
	for i, name := range r.granted {
		r.granted[i] = strings.TrimSuffix(name, "/") // as older versions wrote it
	}
	return r, nil
}

func openReceipt(at string) (*receipt, error) {
	r := &receipt{}
	data, err := durable.ReadForeign(at, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if errors.Is(err, store.ErrForeign) {
		return nil, err // it may be a folder
	}
	if err != nil {
		return nil, durable.SystemError(err)
	}
	return r, receiptKind.Read(data, r)
}

// receipts returns the readable receipts, and errors for the others.
func receipts(store string) (all []*receipt, err error) {
	names, _ := filepath.Glob(filepath.Join(store, "hooks", "*.json"))
	for _, name := range names {
		r, unread := openReceipt(name)
		if unread != nil {
			err = errors.Join(err, fmt.Errorf("%w: read %s: %w", ErrReceipt, name, unread))
			continue
		}
		all = append(all, r)
	}
	return all, err
}

// foldersMade returns the folders on the way to a file that an earlier install of another file made.
// A receipt that cannot be read is reported by the install of its own file.
func foldersMade(store, path string) []string {
	var out []string
	known, _ := receipts(store)
	for _, r := range known {
		for _, dir := range r.folders {
			if strings.HasPrefix(path, dir+string(filepath.Separator)) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}

// matches reports whether a file still has the bytes that onward wrote.
func (r *receipt) matches(now []byte) bool {
	return now != nil && r.written == digest(now)
}

// remains reports whether the file exists and names onward.
func (r *receipt) remains() bool {
	now, err := readFile(r.path)
	return err != nil || r.matches(now) || bytes.Contains(now, []byte("onward"))
}

// before returns the content of the file before the install; nil if it did not exist.
func (r *receipt) before() ([]byte, error) {
	if r.backup == "" {
		return nil, nil
	}
	data, err := durable.ReadForeign(r.backup, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = store.WrapProblem(store.ErrCorrupt, "%w", store.ErrGone)
	case err != nil && !errors.Is(err, store.ErrForeign):
		err = durable.SystemError(err)
	case err == nil && r.copied != "" && r.copied != digest(data):
		err = store.WrapProblem(store.ErrCorrupt, "%w", store.ErrChecksum)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read the copy %s: %w", ErrReceipt, r.backup, err)
	}
	return append([]byte{}, data...), nil // not nil, even if the file was empty
}

// known is before, or nil if that cannot be read.
func (r *receipt) known() []byte {
	data, _ := r.before()
	return data
}

// write saves the receipt and a copy of the file; nil for none, or one that exists already.
func (r *receipt) write(dir string, old []byte) error {
	if err := os.MkdirAll(filepath.Join(dir, "hooks"), 0o700); err != nil {
		return durable.SystemError(err)
	}
	if old != nil {
		r.backup, r.copied = backupPath(dir, r.path), digest(old)
		if err := overwrite(r.backup, old); err != nil {
			return fmt.Errorf("back up %s: %w", r.path, err)
		}
	}
	if err := overwrite(receiptPath(dir, r.path), receiptKind.Write(r)); err != nil {
		return fmt.Errorf("write receipt of %s: %w", r.path, err)
	}
	return nil
}

func overwrite(path string, data []byte) error {
	was, err := readFile(path)
	if err != nil {
		return err
	}
	return replace(path, data, was, 0o600)
}

// forget removes the receipt and the copy.
func forget(store, path string) {
	_ = os.Remove(receiptPath(store, path))
	_ = os.Remove(backupPath(store, path))
	// The folder is removed with the last receipt.
	_ = os.Remove(filepath.Join(store, "hooks"))
}

// dropFolders removes the folders that onward made and that are empty now, the innermost first.
func dropFolders(made []string) {
	slices.SortFunc(made, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range made {
		_ = os.Remove(dir)
	}
}
