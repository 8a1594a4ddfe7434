// Package realagents drives the agents' own programs, with onward's hooks in them, against a model that plays a script.
//
// It has nothing but tests. They need node, npm and the environment variable ONWARD_REAL_AGENTS=1,
// and are skipped elsewhere.
package realagents
