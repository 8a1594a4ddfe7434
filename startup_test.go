package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The start is limited by figures that do not depend on the machine. Each limit leaves room for several changes.
// Before you raise one, measure the cost with `go run ./test/bench/startup`.
const (
	maxLinked          = 190      // linked packages, including those of the standard library
	maxInits           = 50       // packages that do something before main
	maxInitAllocations = 530      // allocations of these packages
	maxInitBytes       = 70 << 10 // bytes that they allocate
)

func TestStartLinksLittle(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	// Each agent is a package, which costs nothing as long as it consists of data.
	n := 0
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, module+"/internal/agents/") {
			n++
		}
	}
	if n > maxLinked {
		t.Errorf("%d packages are linked, at most %d may be", n, maxLinked)
	}
}

func TestStartInitialisesLittle(t *testing.T) {
	program := filepath.Join(t.TempDir(), "onward")
	build := exec.Command("go", "build", "-ldflags=-w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start := exec.Command(program, "--version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := start.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	inits, allocations, bytes := 0, 0, 0
	for line := range strings.Lines(string(trace)) {
		var name, at, took, size, count string
		if n, _ := fmt.Sscanf(line, "init %s %s ms, %s ms clock, %s bytes, %s allocs", &name, &at, &took, &size, &count); n != 5 {
			continue
		}
		var a, b int
		fmt.Sscan(count, &a)
		fmt.Sscan(size, &b)
		inits, allocations, bytes = inits+1, allocations+a, bytes+b
		if a > 0 && strings.HasPrefix(name, "onward") {
			t.Errorf("package %s allocates before main", name)
		}
	}
	t.Logf("%d packages allocate %d times, %d bytes", inits, allocations, bytes)
	if inits == 0 || inits > maxInits || allocations > maxInitAllocations || bytes > maxInitBytes {
		t.Errorf("%d packages allocate %d times and %d bytes before main; at most %d, %d and %d\n%s",
			inits, allocations, bytes, maxInits, maxInitAllocations, maxInitBytes, trace)
	}
}
