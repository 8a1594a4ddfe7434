package cmd

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// What the release build sets: it leaves out what Go would note by itself, which the folder of the build decides.
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
	b := build{Schema: "onward/version/v1", Version: version, Revision: revision, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
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

// id tells this build from others: by its version, and where that is known by the revision, since all that were built
// from source have one version.
func (b build) id() string {
	if b.Revision == "" {
		return b.Version
	}
	return b.Version + "+" + b.Revision
}

// sameBuild reports whether two programs belong together, by their ids. A build that does not know its revision is
// believed.
func sameBuild(id, other string) bool {
	version, revision, known := strings.Cut(id, "+")
	itsVersion, itsRevision, itsKnown := strings.Cut(other, "+")
	return version == itsVersion && (!known || !itsKnown || revision == itsRevision)
}

func (a *app) printVersion() error {
	b := builtFrom()
	a.show(b, b.String()+"\n")
	return nil
}
