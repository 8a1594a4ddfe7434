package cli

import (
	"reflect"
	"strings"
)

// GivenFlags returns the flags of a command that are set, as a user types them.
func GivenFlags(command reflect.Value) (out []string) {
	for i := range command.NumField() {
		field, v := command.Type().Field(i), command.Field(i)
		_, positional := field.Tag.Lookup("arg")
		if field.Anonymous {
			out = append(out, GivenFlags(v)...)
		}
		if positional || field.Anonymous || !field.IsExported() || v.IsZero() {
			continue
		}
		name := field.Tag.Get("name")
		if name == "" {
			name = kebab(field.Name)
		}
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch {
		case v.Kind() == reflect.Slice:
			for _, one := range v.Seq2() {
				out = append(out, "--"+name, one.String())
			}
		case v.Kind() == reflect.Bool && v.Bool():
			out = append(out, "--"+name)
		case v.Kind() == reflect.Bool:
			out = append(out, "--no-"+name)
		default:
			out = append(out, "--"+name, v.String())
		}
	}
	return out
}

// FlagNames returns the names of the flags of a command.
func FlagNames(command any) []string {
	return flagNames(model(&Command{Make: func() any { return command }}))
}

// TakesValue reports whether an argument is a flag of a command whose value is the next argument.
func TakesValue(command any, arg string) bool {
	return takesValue(model(&Command{Make: func() any { return command }}), arg)
}

// kebab returns the name of a flag for the name of its field.
func kebab(field string) string {
	var b strings.Builder
	for i, c := range field {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String())
}
