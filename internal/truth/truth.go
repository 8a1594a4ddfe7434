// Package truth reads yes or no in the forms in which users write it in a flag, a variable or a setting.
package truth

import "strings"

// Parse reads a word; ok is false if it is neither.
func Parse(word string) (value, ok bool) {
	switch strings.ToLower(word) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}
