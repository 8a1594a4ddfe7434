package store

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Address describes where a store is: in a folder, or at a URL that an engine knows.
type Address struct {
	Scheme string // of the URL; empty is a folder
	Text   string // the folder, or the whole URL
}

// ParseAddress reads the address of a store: a folder, file:///FOLDER, or SCHEME://…, which only its engine parses.
// A user or a password in a URL is refused, and not repeated: command lines and environments are seen by others.
func ParseAddress(text string) (Address, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if strings.HasPrefix(text, "file:") { // file:/FOLDER is one too
		scheme, found = "file", true
	}
	if !found || !isScheme(scheme) {
		return Address{Text: text}, nil
	}
	authority, _, _ := strings.Cut(rest, "/")
	switch {
	case strings.Contains(authority, "@"):
		return Address{}, errors.New("no user or password belongs in the URL of a store")
	case scheme != "file":
		return Address{Scheme: scheme, Text: text}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" || u.RawQuery != "" || u.Fragment != "" {
		return Address{}, fmt.Errorf("%q is not a URL such as file:///var/lib/onward", text)
	}
	path := u.Path
	if filepath.VolumeName(path[1:]) != "" {
		path = path[1:] // file:///C:/folder
	}
	return Address{Text: filepath.FromSlash(path)}, nil
}

// isScheme reports whether a word can be the scheme of a URL. A single letter is a drive of Windows.
func isScheme(word string) bool {
	return len(word) > 1 && 'a' <= word[0] && word[0] <= 'z' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789+") == ""
}

// Engine names what opens the store: in etcd+plain://, the plus sign begins a variant.
func (a Address) Engine() string {
	engine, _, _ := strings.Cut(a.Scheme, "+")
	return engine
}
