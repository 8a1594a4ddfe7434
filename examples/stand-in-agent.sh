#!/bin/sh
# Simulates an agent: each call prints one turn, in recorded lines of Codex.
# The first turn creates a list of three items, the second closes one of them, the third the rest.
# With LAZY=1 every turn after the first contains only text, and with MUTE=1 there is no list.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
recording=${RECORDING:-$here/testdata/streams/codex/exec-ok.jsonl}
case $(onward todo show --open --format plain 2>/dev/null | wc -l) in
*0) n=1 ;; # no list yet, or one that is finished
*3) n=2 ;;
*) n=3 ;;
esac

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
