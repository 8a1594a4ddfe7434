package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"time"

	"onward/internal/object"
	"onward/internal/store"
)

// ErrTrust marks a list of trusted files that cannot be read.
var ErrTrust = errors.New("nothing is trusted")

// trusted is what the user has trusted: the content of each file, by its path.
// A cryptographic digest would be enough, but linking one makes every start of the program 2 % slower.
type trusted struct{ files map[string]string }

// trustKind describes how the list of trusted files is kept, which has the whole content of each.
var (
	trustKind = store.Spec{Name: "trust", Folder: ".", Limit: 16 << 20}
	trustKey  = store.Key{Kind: &trustKind, Name: "trust"}
)

// Fields lists the members of the list of trusted files.
func (t *trusted) Fields(f *object.Fields) {
	f.Require("files")
	object.Map(f.OmitEmpty(), "files", &t.files)
}

func (f Files) trustPath() string { return filepath.Join(f.Config, "trust.json") }

// trusted reads what the user has trusted; nothing if there is no file.
func (f Files) trusted() (*trusted, error) {
	t := &trusted{}
	data, err := f.Disk.Read(f.trustPath(), int64(trustKind.Limit))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		err = trustKind.Read(data, t)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", ErrTrust, f.trustPath(), err)
	}
	return t, nil
}

// CheckTrust returns an error if the list of trusted files cannot be read.
func (f Files) CheckTrust() error {
	_, err := f.trusted()
	return err
}

// gatePath names the gate of a list in the table of trusted texts: its document, and within it the setting.
func gatePath(document string) string { return document + "#gate" }

// gateFolder names the folder that the gate of a list is trusted in.
func gateFolder(document string) string { return gatePath(document) + "-folder" }

// TrustGate trusts the command of a gate that a document contains, in one folder, or if that is empty in every one.
func (f Files) TrustGate(b store.Backend, document, command, folder string, now time.Time) error {
	trusted, in, err := f.TrustsGate(document, command)
	if trusted && in == folder || err != nil {
		return err
	}
	files := map[string]string{gatePath(document): command}
	if folder != "" || in != "" {
		files[gateFolder(document)] = folder
	}
	return f.trust(b, files, now)
}

// TrustsGate reports whether the present command of a gate is trusted, and the folder if it is trusted only there.
func (f Files) TrustsGate(document, command string) (trusted bool, folder string, err error) {
	known, err := f.trusted()
	if err != nil {
		return false, "", err
	}
	text, there := known.files[gatePath(document)]
	return there && text == command, known.files[gateFolder(document)], nil
}

// itemGatePath names the gate of an item in the table of trusted texts. The items of a list share it.
func itemGatePath(document, command string) string {
	return gatePath(document) + " of item: " + command
}

// TrustItemGates trusts the commands of gates of items in a document.
func (f Files) TrustItemGates(b store.Backend, document string, commands []string, now time.Time) error {
	files := map[string]string{}
	for _, command := range commands {
		files[itemGatePath(document, command)] = command
	}
	return f.trust(b, files, now)
}

// TrustsItemGate reports whether the command of an item's gate is trusted.
func (f Files) TrustsItemGate(document, command string) (bool, error) {
	known, err := f.trusted()
	if err != nil {
		return false, err
	}
	return known.files[itemGatePath(document, command)] == command, nil
}

// storePath names a store in the table of trusted texts.
func storePath(dir string) string { return dir + "#store" }

// TrustStore lets the documents of other users in a store act as this one.
func (f Files) TrustStore(b store.Backend, dir string, now time.Time) error {
	return f.trust(b, map[string]string{storePath(dir): dir}, now)
}

// TrustsStore reports whether the documents of other users in a store may act as this one.
func (f Files) TrustsStore(dir string) bool {
	known, err := f.trusted()
	return err == nil && known.files[storePath(dir)] == dir
}

// trust adds files to what the user has trusted, unless each of them is among them.
func (f Files) trust(b store.Backend, found map[string]string, now time.Time) error {
	known, err := f.trusted()
	if err != nil {
		return err
	}
	maps.DeleteFunc(found, func(path, text string) bool { was, there := known.files[path]; return there && was == text })
	if len(found) == 0 {
		return nil
	}
	if f.May != nil {
		if err := f.May(); err != nil {
			return err
		}
	}
	return store.Update(b, trustKey, "write "+f.trustPath(), func(store.Value, error) (store.Write, error) {
		t, err := f.trusted()
		if err != nil {
			return store.Write{}, err
		}
		if t.files == nil {
			t.files = map[string]string{}
		}
		maps.Copy(t.files, found)
		return store.Write{Data: trustKind.Write(t), Now: now}, nil
	})
}
