package schedule

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"onward/internal/calls/policy"
	"onward/internal/calls/tool"
	"onward/internal/todo"
)

func TestSubmitJudges(t *testing.T) {
	d := &Document{}
	did := submitted(t, d, `a:view b:edit c:viwe d:view,args={"n":"x"} e:view,args=[]`)
	expect(t, d, "a=scheduled b=awaiting_approval c=error d=error e=error")
	if c := d.Find("c"); c.Class != ClassUnknownTool || !strings.Contains(c.Reason, "did you mean view?") {
		t.Errorf("got %+v", c)
	}
	if d.Find("d").Class != ClassArguments || d.Find("e").Class != ClassArguments {
		t.Errorf("got %+v", d.Calls)
	}
	if len(did.Complete) != 0 || len(d.Batches) != 1 || len(did.Calls) != 5 {
		t.Errorf("got %+v, %+v", did, d.Batches)
	}
	denied, err := Submit(d, requests(t, "f:view"), judge(t, policy.Rule{Tool: "*", Decision: policy.Deny}), noon)
	if err != nil || d.Find("f").Class != ClassPolicy || d.Find("f").Status != Errored || len(denied.Complete) != 1 {
		t.Errorf("got %+v, %+v, %v", d.Find("f"), denied, err)
	}
}

func TestSubmitRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"a:view a:view":                 ErrRequest,
		"a:view A:view":                 ErrRequest,
		"old:view":                      ErrRequest,
		"a:view,after=a":                ErrRequest,
		"a:view,after=b b:view,after=a": ErrRequest,
		"a:view,after=b b:view,after=c c:view,after=a": ErrRequest,
		"a:view,after=none":                            ErrNotFound,
		"a/b:view":                                     ErrRequest,
		"a:":                                           ErrRequest,
		"a:view,batch=x/y":                             ErrRequest,
	} {
		d := &Document{}
		submitted(t, d, "old:view")
		if _, err := Submit(d, requests(t, text), judge(t), noon); !errors.Is(err, want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	d := &Document{Calls: make([]Call, maxCalls)}
	if _, err := Submit(d, requests(t, "a:view"), judge(t), noon); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
}

// TestTooManyRequests checks that no more calls are read than a schedule can have, since a call takes many times the memory of its text.
func TestTooManyRequests(t *testing.T) {
	if calls, err := ReadRequests(bytes.Repeat([]byte("{}\n\n"), maxCalls)); err != nil || len(calls) != maxCalls {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	if _, err := ReadRequests(bytes.Repeat([]byte("{}\n"), maxCalls+1)); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
}

// TestDeeplyNestedArguments checks both sides of the limit of nesting: arguments that are accepted can be read again.
func TestDeeplyNestedArguments(t *testing.T) {
	nested := func(deep int) jsontext.Value {
		return jsontext.Value(`{"n":` + strings.Repeat("[", deep-1) + strings.Repeat("]", deep-1) + `}`)
	}
	d := newDocument(name, noon)
	deepest := []Request{{ID: "a", Tool: "view", Args: nested(maxNesting)}}
	if _, err := Submit(d, deepest, judge(t), noon); err != nil {
		t.Fatal(err)
	}
	data, err := d.encode()
	if err == nil {
		_, err = decode(data)
	}
	if err != nil {
		t.Error(err)
	}
	deepest[0].ID, deepest[0].Args = "b", nested(maxNesting+1)
	if _, err := Submit(d, deepest, judge(t), noon); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
	submitted(t, d, "c:edit")
	if _, err := Modify(d, "c", nested(9000), judge(t), noon); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
}

// TestLongChainIsNotACycle submits a long chain of dependencies. A naive search for cycles would take too long, or overflow the stack.
func TestLongChainIsNotACycle(t *testing.T) {
	var all []Request
	for i := range maxCalls {
		q := Request{ID: "c" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + todo.Time(i).String()[14:23], Tool: "view"}
		q.ID = strings.NewReplacer(":", "-", ".", "-").Replace(q.ID)
		if i > 0 {
			q.After = []string{all[i-1].ID}
		}
		all = append(all, q)
	}
	slices.Reverse(all)
	d := &Document{}
	if _, err := Submit(d, all, judge(t), noon); err != nil {
		t.Fatal(err)
	}
	plan := NewPlan(d, func(string) bool { return true })
	if next := plan.Next(d, 0, 9); len(next) != 1 || next[0].ID != all[maxCalls-1].ID {
		t.Errorf("got %d calls", len(next))
	}
}

// TestJudgeCheckDecides checks that the judge validates arguments when a call is submitted and when it is
// modified. Accepted arguments are not validated again before the run.
func TestJudgeCheckDecides(t *testing.T) {
	j, asked := judge(t), ""
	j.Check = func(of *tool.Tool, args jsontext.Value) error {
		asked += of.Name + string(args) + " "
		if string(args) == `{"n":3}` {
			return errors.New("n: 3 is not prime enough")
		}
		return nil
	}
	d := &Document{}
	if _, err := Submit(d, requests(t, `a:view,args={"n":3} b:edit,args={"n":"x"} c:nosuch d:view`), j, noon); err != nil {
		t.Fatal(err)
	}
	expect(t, d, "a=error b=awaiting_approval c=error d=scheduled")
	if c := d.Find("a"); c.Class != ClassArguments || c.Reason != "n: 3 is not prime enough" {
		t.Errorf("got %+v", c)
	}
	if _, err := Modify(d, "b", jsontext.Value(`{"n":3}`), j, noon); !errors.Is(err, ErrRequest) {
		t.Fatal(err)
	}
	expect(t, d, "a=error b=awaiting_approval c=error d=scheduled")
	if _, err := Review(d, j, noon); err != nil {
		t.Fatal(err)
	}
	if want := `view{"n":3} edit{"n":"x"} view{} edit{"n":3} `; asked != want {
		t.Errorf("asked %s, not %s", asked, want)
	}
}
