package render

import (
	continuation "onward/internal/continue"
	"onward/internal/session"
)

// Settings shows every setting with its value and where it comes from.
func Settings(values []continuation.Effective, style Style) string {
	rows := make([][]string, len(values))
	for i, v := range values {
		rows[i] = []string{v.Key, Text(v.Value), v.Where}
	}
	return style.table(rows, 1)
}

// Setting gives the value of one setting.
func Setting(values []continuation.Effective, key string) string {
	for _, v := range values {
		if v.Key == key {
			return Text(v.Value)
		}
	}
	return ""
}

// SettingsJSON is onward/settings/v1: the settings in force, or the one of a key.
func SettingsJSON(name session.Name, values []continuation.Effective, key string) []byte {
	w := start("onward/settings/v1", name, 1024)
	w.Name("settings")
	w.Open('[')
	for _, v := range values {
		if key != "" && v.Key != key {
			continue
		}
		w.Open('{')
		w.String("key", v.Key)
		w.String("value", v.Value)
		w.String("from", v.Where)
		w.Close('}')
	}
	w.Close(']')
	w.Close('}')
	return finish(w)
}
