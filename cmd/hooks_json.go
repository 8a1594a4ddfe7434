package cmd

import (
	"onward/internal/install"
	"onward/internal/output"
)

// hooksJSON is onward/hooks/v1: the hooks that were found or changed, for each agent and scope.
func hooksJSON(action string, dryRun bool, all []install.Report) any {
	return output.Members{"schema", "onward/hooks/v1", "action", action, "dry_run", dryRun, "hooks", all}
}
