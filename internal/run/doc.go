// Package run decides what `onward run` does next: it starts a turn, asks, waits or ends.
//
// The caller tells it what has happened, and when, and carries out its actions, so it starts no program, reads no clock and knows
// no store. Package continuation decides what an agent does next. The rules here are for everything between those decisions: turns
// that failed, waits, conversations that cannot be resumed, and a task without a list.
package run
