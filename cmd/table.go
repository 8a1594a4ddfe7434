package cmd

import (
	continuation "onward/internal/continue"
	"onward/internal/todo"
)

// command is one row of the command table.
// Its flags and arguments are made only for the commands that are named in the arguments,
// because describing them all costs more than everything else a start does.
type command struct {
	name  string
	alias string
	help  string
	group string
	make  func() runner // a new value of the command's type; nil for a group
	sub   []command     // the commands of a group
}

// commands is the whole command line.
func commands() []command {
	return []command{
		{name: "todo", help: "The list: show it and change it.", group: "lists", sub: todoCommands()},
		{name: "check-continue", help: "Is the agent to go on? Exit 0 and the prompt on stdout, or why not.", group: "continuation", make: func() runner { return &checkContinueCmd{} }},
		{name: "event", help: "Tell what happened: a prompt, a turn's end, an error.", group: "continuation", make: func() runner { return &eventCmd{} }},
		{name: "pause", help: "The agent says that it cannot go on, and why.", group: "continuation", make: func() runner { return &pauseCmd{} }},
		{name: "stop", help: "The user's own switch: nothing is continued until resume.", group: "continuation", make: func() runner { return &switchCmd{event: continuation.Stop} }},
		{name: "resume", help: "End stop, pause, abort and errors; the counters start afresh.", group: "continuation", make: func() runner { return &switchCmd{event: continuation.Resume} }},
		{name: "set", help: "Set a setting for this session.", group: "continuation", make: func() runner { return &setCmd{} }},
		{name: "get", help: "Show the settings, one of them, or the agent's own session id.", group: "continuation", make: func() runner { return &getCmd{} }},
		{name: "unset", help: "Take a setting back.", group: "continuation", make: func() runner { return &unsetCmd{} }},
		{name: "slash", help: "Run a line that a person typed into an agent, such as /todo done 2.", group: "lists", make: func() runner { return &slashCmd{} }},
		{name: "hook", help: "Answer an agent's hook: one event as JSON on stdin, the answer in the agent's own words.", group: "hooks", make: func() runner { return &hookCmd{} }},
		{name: "hooks", help: "Put onward into an agent's settings, or into git's hooks.", group: "hooks", sub: hooksCommands()},
		{name: "ingest", help: "Read an agent's JSON lines: its lists become events, and with --save the session's list.", group: "streams", make: func() runner { return &ingestCmd{} }},
		{name: "watch", help: "Show the current list, and its changes, until interrupted.", group: "streams", make: func() runner { return &watchCmd{} }},
		{name: "schedule", help: "Tool calls: take them in, approve them, run them.", group: "calls", sub: scheduleCommands()},
		{name: "message", help: "What a user typed while the agent was busy.", group: "calls", sub: messageCommands()},
		{name: "tools", help: "The tools that can be called.", group: "calls", sub: toolsCommands()},
		{name: "session", help: "Saved sessions: look at them, choose one, delete them.", group: "care", sub: sessionCommands()},
		{name: "doctor", help: "Look whether everything is in order here: store, locks, sessions, agents, hooks.", group: "care", make: func() runner { return &doctorCmd{} }},
		{name: "repair", help: "After a corrupt file: what was found, and with --yes the newest good state.", group: "care", make: func() runner { return &repairCmd{} }},
		{name: "completion", help: "Print a shell's completion script.", group: "care", make: func() runner { return &completionCmd{} }},
		{name: "help", help: "Show the help of a command, or of a topic.", group: "care", make: func() runner { return &helpCmd{} }},
	}
}

func hooksCommands() []command {
	return []command{
		{name: "install", help: "Hook onward in; everything else in the settings stays as it is.", make: func() runner { return &hooksInstallCmd{} }},
		{name: "uninstall", help: "Take onward's hooks out, and nothing else.", make: func() runner { return &hooksUninstallCmd{} }},
		{name: "status", help: "Say what is hooked in, where, and whether it still runs.", make: func() runner { return &hooksStatusCmd{} }},
	}
}

func todoCommands() []command {
	return []command{
		{name: "add", help: "Put an item in, at the end or at a position.", make: func() runner { return &todoAddCmd{} }},
		{name: "show", help: "Show the current list.", make: func() runner { return &todoShowCmd{} }},
		{name: "list", help: "Show all saved lists, the current session's first.", make: func() runner { return &listCmd{} }},
		{name: "load", help: "Copy a saved list into the current session.", make: func() runner { return &todoLoadCmd{} }},
		{name: "set", help: "Set the status of items.", make: func() runner { return &todoSetCmd{} }},
		{name: "start", help: "Set items to in_progress.", make: func() runner { return &todoMoveCmd{status: todo.InProgress} }},
		{name: "done", help: "Set items to completed.", make: func() runner { return &todoMoveCmd{status: todo.Completed} }},
		{name: "cancel", help: "Set items to cancelled.", make: func() runner { return &todoMoveCmd{status: todo.Cancelled} }},
		{name: "block", help: "Set items to blocked.", make: func() runner { return &todoBlockCmd{} }},
		{name: "reopen", help: "Set items to pending.", make: func() runner { return &todoMoveCmd{status: todo.Pending} }},
		{name: "edit", help: "Give an item a new text.", make: func() runner { return &todoEditCmd{} }},
		{name: "move", help: "Move an item among items, or a subtask among subtasks.", make: func() runner { return &todoMoveToCmd{} }},
		{name: "delete", alias: "remove,rm", help: "Remove items; an item takes its subtasks along.", make: func() runner { return &todoDeleteCmd{} }},
		{name: "clear", help: "Put the list aside: nothing is continued, its items are kept as history.", make: func() runner { return &todoClearCmd{} }},
		{name: "undo", help: "Take back the last changes of the list, up to 50.", make: func() runner { return &todoUndoCmd{} }},
		{name: "history", help: "Show the changes of the list, newest first.", make: func() runner { return &todoHistoryCmd{} }},
		{name: "assert", help: "For CI and git hooks: exit 0 if nothing is open, 1 if something is.", make: func() runner { return &todoAssertCmd{} }},
		{name: "import", help: "Add the items of a file: a check list, plain text, JSON, or an agent's own list.", make: func() runner { return &todoImportCmd{} }},
		{name: "export", help: "Write the list as markdown, JSON or CSV.", make: func() runner { return &todoExportCmd{} }},
		{name: "write", help: "Replace the whole list with JSON from stdin.", make: func() runner { return &todoWriteCmd{} }},
	}
}

func sessionCommands() []command {
	return []command{
		{name: "list", help: "Show all sessions, the current one first.", make: func() runner { return &listCmd{} }},
		{name: "show", help: "Show what is saved of a session: its list, its owner, its counters.", make: func() runner { return &sessionShowCmd{} }},
		{name: "use", help: "Choose the session of this project.", make: func() runner { return &sessionUseCmd{} }},
		{name: "delete", help: "Delete sessions with their lists, sub-agents' lists and history.", make: func() runner { return &sessionDeleteCmd{} }},
		{name: "prune", help: "Delete what was not changed for a long time.", make: func() runner { return &sessionPruneCmd{} }},
		{name: "path", help: "Print the file of a session.", make: func() runner { return &sessionPathCmd{} }},
	}
}

func scheduleCommands() []command {
	return []command{
		{name: "submit", help: "Take in a call, or many as JSON lines from stdin.", make: func() runner { return &scheduleSubmitCmd{} }},
		{name: "list", help: "List the calls in the order of the requests.", make: func() runner { return &scheduleListCmd{} }},
		{name: "show", help: "Show everything about one call.", make: func() runner { return &scheduleShowCmd{} }},
		{name: "status", help: "Tell how many calls stand where.", make: func() runner { return &scheduleStatusCmd{} }},
		{name: "approve", help: "Let calls run that wait for an approval.", make: func() runner { return &scheduleApproveCmd{} }},
		{name: "deny", help: "Deny calls; the rest of their batch is cancelled.", make: func() runner { return &scheduleDenyCmd{} }},
		{name: "modify", help: "Give a call that waits for an approval other arguments.", make: func() runner { return &scheduleModifyCmd{} }},
		{name: "run", help: "Run what may run.", make: func() runner { return &scheduleRunCmd{} }},
		{name: "cancel", help: "Cancel calls; what runs is stopped.", make: func() runner { return &scheduleCancelCmd{} }},
		{name: "wait", help: "Wait until every call has ended.", make: func() runner { return &scheduleWaitCmd{} }},
		{name: "clear", help: "Remove the calls that have ended, with their outputs.", make: func() runner { return &scheduleClearCmd{} }},
		{name: "policy", help: "The rules that say what needs no approval.", sub: []command{
			{name: "list", help: "List the rules.", make: func() runner { return &schedulePolicyListCmd{} }},
			{name: "add", help: "Add a rule.", make: func() runner { return &schedulePolicyAddCmd{} }},
			{name: "remove", help: "Remove a rule.", make: func() runner { return &schedulePolicyRemoveCmd{} }},
		}},
	}
}

func messageCommands() []command {
	return []command{
		{name: "push", help: "Queue a message for the agent.", make: func() runner { return &messagePushCmd{} }},
		{name: "list", help: "List the messages that wait.", make: func() runner { return &messageListCmd{} }},
		{name: "edit", help: "Give a message another text.", make: func() runner { return &messageEditCmd{} }},
		{name: "drop", help: "Take a message out of the queue, or all.", make: func() runner { return &messageDropCmd{} }},
		{name: "pop", help: "Give all messages as one text, and empty the queue.", make: func() runner { return &messagePopCmd{} }},
	}
}

func toolsCommands() []command {
	return []command{
		{name: "list", help: "List the tools that can be called; with --json their declarations.", make: func() runner { return &toolsListCmd{} }},
		{name: "check", help: "Check the declarations.", make: func() runner { return &toolsCheckCmd{} }},
		{name: "trust", help: "Trust the project's declarations as they stand.", make: func() runner { return &toolsTrustCmd{} }},
	}
}

// groups are the headings of the help.
func groups() []struct{ key, title string } {
	return []struct{ key, title string }{
		{"lists", "Lists:"},
		{"continuation", "Continuation:"},
		{"hooks", "Hooks:"},
		{"streams", "Agent streams:"},
		{"calls", "Tool calls:"},
		{"care", "Sessions and care:"},
	}
}
