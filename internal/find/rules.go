package find

import (
	"errors"
	"fmt"
	"os"
	"time"

	"onward/internal/calls/policy"
	"onward/internal/cli"
	"onward/internal/durable"
	"onward/internal/store"
)

// RuleStore returns the store of the file of rules. Its operations are remembered on this machine, and the time to wait for
// another writer is that of files.
func RuleStore(machine *durable.Store) policy.Store {
	return policy.Store{Backend: ConfigStore(machine.Wait), Machine: machine, May: mayChangeRules}
}

func mayChangeRules(what string) error {
	return RequirePerson(what, "`onward schedule policy list` shows the rules")
}

// rulesError names the file of rules in an error about it. Without it, what was denied would run.
func rulesError(err error) error {
	if errors.Is(err, store.ErrGone) {
		return cli.WithHint(fmt.Errorf("read rules %s: %w", RulesPath(), err),
			"restore the file from a backup, or accept with `onward repair --accept` that there are no rules")
	}
	return cli.WithHint(cli.Failf(cli.ExitConfig, "read rules %s: %v", RulesPath(), err), "correct the file, or restore it from a backup")
}

// Rules returns the rules of the configuration.
func Rules() ([]policy.Rule, error) {
	data, err := durable.ReadForeign(RulesPath(), MaxConfig)
	if errors.Is(err, os.ErrNotExist) {
		if err = RuleStore(&durable.Store{}).Lost(); err != nil {
			err = rulesError(err)
		}
		return nil, err
	}
	var file *policy.File
	if err == nil {
		file, err = policy.Decode(data)
	}
	if err != nil {
		return nil, rulesError(err)
	}
	return file.Rules, nil
}

// RewriteRules changes the file of rules. The function may run several times.
func RewriteRules(s List, change func(*policy.File) error) error {
	return UnreadRulesError(RuleStore(s.Storage.Local).Update(time.Now(), change))
}

// UnreadRulesError adds the name of the file of rules to the error of a change that could not read it.
func UnreadRulesError(err error) error {
	if errors.Is(err, store.ErrGone) || errors.As(err, new(*policy.FileError)) {
		return rulesError(err)
	}
	return err
}
