package render

import (
	"slices"

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

// Setting returns the value of one setting.
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
	if key != "" {
		values = slices.DeleteFunc(slices.Clone(values), func(v continuation.Effective) bool { return v.Key != key })
	}
	return encode(struct {
		header
		Settings []continuation.Effective `json:"settings"`
	}{headerOf("onward/settings/v1", name), values})
}
