package qwen

import "onward/internal/agents/hook"

var protocol = hook.Protocol{
	Name: "qwen", ReportsBothEnds: true, GoAhead: "{}\n",
	BlockCap: 8, BlockCapVariable: "QWEN_CODE_STOP_HOOK_BLOCK_CAP", FolderVariable: "QWEN_PROJECT_DIR",
	CanRefusePrompt: true, LacksTodoTool: hook.Always, Parse: readHook, Render: hook.RenderCommon,
	Ignores: []string{"todocreated", "todocompleted", "sessiondelete"},
}

// readHook reads an event of Qwen Code, which also reports how full the model's context is.
// What the user typed comes besides the prompt, which also holds what Qwen Code put in, such as a
// file that was mentioned. The results of tools return to its model as a prompt without a text,
// which is not the user's.
func readHook(p hook.Payload) hook.Call {
	c := hook.ReadNamed(p)
	if c.Kind == hook.Prompt {
		if typed := p.Text("submitted_prompt"); typed != "" {
			c.SetPrompt(typed, c.Key)
		} else if c.Text == "" {
			c.SetAgentPrompt()
		}
	}
	used, limit := p.Number("input_tokens"), p.Number("context_limit")
	switch ratio := p.Number("context_usage"); {
	case used != nil && limit != nil && *limit > 0:
		full := *used / *limit
		c.Facts.ContextRatio = &full
	case ratio != nil && *ratio >= 0 && *ratio <= 1:
		c.Facts.ContextRatio = ratio
	}
	return c
}
