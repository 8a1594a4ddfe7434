package continuation

import (
	"slices"

	"onward/internal/session"
)

// settingAssignment writes how the user gives a setting another value: where it was given before, since a flag or the session's own
// setting precedes anything that `onward set` changes.
func (q *question) settingAssignment(key, value string) string {
	var is Effective
	if i := slices.IndexFunc(q.set.From, func(e Effective) bool { return e.Key == key }); i >= 0 {
		is = q.set.From[i]
	}
	switch is.Where {
	case FromFlag:
		return "`" + is.Name + " " + value + "`"
	case FromEnvironment:
		return "`" + is.Name + "=" + value + "`"
	}
	command := "onward set " + key + " " + value
	if is.Where == FromSession {
		command += " --session " + q.doc.Session
		if _, own := q.doc.Settings[key]; own && q.doc.Agent != session.Primary {
			command += " --agent " + q.doc.Agent
		}
	}
	return "`" + command + "`"
}
