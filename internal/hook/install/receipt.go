package install

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"onward/internal/durable"
)

// receipt says what a file was before onward wrote it.
// It is kept in the store, because an agent may take every file beside its settings for settings.
type receipt struct {
	Schema  string   `json:"schema"`
	Path    string   `json:"path"`
	Written string   `json:"written"`           // hash of what onward wrote
	Backup  string   `json:"backup,omitempty"`  // the copy of what was there; none: there was no file
	Folders []string `json:"folders,omitempty"` // what onward made on the way, the outermost first
	Granted []string `json:"granted,omitempty"` // what --allow added
}

const receiptSchema = "onward/hooks-receipt/v1"

// receiptPath gives the place of a file's receipt in the store.
func receiptPath(store, path string) string {
	h := fnv.New32a()
	h.Write([]byte(path))
	return filepath.Join(store, "hooks", fmt.Sprintf("%s-%08x.json", filepath.Base(path), h.Sum32()))
}

func backupPath(store, path string) string { return receiptPath(store, path) + ".backup" }

// digest tells whether a file is still what it was. It defends against accidents and not against anybody:
// who can write the settings can write the receipt. A hash of package crypto would have every start of onward pay for its set-up.
func digest(data []byte) string {
	h := fnv.New128a()
	h.Write(data)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// readReceipt gives the receipt of a file, if the file is still what onward wrote; nil elsewhere.
// A receipt that cannot be read is none: the hooks are then taken out one by one.
// granted is what --allow has added, whoever wrote the file since.
func readReceipt(store, path string, now []byte) (kept *receipt, granted []string) {
	data, err := durable.ReadForeign(receiptPath(store, path), maxSettings)
	if err != nil {
		return nil, nil
	}
	var r receipt
	if json.Unmarshal(data, &r) != nil || r.Schema != receiptSchema || r.Path != path {
		return nil, nil
	}
	for i, name := range r.Granted {
		r.Granted[i] = strings.TrimSuffix(name, "/") // as older versions wrote it
	}
	if now == nil || r.Written != digest(now) {
		return nil, r.Granted
	}
	return &r, r.Granted
}

// foldersMade gives the folders on the way to a file that an earlier install of another file made.
func foldersMade(store, path string) []string {
	receipts, _ := filepath.Glob(filepath.Join(store, "hooks", "*.json"))
	var out []string
	for _, name := range receipts {
		var r receipt
		data, err := durable.ReadForeign(name, maxSettings)
		if err != nil || json.Unmarshal(data, &r) != nil {
			continue
		}
		for _, dir := range r.Folders {
			if strings.HasPrefix(path, dir+string(filepath.Separator)) && !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}

// before gives what the file was; nil where there was none.
func (r *receipt) before() ([]byte, error) {
	if r.Backup == "" {
		return nil, nil
	}
	data, err := durable.ReadForeign(r.Backup, maxSettings)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// write keeps the receipt and, unless it is there already, the copy of the file.
func (r *receipt) write(store string, old []byte, keep bool) error {
	dir := filepath.Join(store, "hooks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return systemError(err)
	}
	if !keep && old != nil {
		r.Backup = backupPath(store, r.Path)
		if err := overwrite(r.Backup, old); err != nil {
			return fmt.Errorf("back up %s: %w", r.Path, err)
		}
	}
	r.Schema = receiptSchema
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := overwrite(receiptPath(store, r.Path), append(data, '\n')); err != nil {
		return fmt.Errorf("write receipt of %s: %w", r.Path, err)
	}
	return nil
}

// overwrite replaces a file of the store.
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
	// The folder goes with the last of them.
	_ = os.Remove(filepath.Join(store, "hooks"))
}

// dropFolders removes the folders that onward made, where they are empty now, the innermost first.
func dropFolders(made []string) {
	slices.SortFunc(made, func(a, b string) int { return len(b) - len(a) })
	for _, dir := range made {
		_ = os.Remove(dir)
	}
}
