package execute

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
)

// act is the main function of a tool.
func act(args []string) int {
	switch args[0] {
	case "note": // appends a line to a file
		f, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return 3
		}
		fmt.Fprintln(f, args[2])
		f.Close()
	case "print":
		fmt.Print(strings.Repeat(args[1], atoi(args[2])))
	case "both":
		fmt.Print("out\xff")
		fmt.Fprint(os.Stderr, "err")
		return 4
	case "stdin":
		io.Copy(os.Stdout, os.Stdin)
	case "env":
		fmt.Print(strings.Join(os.Environ(), "\n"))
	case "hang": // writes its process id, starts a child that does so too, and runs as long as the child
		child := exec.Command(os.Args[0], "-tool", "sleep")
		child.Start()
		os.WriteFile(args[1], fmt.Append(nil, child.Process.Pid), 0o600)
		fmt.Println("began")
		child.Wait()
	case "sleep":
		time.Sleep(time.Hour)
	case "meet": // waits until the other call has started
		os.WriteFile(args[1], nil, 0o600)
		for range 2000 {
			if _, err := os.Stat(args[2]); err == nil {
				return 0
			}
			time.Sleep(5 * time.Millisecond)
		}
		return 5
	}
	return 0
}

func atoi(s string) int {
	n := 0
	fmt.Sscan(s, &n)
	return n
}

// declared returns a judge that knows act as the tool `act` with words as arguments. Calls that only read run concurrently.
func declared(t testing.TB, extra string) schedule.Judge {
	word := func(n string) string { return `"{` + n + `}"` }
	one := func(tool, kind, extra string) string {
		return fmt.Sprintf(`{"name":%q,"kind":%q,"confirm":"never","command":[%q,"-tool",%s,%s,%s],`+
			`"parameters":{"type":"object","properties":{"do":{"type":"string"},"a":{"type":"string"},"b":{"type":"string"}},"required":["do"]},"env":["GORACE","ONWARD_TEST_NAMED"]%s}`,
			tool, kind, os.Args[0], word("do"), word("a"), word("b"), extra)
	}
	tools, err := tool.Decode([]byte(`{"schema":"onward/tools/v1","tools":[`+one("act", "read", extra)+","+one("alone", "edit", extra)+`]}`), "user", "")
	if err != nil {
		t.Fatal(err)
	}
	anything := func(*tool.Tool, jsontext.Value) error { return nil }
	return schedule.Judge{Tools: append(tool.Builtin(), tools...), Mode: policy.Default, Check: anything}
}

// call returns a request for act.
func call(id, do string, args ...string) schedule.Request {
	m := map[string]string{"do": do}
	for i, a := range args {
		m[string(rune('a'+i))] = a
	}
	w := "{"
	for i, key := range slices.Sorted(func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}) {
		if i > 0 {
			w += ","
		}
		quoted, _ := jsontext.AppendQuote(nil, m[key])
		w += fmt.Sprintf("%q:%s", key, quoted)
	}
	return schedule.Request{ID: id, Tool: "act", Args: jsontext.Value(w + "}")}
}
