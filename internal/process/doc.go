// Package process identifies processes: this one, one that was recorded, and the agent that started a hook.
package process
