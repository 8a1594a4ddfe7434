package cmd

import (
	"runtime"

	"onward/internal/buildid"
)

// The release build sets these, and leaves out what Go records, which depends on the folder of the build. buildid.Version knows the
// version that `go install` fetched.
var (
	version  = "dev"
	revision = ""
)

// build is onward/version/v1: what this program was built from.
type build struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"` // of the repository it was built in
	Modified bool   `json:"modified"`          // the repository had changes that were not committed
	Go       string `json:"go"`
	System   string `json:"system"`
}

func builtFrom() build {
	b := build{Schema: "onward/version/v1", Version: buildid.Version(version), Revision: revision, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if stamped, modified := buildid.Stamped(); stamped != "" {
		b.Revision, b.Modified = stamped, modified
	}
	return b
}

// String returns the line for display: `onward 1.2.0 (revision 0123456789ab, modified)`.
func (b build) String() string {
	line := "onward " + b.Version
	if b.Revision == "" {
		return line
	}
	line += " (revision " + b.Revision[:min(12, len(b.Revision))]
	if b.Modified {
		line += ", modified"
	}
	return line + ")"
}

func (b build) id() string { return buildid.Of(b.Version, b.Revision) }

func (a *app) printVersion() error {
	b := builtFrom()
	a.show(b, b.String()+"\n")
	return nil
}
