package doctor

import (
	"fmt"
	"maps"
	"slices"

	"onward/internal/session"
	"onward/internal/store"
)

// Settings checks that the settings of every project can be read and are valid. The function check returns an error
// for a key or a value that this version does not know. It reports problems only.
func Settings(s *session.Store, check func(key, value string) error) (findings []Finding) {
	names, err := s.SavedSettings()
	if err != nil {
		return []Finding{{Name: "settings", State: Bad, Detail: err.Error()}}
	}
	keys := make([]store.Key, len(names))
	for i, name := range names {
		keys[i] = session.SettingsKey(name)
	}
	s = s.WithBackend(store.Prefetch(s.Backend, keys))
	for _, name := range names {
		doc, _, err := s.PeekSettings(name)
		switch {
		case err != nil:
			findings = append(findings, Finding{Name: "settings", State: Bad, Detail: err.Error(), Hint: "run `onward repair` in the project's folder"})
		case doc != nil:
			for _, key := range slices.Sorted(maps.Keys(doc.Values)) {
				if err := check(key, doc.Values[key]); err != nil {
					findings = append(findings, Finding{
						Name: "settings", State: Note, Detail: fmt.Sprintf("those of %s: %v", doc.Project, err),
						Hint: "a newer version of onward may have set it",
					})
				}
			}
		}
	}
	return findings
}
