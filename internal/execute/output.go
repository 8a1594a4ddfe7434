package execute

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/durable"
	"onward/internal/object"
	"onward/internal/schedule"
	"onward/internal/session"
)

// inDocument is how many bytes of output stand in the schedule itself.
// More goes to a file of its own: the schedule is read at every step, and output is not.
const inDocument = 512

const outputsDir = "outputs"

// Output gives the file with the whole output of a call, below the store. It is there while the call runs,
// and afterwards where the output is too long to be kept with the call.
func Output(name session.Name, id string) string {
	return path.Join(outputsDir, name.String(), id+".txt")
}

// createOutput makes the file for the whole output of a call.
func (r *Runner) createOutput(name string) (*os.File, error) {
	root, err := r.outputs()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	root.Remove(name)
	return root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// outputs opens the store with the folder for outputs in it.
func (r *Runner) outputs() (*os.Root, error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return nil, err
	}
	err = durable.MakeFolder(root, outputsDir)
	if err == nil {
		err = durable.MakeFolder(root, path.Join(outputsDir, r.Name.String()))
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// keep puts the output of a call into a file of its own where it is too long for the schedule.
// It is not synced: what a crash of the machine can take is a text, not the knowledge that the call ran.
func (r *Runner) keep(end *schedule.Ending) {
	res := end.Result
	if res == nil || len(res.Stdout)+len(res.Stderr) <= inDocument {
		return
	}
	name := path.Join(outputsDir, r.Name.String(), end.ID+".json")
	w := object.NewWriter(len(res.Stdout) + len(res.Stderr) + 64)
	w.Open('{')
	w.String("stdout", res.Stdout)
	w.String("stderr", res.Stderr)
	w.Close('}')
	f, err := r.createOutput(name)
	if err == nil {
		_, err = f.Write(w.Bytes())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		end.Reason += "; its output could not be kept: " + err.Error()
		res.Stdout, res.Stderr = "", ""
		return
	}
	res.Kept = name
}

// Outputs fills in the outputs that stand in files of their own, for those who show them.
func Outputs(store string, calls []*schedule.Call) error {
	root, err := durable.Open(store)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	for _, c := range calls {
		if c.Result == nil || c.Result.Kept == "" || c.Result.Stdout+c.Result.Stderr != "" {
			continue
		}
		data, _, err := durable.ReadFile(root, c.Result.Kept, 16<<20)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody made room; how the call ended is still known
		}
		if err != nil {
			return err
		}
		r := object.NewReader(jsontext.NewDecoder(bytes.NewBuffer(data)))
		r.Object(func(name string) {
			switch name {
			case "stdout":
				c.Result.Stdout = r.String()
			case "stderr":
				c.Result.Stderr = r.String()
			default:
				r.Raw()
			}
		})
	}
	return nil
}

// Remove removes files of results that are no longer wanted.
func Remove(store string, files []string) {
	root, err := durable.Open(store)
	if root == nil || err != nil {
		return
	}
	defer root.Close()
	for _, f := range files {
		root.Remove(f)
	}
}

// RemoveAll removes the outputs of all calls of a session.
func RemoveAll(store string, name session.Name) error {
	root, err := durable.Open(store)
	if root == nil || err != nil {
		return err
	}
	defer root.Close()
	if err := root.RemoveAll(path.Join(outputsDir, name.String())); err != nil {
		return fmt.Errorf("delete outputs of %q: %w", name, durable.SystemError(err))
	}
	return nil
}
