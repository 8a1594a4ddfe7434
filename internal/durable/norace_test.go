//go:build !race

package durable

// raceDetector reports whether this test binary was built with -race.
const raceDetector = false
