package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"onward/internal/schema"
)

// shape tells where the value of a keyword contains schemas.
type shape int

const (
	plain  shape = iota // it contains none
	direct              // it is a schema, or an array of schemas
	named               // it is an object whose members are schemas
)

// keyword is the range of drafts in which a keyword has a meaning.
type keyword struct {
	shape       shape
	first, last int
}

// keywords returns the keywords of the drafts 4, 6, 7, 2019 and 2020. Those that only describe are allowed in all drafts.
func keywords() map[string]keyword {
	const begin, end = 4, 2020
	known := map[string]keyword{
		"$defs": {named, begin, end}, "definitions": {named, begin, end},
		"id": {plain, 4, 4}, "$id": {plain, 6, end}, "$anchor": {plain, 2019, end}, "$vocabulary": {plain, 2019, end},
		"$recursiveRef": {plain, 2019, 2019}, "$recursiveAnchor": {plain, 2019, 2019}, "$dynamicRef": {plain, 2020, end}, "$dynamicAnchor": {plain, 2020, end},
		"const": {plain, 6, end}, "minContains": {plain, 2019, end}, "maxContains": {plain, 2019, end}, "dependentRequired": {plain, 2019, end},
		"properties": {named, begin, end}, "patternProperties": {named, begin, end}, "additionalProperties": {direct, begin, end}, "propertyNames": {direct, 6, end},
		"dependencies": {named, begin, end}, "dependentSchemas": {named, 2019, end}, "unevaluatedProperties": {direct, 2019, end},
		"items": {direct, begin, end}, "additionalItems": {direct, begin, 2019}, "prefixItems": {direct, 2020, end}, "contains": {direct, 6, end}, "unevaluatedItems": {direct, 2019, end},
		"allOf": {direct, begin, end}, "anyOf": {direct, begin, end}, "oneOf": {direct, begin, end}, "not": {direct, begin, end},
		"if": {direct, 7, end}, "then": {direct, 7, end}, "else": {direct, 7, end}, "contentSchema": {direct, begin, end},
	}
	for _, name := range strings.Fields(`$schema $ref $comment title description default examples deprecated readOnly writeOnly
		type enum multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format
		minItems maxItems uniqueItems minProperties maxProperties required contentEncoding contentMediaType`) {
		known[name] = keyword{plain, begin, end}
	}
	return known
}

// ignored lists the places of keywords that have no effect, because the schema's draft does not have them. Names that
// begin with x- are extensions, and left out. The document is a valid schema, so each value has the shape of its keyword.
func ignored(document any, draft int) []string {
	known := keywords()
	var places []string
	var look func(v any, s shape, at string)
	look = func(v any, s shape, at string) {
		if list, ok := v.([]any); ok {
			for i := range list {
				look(list[i], direct, at+strconv.Itoa(i)+"/")
			}
		}
		object, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			k, is := known[name]
			switch {
			case s == named:
				look(object[name], direct, at+name+"/")
			case strings.HasPrefix(name, "x-"):
			case !is || draft < k.first || draft > k.last:
				places = append(places, cut(at+name))
			case k.shape != plain:
				look(object[name], k.shape, at+name+"/")
			}
		}
	}
	look(document, direct, "")
	return places[:min(len(places), schema.MaxIgnored)]
}
