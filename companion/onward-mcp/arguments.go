package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// arguments are what a model calls a tool with. What they mean is onward's to judge; here it is only looked at
// whether they have the shape that the tool's schema asks for.
type arguments struct {
	tool    string
	members map[string]jsontext.Value
}

// decode reads the arguments of a call. A member that is null counts as left out: many clients fill
// what is optional with it.
func decode(tool string, data []byte) (arguments, error) {
	args := arguments{tool: tool}
	if len(data) == 0 {
		return args, nil
	}
	if err := json.Unmarshal(data, &args.members); err != nil {
		return args, args.bad("they are not a JSON object with each name once")
	}
	known := members(tool)
	for _, name := range slices.Sorted(maps.Keys(args.members)) {
		if !slices.Contains(known, name) {
			return args, args.bad(fmt.Sprintf("%q is not an argument; it takes %s", name, strings.Join(known, ", ")))
		}
		if args.members[name].Kind() == jsontext.KindNull {
			delete(args.members, name)
		}
	}
	return args, nil
}

func (a arguments) bad(why string) error {
	return &failure{class: "usage", message: "bad arguments of " + a.tool + ": " + why}
}

// texts returns those of some arguments that are given. Each is a text.
func (a arguments) texts(names ...string) (map[string]string, error) {
	given := map[string]string{}
	for _, name := range names {
		v, ok := a.members[name]
		if !ok {
			continue
		}
		var text string
		if json.Unmarshal(v, &text) != nil {
			return nil, a.bad(name + " is not a text")
		}
		given[name] = text
	}
	return given, nil
}

// item returns the named item in the form that onward's commands use. A number counts as its text.
func (a arguments) item() (string, error) {
	if v := a.members["position"]; v.Kind() == jsontext.KindNumber {
		a.members["position"] = jsontext.Value(`"` + string(v) + `"`)
	}
	given, err := a.texts("position", "id")
	if err != nil {
		return "", err
	}
	position, byPosition := given["position"]
	id, byID := given["id"]
	switch {
	case byPosition == byID, position+id == "":
		return "", a.bad("name one item, by its position or by its id")
	case byID:
		return "id:" + id, nil
	case position == "all", !strings.HasPrefix(position, "id:") && strings.Contains(position, "-"):
		return "", a.bad(fmt.Sprintf(`position %q does not name one item; "2", "2.1" and "last" do`, position))
	}
	return position, nil
}
