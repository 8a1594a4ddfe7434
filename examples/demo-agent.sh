#!/bin/sh
# Plays an agent for examples/demo.sh, one turn a call. The prompt is on standard input.
# Real agents write their list with a todo tool; this one writes it with `onward todo`.
set -eu
case $(cat) in
*'Greet Ada'*) # what its user answered
	echo 'echo "Hello, Ada"' >greeting.sh
	;;
*'greets nobody'*) # the gate's output: it needs to know more
	onward pause 'whom should the script greet?' --quiet
	;;
*CONTINUATION*) # it says that all is done, and has done nothing
	onward todo done 2 --quiet
	;;
*) # the task: it makes a list, and stops early
	printf '%s\n' 'Read the test' 'Repair the greeting' | onward todo add - --quiet
	onward todo done 1 --quiet
	;;
esac
