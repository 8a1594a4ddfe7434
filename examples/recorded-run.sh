#!/bin/sh
# Reads the recording of a real agent run that stopped with an open item,
# and shows the list, the prompt that would continue the agent, and the end.
# It uses the onward beside this folder, or else the one on PATH, and leaves no files behind.
set -eu
cd "$(dirname "$0")/.."
[ ! -x onward ] || PATH=$PWD:$PATH
if ! command -v onward >/dev/null; then
	echo 'recorded-run: there is no onward here; build it first:' >&2
	echo '    CGO_ENABLED=0 go build -trimpath -o . . ./companion/onward-schema' >&2
	exit 1
fi
ONWARD_STORE=$(mktemp -d)
ONWARD_SESSION=example
ONWARD_COUNTDOWN=0 # the pause before a prompt on a terminal
export PATH ONWARD_STORE ONWARD_SESSION ONWARD_COUNTDOWN
trap 'rm -rf "$ONWARD_STORE"' EXIT

run() {
	printf '\n$ %s\n' "$1"
	eval "$1" 2>&1 && code=0 || code=$?
}

echo "A recorded run of Claude Code, which stopped with an open item. Its output is read as it would be in a pipe:"
run 'onward ingest --save --emit none --quiet < testdata/streams/claude/stream-tasks.jsonl'
run 'onward todo show'
echo
echo "Should the agent continue? Exit code 0 means yes, and the prompt for it is on standard output:"
run 'onward check-continue'
echo "(exit code $code)"
echo
echo "Once the last item is done, the answer is exit code 10, and a loop ends:"
run 'onward todo done 3'
run 'onward check-continue'
echo "(exit code $code)"
cat <<'END'

That list was temporary. What to try next, in a project of your own:
    onward todo add 'fix the parser'    start a list
    onward hooks install claude         let Claude Code continue by itself (codex, gemini and others too)
    onward watch                        watch the list while an agent works
    onward --help                       see every command
END
