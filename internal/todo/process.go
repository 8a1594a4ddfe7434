package todo

import (
	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/object"
)

// Process identifies a process among all machines that share a store.
type Process struct {
	Host      string
	Boot      string // of the machine
	Namespace string // of the process id
	PID       int
	Start     string // when it started, in the system's own units
	Unknown   jsontext.Value
}

// Is reports whether two records are about the same process, or both are nil.
func (p *Process) Is(other *Process) bool {
	if p == nil || other == nil {
		return p == other
	}
	return p.Host == other.Host && p.Boot == other.Boot && p.Namespace == other.Namespace && p.PID == other.PID && p.Start == other.Start
}

// Fields lists the members of a process.
func (p *Process) Fields(f *object.Fields) {
	object.Text(f, "host", &p.Host)
	object.Text(f, "boot", &p.Boot)
	object.Text(f, "pid_namespace", &p.Namespace)
	f.Int("pid", &p.PID)
	object.Text(f, "start", &p.Start)
	f.Unknown(&p.Unknown)
}
