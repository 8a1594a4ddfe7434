package output

import (
	"slices"

	continuation "onward/internal/continue"
	"onward/internal/render"
	"onward/internal/session"
)

// SettingsText shows every setting with its value and where it comes from, or the value of a key.
func SettingsText(values []continuation.Effective, key string, style render.Style) string {
	if i := slices.IndexFunc(values, func(v continuation.Effective) bool { return v.Key == key }); i >= 0 {
		return render.Text(values[i].Value) + "\n"
	}
	rows := render.Map(values, func(_ int, v *continuation.Effective) []string {
		return []string{v.Key, render.Text(v.Value), v.Where}
	})
	return style.Table(style.FoldColumn(rows, 1), 1)
}

// SettingsJSON is onward/settings/v1: the settings in force, or the one of a key.
func SettingsJSON(name session.Name, values []continuation.Effective, key string) any {
	if key != "" {
		values = slices.DeleteFunc(slices.Clone(values), func(v continuation.Effective) bool { return v.Key != key })
	}
	return Document("onward/settings/v1", name, "settings", values)
}
