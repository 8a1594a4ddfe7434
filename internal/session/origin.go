package session

import (
	"errors"
	"hash/fnv"
	"path"
	"strconv"
	"strings"
)

// ErrUnnamed marks a project that has no name on a store that machines share.
var ErrUnnamed = errors.New("the project has no name on a store that machines share")

// On a store that machines share, a project cannot be named after its folder, since /workspace is another project in every
// pod. It is named after the repository that it was cloned from. So a fork is a project of its own.

// OriginURL returns the repository that a project was cloned from, from the text of its .git/config;
// empty if there is none that other machines could know. Included files are not read.
func OriginURL(config string) string {
	return normalOrigin(gitConfig(config, "remote", "origin", "url"))
}

// CoreWorktree returns the folder that a repository was checked out into where git keeps the repository elsewhere, relative to
// git's folder, from the text of its configuration; empty if that has none.
func CoreWorktree(config string) string { return gitConfig(config, "core", "", "worktree") }

// gitConfig returns a value of git's configuration, the first one.
func gitConfig(config, section, name, key string) string {
	if name != "" {
		name = strconv.Quote(name)
	}
	ours := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			head, _, _ := strings.Cut(line[1:], "]")
			kind, of, _ := strings.Cut(head, " ")
			ours = strings.EqualFold(kind, section) && strings.TrimSpace(of) == name
			continue
		}
		has, value, _ := strings.Cut(line, "=")
		if ours && strings.EqualFold(strings.TrimSpace(has), key) {
			return gitValue(value)
		}
	}
	return ""
}

// gitValue reads a value of git's configuration: quotes, escapes and comments are removed.
func gitValue(text string) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, c := range strings.TrimSpace(text) {
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteRune(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// normalOrigin makes one name of all URLs of a repository: https://me:secret@Example.com:443/team/app.git and
// git@example.com:team/app are example.com/team/app. A folder has no such name: on another machine
// the same path is another folder.
func normalOrigin(url string) string {
	scheme, rest, isURL := strings.Cut(url, "://")
	host, file := "", ""
	switch {
	case isURL && scheme != "file":
		host, file, _ = strings.Cut(rest, "/")
	case !isURL:
		// As git reads user@host:path: a colon that no slash comes before, and more than the drive of a path.
		host, file, _ = strings.Cut(url, ":")
		if len(host) < 2 || strings.Contains(host, "/") {
			return ""
		}
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:at] // the port of ssh is not that of https
	}
	file = strings.TrimPrefix(path.Clean("/"+file), "/")
	file = strings.TrimSuffix(file, ".git")
	if host == "" || file == "" {
		return ""
	}
	return strings.ToLower(host) + "/" + file
}

// shared returns the session of a project on a store that machines share. It is long: machines with other versions of onward
// find the same one, and none has to ask the store first whether a short name is free.
func (p Project) shared() (string, error) {
	if p.Origin == "" {
		return "", ErrUnnamed
	}
	return cleanID(path.Base(p.Origin), maxSession-33) + hashed(fnv.New128a(), p.Origin), nil
}

// Label reports which project a list is of: the folder, or where machines share the store, the repository.
func (p Project) Label() string {
	if p.Origin != "" {
		return p.Origin
	}
	return p.Dir
}
