package codex

import (
	"encoding/json"
	"testing"
)

func TestPlanInCode(t *testing.T) {
	for code, want := range map[string]string{
		`const r = await tools.update_plan({"explanation":"e","plan":[{"step":"A","status":"completed"}]}); text(r)`:           `{"explanation":"e","plan":[{"step":"A","status":"completed"}]}`,
		"await tools.update_plan({\n  plan: [\n    { step: 'it\\'s \"B\"', status: `pending` },\n  ],\n});":                    `{"plan":[{"step":"it's \"B\"","status":"pending"}]}`,
		`tools.update_plan({plan:[]}); tools.update_plan({plan:[{step:"二\n","status":"in_progress"}]})`:                        `{"plan":[{"step":"二\n","status":"in_progress"}]}`,
		`tools.update_plan({plan, explanation: "x"})`:                                                                          ``,
		`tools.update_plan({plan: steps.map(s => ({step: s}))})`:                                                               ``,
		"tools.update_plan({plan:[{step:`do ${n}`,status:\"pending\"}]})":                                                      ``,
		`tools.update_plan({plan:[{step:"a" + b,status:"pending"}]})`:                                                          ``,
		`tools.update_plan(JSON.parse(x))`:                                                                                     ``,
		`tools.update_plan({plan:[{step:"A"`:                                                                                   ``,
		`tools.update_plan(`:                                                                                                   ``,
		`tools.update_plan({plan}); const plan = [{step:"later"}]`:                                                             ``,
		`const plan = [{step:"A",status:"completed"}]; text(await tools.update_plan({plan}));`:                                 `{"plan":[{"step":"A","status":"completed"}]}`,
		`const steps=[{step:'A'}], args = {explanation: "e", plan: steps}; await tools.update_plan(args);`:                     `{"explanation":"e","plan":[{"step":"A"}]}`,
		`const done = "completed"; let plan = []; plan = [{step:"A", status: done}]; await tools.update_plan({ plan: plan, })`: `{"plan":[{"step":"A","status":"completed"}]}`,
		`const plan = [{step:"Review the plan"}]` + "\ntext(await tools.update_plan({plan}))":                                  `{"plan":[{"step":"Review the plan"}]}`,
		`const plan = [{step:"A"}]; plan[0].status = "completed"; tools.update_plan({plan})`:                                   ``,
		`const plan = [{step:"A"}]; plan.push({step:"B"}); tools.update_plan({plan})`:                                          ``,
		`const plan = [{step:"A"}].concat(more); tools.update_plan({plan})`:                                                    ``,
		"const plan = [{step:\"A\"}]\n  .concat(more); tools.update_plan({plan})":                                              ``,
		`const plan = make(); tools.update_plan({plan})`:                                                                       ``,
		`const myplan = [1]; tools.update_plan({plan})`:                                                                        ``,
		`const plan = [plan]; tools.update_plan({plan})`:                                                                       ``,
		`tools.exec_command({cmd:"ls"})`:                                                                                       ``,
	} {
		got, alone := planIn([]byte(code))
		if string(got) != want || alone != (code[:5] != "tools" || code[6] == 'u') {
			t.Errorf("%s: %s, alone %v", code, got, alone)
		}
	}
}

// FuzzLiteral reads random code. The result must be valid JSON.
func FuzzLiteral(f *testing.F) {
	f.Add([]byte(`{plan:[{step:'a\'b',status:"x",},]}`))
	f.Add([]byte(`a=[b,b],b=[c,c],c={a},{a,b:c}`))
	f.Fuzz(func(t *testing.T, code []byte) {
		if got, _ := (&script{lookUps: maxLookUps}).literal(code, code); got != nil && !json.Valid(got) {
			t.Errorf("%q: %q", code, got)
		}
	})
}
