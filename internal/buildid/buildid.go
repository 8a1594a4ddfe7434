// Package buildid tells builds of onward and its companions apart.
package buildid

import (
	"runtime/debug"
	"strings"
)

// Stamped returns the revision of the repository that this program was built in, if Go has noted it, and whether
// there were changes that were not committed.
func Stamped() (revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return revision, modified
}

// Version returns the version of this program: what the release build has set, or, if that is "dev", the version of the module
// that `go install` fetched.
func Version(set string) string {
	if info, ok := debug.ReadBuildInfo(); ok && set == "dev" {
		return fetched(info)
	}
	return set
}

// fetched returns the version of a module that was downloaded, which has a checksum, or "dev" for a build of a checkout.
func fetched(info *debug.BuildInfo) string {
	if info.Main.Sum == "" {
		return "dev"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// Of tells a build from others: by its version, and if that is known by the revision, since all that were built from
// source have one version.
func Of(version, revision string) string {
	if revision == "" {
		return version
	}
	return version + "+" + revision
}

// Same reports whether two programs belong together, by their ids. A build that does not know its revision is believed.
func Same(id, other string) bool {
	version, revision, known := strings.Cut(id, "+")
	itsVersion, itsRevision, itsKnown := strings.Cut(other, "+")
	return version == itsVersion && (!known || !itsKnown || revision == itsRevision)
}
