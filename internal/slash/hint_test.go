package slash

import "testing"

func TestHintsNameLines(t *testing.T) {
	for errs, want := range map[string]string{
		"onward: no such item\nhint: `onward todo show` shows the list\n":                                      "no such item\nhint: `/todo show` shows the list",
		"onward: a\nhint: did you mean `onward todo done`? `onward todo --help` lists the commands\n":          "a\nhint: did you mean `/todo done`?",
		"onward: a\nhint: see `onward pause --help`\n":                                                         "a",
		"onward: locked\nhint: try again, or wait longer with --lock-timeout\n":                                "locked\nhint: try again",
		"onward: a\nhint: a text that looks like a position goes after --: `onward todo add -- 5 x`\n":         "a\nhint: a text that looks like a position goes after --: `/todo add -- 5 x`",
		"onward: a\nhint: `onward todo add TEXT` starts a list; it may be off: `onward doctor` names it\n":     "a\nhint: `/todo add TEXT` starts a list",
		"onward: note: one\nonward: paused\nhint: provide what is needed, then `onward resume`\n":              "note: one\npaused\nhint: provide what is needed, then `/resume`",
		"onward: a\nhint: choose a store that you may write with --store or ONWARD_STORE\n":                    "a",
		"onward: a\nhint: for example `onward '--session=it'\\''s' --store=/s --color=never pause 'no key'`\n": "a\nhint: for example `/pause 'no key'`",
		"onward: no\nhint: `onward todo block 1 --reason '…'` says why; the user can use a terminal\n":         "no\nhint: `/todo block 1 --reason '…'` says why; the user can use a terminal",
		"": "",
	} {
		if got := RewriteErrors(errs, `'--session=it'\''s' --store=/s --color=never`); got != want {
			t.Errorf("%q: got %q, want %q", errs, got, want)
		}
	}
}
