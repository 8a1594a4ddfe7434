package session

import (
	"hash/fnv"
	"slices"

	"onward/internal/object"
	"onward/internal/store"
	"onward/internal/todo"
)

// ProjectIdentity is what a project is known by where its folder is moved or removed. Any member may be empty.
type ProjectIdentity struct {
	Git        string // tells git's folder from any other on the machine
	Origin     string // the repository that it was cloned from
	Repository string // for a linked worktree, the folder whose settings hold for it
}

// Folders is what a store in files asks about the folders that its projects are named after.
type Folders interface {
	Identity(dir string) ProjectIdentity
	Gone(dir string) bool // it is not there any more
}

// placeKind describes how the folders of a place are kept.
var placeKind = store.Spec{Name: "place", Folder: "places", Limit: 256 << 10}

// maxPlaces is how many folders of a place are kept, the last ones. More than one is ambiguous anyway.
const maxPlaces = 16

// seenFolders is the folders in which a repository had a list or settings, the last one at the end.
type seenFolders struct{ projects []string }

// Fields lists the members of a place.
func (p *seenFolders) Fields(f *object.Fields) {
	f.Require("projects")
	object.Strings(f, "projects", &p.projects)
}

// keys returns the addresses of what is known about a place; a fact that is empty has none.
func (p ProjectIdentity) keys() (git, origin store.Key) {
	key := func(what, fact string) (k store.Key) {
		if fact != "" {
			k = store.Key{Kind: &placeKind, Name: what + hashed(fnv.New128a(), fact)}
		}
		return k
	}
	return key("git", p.Git), key("origin", p.Origin)
}

// FoldersSeenAt returns the folders in which a place was seen: by its git folder, and by its origin.
func (s *Store) FoldersSeenAt(p ProjectIdentity) (byGit, byOrigin []string) {
	read := func(k store.Key) []string {
		if k.Name == "" {
			return nil
		}
		known, _ := s.readSeenFolders(s.Backend.Get(k))
		return known
	}
	git, origin := p.keys()
	return read(git), read(origin)
}

// readSeenFolders reads the folders of a place. What cannot be read is not known.
func (s *Store) readSeenFolders(v store.Value, err error) ([]string, error) {
	known := seenFolders{}
	if err == nil && v.Data != nil {
		err = placeKind.Read(v.Data, &known)
	}
	return known.projects, err
}

// recordPlace remembers where a project is, once it has its first list or settings, instead of a folder that it was moved from.
// If that fails, a project that is moved is not found without help.
func (s *Store) recordPlace(dir, from string, now todo.Time) {
	if s.Folders == nil || dir == "" {
		return
	}
	git, origin := s.Folders.Identity(dir).keys()
	for _, key := range []store.Key{git, origin} {
		if key.Name == "" {
			continue
		}
		_ = s.Backend.Update(key, func(v store.Value, unread error) (store.Write, error) {
			known, _ := s.readSeenFolders(v, unread)
			if slices.Contains(known, dir) && !slices.Contains(known, from) {
				return store.Write{}, nil
			}
			known = slices.DeleteFunc(known, func(had string) bool { return had == dir || had == from })
			known = append(known, dir)
			known = known[max(0, len(known)-maxPlaces):]
			return store.Write{Data: placeKind.Write(&seenFolders{known}), Now: now.Time()}, nil
		})
	}
}
