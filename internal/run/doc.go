// Package run decides what `onward run` does next: it starts a turn, asks, waits or ends.
//
// It is told what has happened, and when. It starts no program, reads no clock and knows no store:
// the caller carries its actions out. What an agent does next is the answer of package continuation; the rules here are
// about what lies between the answers: turns that failed, waits, conversations that cannot go on, and a task without a list.
package run
