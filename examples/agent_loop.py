#!/usr/bin/env python3
"""Keeps an agent going until its todo list is done. AGENT_COMMAND is the command that runs one turn.

Codex needs -c tools.update_plan.enabled=true to have its todo tool. A run in which no list came ends with 1."""

import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
agent = os.environ.get("AGENT_COMMAND", os.path.join(here, "stand-in-agent.sh"))
os.environ["CLAUDE_CODE_ENABLE_TODO_TOOLS"] = "1"  # Claude Code has its todo tools off for newer models


def turn(prompt):
    with subprocess.Popen([agent, prompt], stdout=subprocess.PIPE) as run:
        subprocess.run(["onward", "ingest", "--save", "--emit", "none"], stdin=run.stdout, check=True)


subprocess.run(["onward", "event", "user-prompt"], check=True)
turn(sys.argv[1] if len(sys.argv) > 1 else "make a plan and do it")
while True:
    check = subprocess.run(["onward", "check-continue", "--wait"], stdout=subprocess.PIPE, text=True)
    if check.returncode != 0:
        break
    turn(check.stdout)
sys.exit(0 if check.returncode == 10 else check.returncode)  # 10: done
