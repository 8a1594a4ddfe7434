package pi

import "onward/internal/native"

// tools are those of onward's extension.
var tools = native.Tools{Todo: []native.Tool{{Name: "todo_write", Does: native.Writes}}}
