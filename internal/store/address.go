package store

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// Address describes where a store is: in a folder, or at a URL that an engine knows.
type Address struct {
	Scheme string // of the URL; empty is a folder
	Text   string // the folder, or the whole URL
}

// ParseAddress reads the address of a store: a folder, file:///FOLDER, or SCHEME://…, which only its engine parses.
// Capital letters in a scheme and in the names of hosts mean the small ones, and several hosts are in their order, so that
// one store has one address. A user or a password in a URL is refused, and not repeated:
// command lines and environments are seen by others.
func ParseAddress(text string) (Address, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if len(text) >= len("file:") && strings.EqualFold(text[:len("file:")], "file:") { // file:/FOLDER is one too
		scheme, found = "file", true
	}
	if !found || len(scheme) == 1 { // a single letter is a drive of Windows
		return Address{Text: text}, nil
	}
	authority, path, _ := strings.Cut(rest, "/")
	lower := strings.ToLower(scheme)
	switch text = lower + text[len(scheme):]; {
	case strings.Contains(authority, "@") || strings.Contains(scheme, "@"):
		return Address{}, errors.New("no user or password belongs in the URL of a store")
	case !isScheme(lower):
		return Address{}, fmt.Errorf("%q is neither a folder nor the URL of a store", scheme+"://…")
	case lower != "file":
		hosts := strings.Split(strings.ToLower(authority), ",")
		slices.Sort(hosts)
		return Address{Scheme: lower, Text: strings.TrimSuffix(lower+"://"+strings.Join(hosts, ",")+"/"+path, "/")}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" || u.RawQuery != "" || u.Fragment != "" {
		return Address{}, fmt.Errorf("%q is not a URL such as file:///var/lib/onward", text)
	}
	folder := u.Path
	if filepath.VolumeName(folder[1:]) != "" {
		folder = folder[1:] // file:///C:/folder
	}
	return Address{Text: filepath.FromSlash(folder)}, nil
}

// isScheme reports whether a word in small letters can be the scheme of a URL.
func isScheme(word string) bool {
	return word != "" && 'a' <= word[0] && word[0] <= 'z' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789+") == ""
}

// Engine names what opens the store: in etcd+plain://, the plus sign begins a variant.
func (a Address) Engine() string {
	engine, _, _ := strings.Cut(a.Scheme, "+")
	return engine
}
