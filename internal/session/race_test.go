//go:build race

package session

// raceDetector reports whether this test binary was built with -race.
const raceDetector = true
