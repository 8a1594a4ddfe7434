#!/usr/bin/env bash
# Continues an agent until its todo list is done, and ends if the agent makes no progress.
#
#   examples/agent-loop.sh "the task"
#
# AGENT_COMMAND is the command that runs one turn; it receives the prompt as its argument and prints JSON lines.
# The stand-in prints recorded lines of a real agent. A script for Codex, whose todo tool is off by default:
#
#   exec codex exec --json -c tools.update_plan.enabled=true "$1"
set -o pipefail
agent=${AGENT_COMMAND:-$(dirname "$0")/stand-in-agent.sh}
task=${1:-"make a plan and do it"}
export CLAUDE_CODE_ENABLE_TODO_TOOLS=1 # Claude Code has its todo tools off for newer models

turn() {
	"$agent" "$1" | onward ingest --save --emit none || echo "agent-loop: the agent or the pipe failed ($?)" >&2
}

onward event user-prompt || exit # a new user prompt: reset the counters
turn "$task"
while true; do
	prompt=$(onward check-continue --wait)
	code=$?
	case $code in
	0) # continue
		turn "$prompt"
		;;
	10) # done: there was something to do, none of it is open, and the gate passes if one is set
		echo "agent-loop: done"
		exit 0
		;;
	11) # paused, blocked, or a question is open
		echo "agent-loop: the agent needs the user" >&2
		exit $code
		;;
	12) # attempts, stagnation, total or budget used up
		echo "agent-loop: gave up, the list stays open" >&2
		exit $code
		;;
	13 | 14 | 15) # not now, no list, switched off, stopped, interrupted; or the agent's provider failed
		echo "agent-loop: not continuing" >&2
		exit $code
		;;
	*) # an error of onward itself, already explained on stderr
		exit $code
		;;
	esac
done
