package cmd

import (
	"onward/internal/cli"
	"onward/internal/todo"
)

// of makes a command from a type whose fields are its flags and arguments.
func of[T any]() any { return new(T) }

// commands is the whole command line.
func commands() []cli.Command {
	return []cli.Command{
		{Name: "run", Help: "Keep an agent going until the work is done and proven.", Group: "Work", Docs: "overnight.md", Daily: true, Args: "[AGENT] [TASK]", Make: of[runCmd]},
		{Name: "reply", Help: "Answer a run that needs you, and resume it.", Group: "Work", Docs: "overnight.md", Daily: true, Args: "TEXT…", Make: of[replyCmd]},
		{Name: "todo", Help: "Show and change the todo list.", Group: "Work", Docs: "tour.md", Alone: "show", Sub: []cli.Command{
			{Name: "add", Help: "Add an item, at the end or at a position.", Daily: true, Args: "[POS] TEXT…", Make: of[todoAddCmd]},
			{Name: "show", Help: "Show the current list.", Daily: true, Args: "[POS]", Make: of[todoShowCmd]},
			{Name: "list", Help: "Show all saved lists, the current session's first.", Docs: "sessions.md", Make: of[todoListCmd]},
			{Name: "load", Help: "Copy a saved list into the current session.", Docs: "sessions.md", Make: of[todoLoadCmd]},
			{Name: "set", Help: "Set the status of items.", Make: of[todoSetCmd]},
			{Name: "start", Alias: "in_progress,in-progress", Help: "Set items to in progress.", Make: func() any { return &todoStatusCmd{status: todo.InProgress} }},
			{Name: "done", Alias: "completed,complete", Help: "Set items to completed.", Daily: true, Args: "RANGE…", Make: func() any { return &todoStatusCmd{status: todo.Completed} }},
			{Name: "cancel", Alias: "cancelled,canceled", Help: "Set items to cancelled.", Make: func() any { return &todoStatusCmd{status: todo.Cancelled} }},
			{Name: "block", Alias: "blocked", Help: "Set items to blocked.", Docs: "gate.md", Make: of[todoBlockCmd]},
			{Name: "reopen", Alias: "pending", Help: "Set items to pending.", Make: func() any { return &todoStatusCmd{status: todo.Pending} }},
			{Name: "next", Help: "Print the next item that is ready, and claim it.", Docs: "workers.md", Make: of[todoNextCmd]},
			{Name: "release", Help: "Give claimed items back.", Docs: "workers.md", Make: of[todoReleaseCmd]},
			{Name: "edit", Help: "Change the text, priority or dependencies of an item.", Docs: "gate.md", Daily: true, Args: "POS [TEXT…]", Make: of[todoEditCmd]},
			{Name: "move", Help: "Move an item, or a subtask within its level.", Make: of[todoMoveToCmd]},
			{Name: "delete", Alias: "remove,rm", Help: "Delete items with their subtasks.", Make: of[todoDeleteCmd]},
			{Name: "clear", Help: "Archive the list, and let the agent stop.", Daily: true, Make: of[todoClearCmd]},
			{Name: "undo", Help: "Undo the last changes to the list, up to 50.", Daily: true, Args: "[N]", Make: of[todoUndoCmd]},
			{Name: "history", Help: "Show the changes to the list, newest first.", Docs: "sessions.md", Make: of[todoHistoryCmd]},
			{Name: "assert", Help: "Exit 0 if nothing is open, 1 if something is.", Docs: "gate.md", Make: of[todoAssertCmd]},
			{Name: "import", Help: "Add the items of a file, or of an agent's own list.", Docs: "import-export.md", Make: of[todoImportCmd]},
			{Name: "export", Help: "Write the list as markdown, JSON or CSV.", Docs: "import-export.md", Make: of[todoExportCmd]},
			{Name: "write", Help: "Replace the whole list with JSON from stdin.", Docs: "import-export.md", Make: of[todoWriteCmd]},
		}},
		{Name: "hooks", Help: "Install onward's hooks for an agent or for git.", Group: "Keep going", Docs: "agents.md", Sub: []cli.Command{
			{Name: "install", Help: "Install the hooks; leave everything else as it is.", Daily: true, Args: "AGENT", Make: of[hooksInstallCmd]},
			{Name: "uninstall", Help: "Remove onward's hooks, and nothing else.", Make: of[hooksUninstallCmd]},
			{Name: "status", Help: "Show which hooks are installed, and whether they still run.", Make: of[hooksStatusCmd]},
		}},
		{Name: "check-continue", Help: "Decide whether the agent continues, and print the prompt.", Group: "Keep going", Docs: "continuation.md", Daily: true, Make: of[checkContinueCmd]},
		{Name: "set", Help: "Set a setting for this project, or for a session.", Group: "Keep going", Docs: "settings.md", Daily: true, Args: "KEY VALUE", Make: of[setCmd]},
		{Name: "get", Help: "Show the settings, or one of them.", Group: "Keep going", Docs: "settings.md", Make: of[getCmd]},
		{Name: "unset", Help: "Remove a setting of the project, or of a session.", Group: "Keep going", Docs: "settings.md", Make: of[unsetCmd]},
		{Name: "pause", Help: "Pause, and tell the user why.", Group: "Keep going", Docs: "continuation.md", Daily: true, Args: "REASON…", Make: of[pauseCmd]},
		{Name: "stop", Help: "Stop sending the agent back to work, until resume.", Group: "Keep going", Docs: "continuation.md", Daily: true, Own: "now", Make: of[stopCmd]},
		{Name: "resume", Help: "Clear a stop, pause or error; reset the counters.", Group: "Keep going", Docs: "continuation.md", Daily: true, Make: of[resumeCmd]},
		{Name: "watch", Help: "Watch the current list, or all sessions, live.", Group: "Look", Docs: "watch.md", Daily: true, Make: of[watchCmd]},
		{Name: "report", Help: "Write a report on sessions: a page, markdown or JSON.", Group: "Look", Docs: "report.md", Daily: true, Args: "[SESSION…]", Make: of[reportCmd]},
		{Name: "proof", Help: "Show what is proven, and prove it again.", Group: "Look", Docs: "proof.md", Sub: []cli.Command{
			{Name: "show", Help: "Show the receipt of a session's last run.", Args: "[SESSION]", Make: of[proofShowCmd]},
			{Name: "replay", Help: "Prove a change again, from its commits alone.", Make: of[proofReplayCmd]},
		}},
		{Name: "session", Help: "Show, choose and delete saved sessions.", Group: "Look", Docs: "sessions.md", Sub: []cli.Command{
			{Name: "list", Help: "Show all sessions; those that need you come first.", Daily: true, Make: of[sessionListCmd]},
			{Name: "show", Help: "Show a session's list, owner and counters.", Make: of[sessionShowCmd]},
			{Name: "use", Help: "Choose the session of this project.", Make: of[sessionUseCmd]},
			{Name: "take", Help: "Take a session's list from the agent that owns it.", Make: of[sessionTakeCmd]},
			{Name: "delete", Help: "Delete sessions with all their lists and history.", Make: of[sessionDeleteCmd]},
			{Name: "prune", Help: "Delete sessions that have not changed for a long time.", Make: of[sessionPruneCmd]},
			{Name: "path", Help: "Print the path of a session's file.", Make: of[sessionPathCmd]},
		}},
		{Name: "doctor", Help: "Check that everything is set up correctly.", Group: "Look", Daily: true, Make: of[doctorCmd]},
		{Name: "ingest", Help: "Read an agent's JSON lines, and save its lists with --save.", Group: "Plumbing", Docs: "streams.md", Make: of[ingestCmd]},
		{Name: "event", Help: "Record what happened: a prompt, a turn's end, an error.", Group: "Plumbing", Docs: "continuation.md", Make: of[eventCmd]},
		{Name: "hook", Help: "Handle one hook event of an agent, read from stdin.", Group: "Plumbing", Docs: "hooks.md", Make: of[hookCmd]},
		{Name: "slash", Help: "Run a line typed into an agent, such as /todo done 2.", Group: "Plumbing", Docs: "hooks.md", Make: of[slashCmd]},
		{Name: "message", Help: "Queue messages for an agent that is busy.", Group: "Keep going", Docs: "continuation.md", Sub: []cli.Command{
			{Name: "push", Help: "Queue a message for the agent.", Daily: true, Args: "TEXT…", Make: of[messagePushCmd]},
			{Name: "list", Help: "List the queued messages.", Make: of[messageListCmd]},
			{Name: "edit", Help: "Change the text of a message.", Make: of[messageEditCmd]},
			{Name: "drop", Help: "Remove one message from the queue, or all.", Make: of[messageDropCmd]},
			{Name: "pop", Help: "Print all messages as one text, and empty the queue.", Make: of[messagePopCmd]},
		}},
		{Name: "schedule", Help: "Submit, approve and run tool calls.", Group: "Plumbing", Docs: "scheduler.md", Sub: []cli.Command{
			{Name: "submit", Help: "Submit a call, or many as JSON lines from stdin.", Make: of[scheduleSubmitCmd]},
			{Name: "list", Help: "List the calls in the order of the requests.", Make: of[scheduleListCmd]},
			{Name: "show", Help: "Show everything about one call.", Make: of[scheduleShowCmd]},
			{Name: "status", Help: "Count the calls by status.", Make: of[scheduleStatusCmd]},
			{Name: "approve", Help: "Approve calls that await approval.", Make: of[scheduleApproveCmd]},
			{Name: "deny", Help: "Deny calls; the rest of their batch is cancelled.", Make: of[scheduleDenyCmd]},
			{Name: "modify", Help: "Change the arguments of a call that waits for approval.", Make: of[scheduleModifyCmd]},
			{Name: "run", Help: "Run the calls that may run.", Make: of[scheduleRunCmd]},
			{Name: "cancel", Help: "Cancel calls; running ones are stopped.", Make: of[scheduleCancelCmd]},
			{Name: "wait", Help: "Wait until every call has ended.", Make: of[scheduleWaitCmd]},
			{Name: "clear", Help: "Remove the calls that have ended, with their outputs.", Make: of[scheduleClearCmd]},
			{Name: "policy", Help: "Show and change the approval rules.", Sub: []cli.Command{
				{Name: "list", Help: "List the rules.", Make: of[schedulePolicyListCmd]},
				{Name: "add", Help: "Add a rule.", Make: of[schedulePolicyAddCmd]},
				{Name: "remove", Help: "Remove a rule.", Make: of[schedulePolicyRemoveCmd]},
			}},
		}},
		{Name: "tools", Help: "Show, check and trust the tools that can be called.", Group: "Plumbing", Docs: "scheduler.md", Sub: []cli.Command{
			{Name: "list", Help: "List the tools; with --json their declarations.", Make: of[toolsListCmd]},
			{Name: "check", Help: "Check the declarations.", Make: of[toolsCheckCmd]},
			{Name: "trust", Help: "Trust the project's declarations as they are.", Make: of[toolsTrustCmd]},
		}},
		{Name: "store", Help: "Look at the store, and copy sessions to another one.", Group: "Plumbing", Docs: "fleet.md", Sub: []cli.Command{
			{Name: "info", Help: "Show which store this is, and whether it can be reached.", Make: of[storeInfoCmd]},
			{Name: "copy", Help: "Copy or move sessions from one store to another.", Make: of[storeCopyCmd]},
		}},
		{Name: "repair", Help: "Restore the newest good state of a corrupt file.", Group: "Plumbing", Docs: "sessions.md", Make: of[repairCmd]},
		{Name: "completion", Help: "Print a shell's completion script.", Group: "Plumbing", Make: of[completionCmd]},
		{Name: "help", Help: "Show the help of a command or a topic.", Group: "Plumbing", Make: of[helpCmd]},
	}
}
