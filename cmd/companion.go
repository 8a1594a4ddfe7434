package cmd

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/schedule"
	"onward/internal/calls/tool"
	"onward/internal/companion"
	"onward/internal/doctor"
	"onward/internal/schema"
)

// companionHint says what the user can do about a companion program that fails or is missing.
const companionHint = "install " + schema.CompanionName + " from the same release next to onward; in its source, `make install` does it"

// answerInquiry lets the companion answer an inquiry. The companion is started once, and only if there is a question.
func answerInquiry(q *tool.Inquiry) error {
	if len(q.Questions) == 0 {
		return nil
	}
	_, answers, err := askCompanion(q.Questions)
	if err != nil {
		return err
	}
	return q.SetAnswers(answers)
}

func askCompanion(questions []schema.Question) (path string, answers []schema.Answer, err error) {
	if path, err = companion.Find(schema.CompanionName); err == nil {
		answers, err = companion.Ask(path, questions, builtFrom().id(), companion.AnswerTimeout)
	}
	return path, answers, err
}

// argumentCheck returns the function that validates the arguments of calls. The companion is asked about all of them here,
// before any lock is acquired.
func argumentCheck(tools tool.Set, calls ...tool.Call) (holds func(*tool.Tool, jsontext.Value) error, err error) {
	calls = slices.DeleteFunc(calls, func(c tool.Call) bool { return len(c.Args) > schedule.MaxArgs }) // these are an error anyway
	q := tool.InquireArguments(tools, calls)
	return q.Check, answerInquiry(q)
}

// companions examines the companion programs for doctor.
func companions() doctor.Finding {
	path, _, err := askCompanion([]schema.Question{{Schema: jsontext.Value("true")}})
	switch {
	case errors.Is(err, companion.ErrAbsent):
		return doctor.Finding{Name: "schemas", State: doctor.Note, Detail: err.Error() + "; tools that declare parameters need it", Hint: companionHint}
	case err != nil:
		return doctor.Finding{Name: "schemas", State: doctor.Bad, Detail: err.Error(), Hint: companionHint}
	}
	return doctor.Finding{Name: "schemas", State: doctor.Good, Detail: path + ", version " + builtFrom().Version}
}
