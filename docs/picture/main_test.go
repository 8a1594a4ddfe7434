package main

import (
	"strings"
	"testing"
)

func TestDrawScreen(t *testing.T) {
	var out strings.Builder
	if err := draw(strings.NewReader("\x1b[1m$ ls\x1b[0m <x>\n\x1b[36m✅ done\x1b[39m now\n\x1b[1;33ma\n\x1b[32mb\x1b[39mc\n\n"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<text xml:space="preserve" x="16.0" y="31" font-weight="bold">$ ls</text>`,
		`<text xml:space="preserve" x="49.6" y="31"> &lt;x&gt;</text>`,
		`<text xml:space="preserve" x="16.0" y="51" fill="#39c5cf">✅ done</text>`,
		`<text xml:space="preserve" x="74.8" y="51"> now</text>`,
		`<text xml:space="preserve" x="16.0" y="71" font-weight="bold" fill="#c69026">a</text>`,
		`<text xml:space="preserve" x="16.0" y="91" font-weight="bold" fill="#57ab5a">b</text>`,
		`<text xml:space="preserve" x="24.4" y="91" font-weight="bold">c</text>`,
		`height="112"`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the picture has no %s:\n%s", want, out.String())
		}
	}
}
