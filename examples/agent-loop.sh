#!/usr/bin/env bash
# Keeps an agent going until its todo list is done, and ends by itself when the agent does nothing.
#
#   examples/agent-loop.sh "the task"
#
# AGENT is the command that runs one turn; it gets the prompt as its argument
# and prints JSON lines. The stand-in prints lines that a real agent once printed.
set -o pipefail
agent=${AGENT:-$(dirname "$0")/stand-in-agent.sh}
task=${1:-"make a plan and do it"}

turn() {
	"$agent" "$1" | onward ingest --save --emit none
}

onward event user-prompt || exit # a person speaks: the counters start afresh
turn "$task" || echo "agent-loop: the agent or the pipe failed ($?)" >&2

while true; do
	prompt=$(onward check-continue)
	code=$?
	case $code in
	0) # go on
		turn "$prompt" || echo "agent-loop: the agent or the pipe failed ($?)" >&2
		;;
	10) # nothing is open
		echo "agent-loop: done"
		exit 0
		;;
	11) # paused, blocked, or a question is open
		echo "agent-loop: the agent needs a person" >&2
		exit $code
		;;
	12) # attempts, stagnation, total or budget used up
		echo "agent-loop: gave up, the list stays open" >&2
		exit $code
		;;
	13) # not now
		sleep 5
		;;
	14 | 15) # switched off, stopped, interrupted; or the agent's host failed
		echo "agent-loop: not going on" >&2
		exit $code
		;;
	*) # an error of onward itself, already explained on stderr
		exit $code
		;;
	esac
done
