// Command hello is the unit of the benchmarks: a start of a Go program that does nothing else.
package main

import "fmt"

func main() { fmt.Println("hello, world") }
