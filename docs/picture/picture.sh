#!/bin/sh
# Makes docs/picture.svg: the run that `make demo` shows, in a terminal of its own. The agent stops early, says that it is
# done when it is not, and needs an answer.
# It needs tmux, which gives the terminal and tells what is on its screen.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
server=onward-picture-$$
trap 'tmux -L "$server" kill-server 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/project"
git init --quiet "$work/project"
CGO_ENABLED=0 go build -trimpath -o "$work/bin/onward" .
CGO_ENABLED=0 go build -trimpath -o "$work/picture" ./docs/picture
cp examples/demo-agent.sh "$work/project/agent.sh"
echo 'echo "Hello"' >"$work/project/greeting.sh"
cat >"$work/project/test.sh" <<'END'
case $(sh greeting.sh) in
"Hello, "*) echo "greeting.sh greets somebody" ;;
*) echo "greeting.sh greets nobody"; exit 1 ;;
esac
END
cat >"$work/session.sh" <<'END'
run() {
	printf '\033[1m$ %s\033[0m\n' "$1"
	eval "$1"
}
clear
run "onward run generic 'make the script greet somebody' --gate 'sh test.sh' -- sh agent.sh"
run "onward reply 'Greet Ada.'"
tmux -L "$SERVER" wait-for -S ready
cat
END
env -i PATH="$work/bin:$PATH" HOME="$work" TERM=screen-256color LC_ALL=C.UTF-8 SERVER="$server" \
	XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" ONWARD_NOW=2026-11-21T09:30:00Z \
	tmux -L "$server" -f /dev/null new-session -d -x 96 -y 34 -c "$work/project" "sh $work/session.sh" ';' set -g status off
until tmux -L "$server" capture-pane -p | grep -q 'start it?'; do sleep 0.1; done
tmux -L "$server" send-keys Enter
tmux -L "$server" wait-for ready
tmux -L "$server" capture-pane -e -p >"$work/screen"
"$work/picture" <"$work/screen" >docs/picture.svg
