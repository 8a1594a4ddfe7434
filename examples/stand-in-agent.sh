#!/bin/sh
# Stands in for an agent: each call prints one turn, in lines that Codex once printed.
# The first turn makes a list of three, the second closes one of them, the third the rest.
# With LAZY=1 every turn after the first only talks, and with MUTE=1 there is no list at all.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
recording=${RECORDING:-$here/testdata/streams/codex/exec-ok.jsonl}
count=${COUNT:-${TMPDIR:-/tmp}/stand-in-agent.count}
n=$(($(cat "$count" 2>/dev/null || echo 0) + 1))
echo "$n" > "$count"

lines() {
	for number in "$@"; do
		sed -n "${number}p" "$recording"
	done
}

[ "${MUTE:-}" = 1 ] && n=mute
[ "${LAZY:-}" = 1 ] && [ "$n" -gt 1 ] && n=lazy
case $n in
1) lines 1 2 5 15 ;;        # the list, nothing done
2) lines 1 2 9 10 8 15 ;;   # a command, one item done
3) lines 1 2 12 13 14 15 ;; # everything done
*) lines 1 2 4 15 ;;        # talk
esac
