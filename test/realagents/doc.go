// Package realagents runs the agents' own programs with onward's hooks against a model that answers from a script.
//
// It contains only tests. They need node, npm and the environment variable ONWARD_REAL_AGENTS=1,
// and are skipped otherwise.
package realagents
