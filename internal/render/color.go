package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Color is a colour as a terminal's escape sequence names it.
type Color string

// ParseColor reads the name of one of the terminal's sixteen colours, such as cyan, gray or bright-red, or #rrggbb.
func ParseColor(name string) (Color, error) {
	plain := strings.ToLower(strings.TrimSpace(name))
	if hex, ok := strings.CutPrefix(plain, "#"); ok {
		rgb, err := strconv.ParseUint(hex, 16, 24)
		if err == nil && len(hex) == 6 {
			return Color(fmt.Sprintf("38;2;%d;%d;%d", rgb>>16, rgb>>8&0xff, rgb&0xff)), nil
		}
	}
	if plain == "gray" || plain == "grey" {
		return "90", nil
	}
	names := []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
	joined := strings.ReplaceAll(plain, "-", "")
	base := strings.TrimSuffix(strings.TrimPrefix(joined, "bright"), "bright")
	if i := slices.Index(names, base); i >= 0 {
		first := 30
		if base != joined {
			first = 90
		}
		return Color(strconv.Itoa(first + i)), nil
	}
	return "", fmt.Errorf("%q is not a colour (one of %s, gray, each of the eight with bright- before it, or #rrggbb)", name, strings.Join(names, ", "))
}
