package transfer

import (
	"errors"
	"slices"

	"onward/internal/session"
)

// CopySettings copies the settings of a project from one name at the source to another at the target.
// A move leaves them at the source too, where they apply to the project's other sessions.
func (t *Transfer) CopySettings(name string, project session.Project) (did Result, err error) {
	for range attempts {
		if did, err = t.settings(name, project); !errors.Is(err, errAgain) {
			break
		}
	}
	return did, settled(err)
}

func (t *Transfer) settings(name string, project session.Project) (Result, error) {
	doc, _, err := t.From.Lists.PeekSettings(name)
	if err != nil || doc == nil {
		return Unchanged, err
	}
	at := t.To.Lists.SettingsName(project)
	if at == "" {
		return "", session.ErrUnnamed
	}
	p := part{
		key: session.SettingsKey(at), to: t.To.Lists.Backend,
		data: doc.EncodeFor(at, t.To.Lists.SettingsLabel(project)), changed: doc.UpdatedAt.Time(),
	}
	there, v, err := t.To.Lists.PeekSettings(at)
	if err = t.meets(&p, v, there == nil || slices.Contains(doc.OperationIDs, there.Op), err); err != nil {
		return "", err
	}
	switch {
	case !p.differs():
		return Unchanged, nil
	case t.DryRun:
		return Copied, nil
	}
	return Copied, p.write()
}
