#!/bin/sh
# Takes the recording of a real agent run that stopped with an open todo,
# saves its list, and shows the list, the decision and the prompt that would send the agent on.
# Everything is built and kept in a folder of its own, which is removed at the end.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ -n "${BUILT:-}" ] || go build -o "$dir/onward" . # BUILT=1 takes the onward on the PATH
PATH=$dir:$PATH
ONWARD_STORE=$dir/store
ONWARD_SESSION=example
export PATH ONWARD_STORE ONWARD_SESSION

recording=testdata/streams/claude/stream-tasks.jsonl
echo "\$ onward ingest --save --emit none < $recording"
onward ingest --save --emit none < "$recording"
echo
echo "\$ onward todo show"
onward todo show
echo
echo "\$ onward check-continue --dry-run --json"
onward check-continue --dry-run --json
echo
echo "\$ onward check-continue"
code=0
onward check-continue || code=$?
echo
echo "exit code $code"
