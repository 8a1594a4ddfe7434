package execute

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/schedule"
	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/session"
	"onward/internal/store"
)

// inDocument is how many bytes of output are in the schedule itself.
// More goes to a file of its own: the schedule is read at every step, and output is not.
const inDocument = 512

const outputsDir = "outputs"

// OutputPath returns the path of the file with the whole output of a call, below the store. It exists while the call runs,
// and afterwards if the output is too long to be kept with the call.
func OutputPath(name session.Name, id string) string {
	return path.Join(outputsDir, name.String(), id+".txt")
}

// Outputs keeps the outputs of calls in files below a store. If machines share the store, the files are on this machine,
// and the outputs of calls that have ended are in the store too, unless they are too large for it.
type Outputs struct {
	Dir    string
	Shared store.Backend // nil if the store is files itself
}

// outputKind describes how outputs are kept in a store that machines share.
var outputKind = store.Spec{Name: "output", Folder: outputsDir, Limit: maxKept}

// maxKept is how much of a file of outputs is read, in bytes.
const maxKept = 16 << 20

// key returns the address of an output in a store that machines share. The names of sessions do not contain the
// separator.
func key(file string) store.Key {
	return store.Key{Kind: &outputKind, Name: strings.ReplaceAll(strings.TrimPrefix(file, outputsDir+"/"), "/", "~")}
}

// check returns an error for a name that is not that of an output. The name is from a document, which may come from
// another store, and could otherwise be the name of a list or of the file of what the user trusts.
func check(folder, name string) error {
	if strings.HasPrefix(name, folder+"/") && fs.ValidPath(name) && !strings.Contains(name, `\`) {
		return nil
	}
	return store.WrapProblem(store.ErrCorrupt, "%q is not a file of outputs", name)
}

// create makes the file for an output of a session's call.
func (o Outputs) create(session session.Name, name string) (*os.File, error) {
	root, err := o.folder(session)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	root.Remove(name)
	f, _, err := durable.OpenFile(root, name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	return f, err
}

// folder opens the store with the folder for outputs of a session in it.
func (o Outputs) folder(session session.Name) (*os.Root, error) {
	if o.Shared != nil {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, err
	}
	err = durable.MakeFolder(root, outputsDir)
	if err == nil {
		err = durable.MakeFolder(root, path.Join(outputsDir, session.String()))
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// Write keeps the output of a call that has ended.
// It is not synced: a crash of the machine can lose the output, but not the record that the call ran.
func (o Outputs) Write(session session.Name, name string, data []byte) error {
	if err := check(path.Join(outputsDir, session.String()), name); err != nil {
		return err
	}
	if o.Shared != nil {
		return o.Shared.Update(key(name), func(store.Value, error) (store.Write, error) {
			return store.Write{Data: data, Now: time.Now()}, nil
		})
	}
	f, err := o.create(session, name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Read returns the output of a call that has ended; nil if there is none.
func (o Outputs) Read(name string) ([]byte, error) {
	if err := check(outputsDir, name); err != nil {
		return nil, err
	}
	if o.Shared != nil {
		v, err := o.Shared.Get(key(name))
		return v.Data, err
	}
	return durable.Read(o.Dir, name, maxKept)
}

// open opens the output of a call that runs on this machine; nil if there is none.
func (o Outputs) open(name string) (*os.File, error) {
	root, err := durable.OpenIfExists(o.Dir)
	if root == nil || err != nil {
		return nil, err
	}
	defer root.Close()
	f, _, err := durable.OpenFile(root, name, os.O_RDONLY) // not a pipe, because opening one would wait for its writer
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// share copies the whole output of a call into a store that machines share, unless it is too large for that.
func (o Outputs) share(session session.Name, name string) error {
	if o.Shared == nil {
		return nil
	}
	data, err := (Outputs{Dir: o.Dir}).Read(name)
	if err == nil && len(data) > 0 {
		err = o.Write(session, name, data)
	}
	if errors.Is(err, store.ErrLimit) {
		return nil
	}
	return err
}

// spill puts the output of a call into a file of its own if it is too long for the schedule.
func (r *Runner) spill(end *schedule.Ending) {
	res := end.Result
	if res == nil || len(res.Stdout)+len(res.Stderr) <= inDocument {
		return
	}
	name := path.Join(outputsDir, r.Name.String(), end.ID+".json")
	w := object.NewWriter(len(res.Stdout) + len(res.Stderr) + 64)
	w.Write((*streams)(res))
	if err := r.Outputs.Write(r.Name, name, w.Bytes()); err != nil {
		end.Reason += "; its output could not be kept: " + err.Error()
		res.Stdout, res.Stderr = "", ""
		return
	}
	res.Kept = name
}

// FillIn fills in the outputs that are in files of their own, for display.
// If such a file was deleted to free space, only the output is missing.
func (o Outputs) FillIn(calls []*schedule.Call) error {
	for _, c := range calls {
		if c.Result == nil || c.Result.Kept == "" || c.Result.Stdout+c.Result.Stderr != "" {
			continue
		}
		data, err := o.Read(c.Result.Kept)
		if err != nil {
			return err
		}
		if data == nil {
			continue
		}
		object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(data))).Read((*streams)(c.Result))
	}
	return nil
}

// streams are the outputs of a call in a file of their own.
type streams schedule.Result

// Fields lists the members of such a file.
func (s *streams) Fields(f *object.Fields) {
	object.Text(f, "stdout", &s.Stdout)
	object.Text(f, "stderr", &s.Stderr)
}

// Remove removes files of results that are no longer wanted.
func (o Outputs) Remove(files []string) {
	files = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return check(outputsDir, f) != nil })
	if root, err := durable.OpenIfExists(o.Dir); root != nil && err == nil {
		defer root.Close()
		for _, f := range files {
			root.Remove(f)
		}
	}
	if o.Shared != nil {
		for _, f := range files {
			_ = o.forget(key(f))
		}
	}
}

func (o Outputs) forget(k store.Key) error {
	return o.Shared.Update(k, func(v store.Value, err error) (store.Write, error) {
		return store.Write{Delete: v.Data != nil}, err
	})
}

// RemoveAll removes the outputs of all calls of a session.
func (o Outputs) RemoveAll(name session.Name) error {
	err := o.removeAll(name)
	if err != nil {
		return fmt.Errorf("delete outputs of %q: %w", name, err)
	}
	return nil
}

func (o Outputs) removeAll(name session.Name) error {
	if o.Shared != nil {
		entries, err := o.Shared.List(&outputKind, "", false)
		for _, e := range entries {
			if err == nil && strings.HasPrefix(e.Name, name.String()+"~") {
				err = o.forget(store.Key{Kind: &outputKind, Name: e.Name})
			}
		}
		if err != nil {
			return err
		}
	}
	root, err := durable.OpenIfExists(o.Dir)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	return durable.SystemError(root.RemoveAll(path.Join(outputsDir, name.String())))
}
