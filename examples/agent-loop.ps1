# Continues an agent until its todo list is done. $env:AGENT_COMMAND is the command that runs one turn.
# Codex needs -c tools.update_plan.enabled=true to enable its todo tool. A run without a list ends with 14.
param([string]$Task = "make a plan and do it")
$agent = if ($env:AGENT_COMMAND) { $env:AGENT_COMMAND } else { Join-Path $PSScriptRoot "stand-in-agent.sh" }
$env:CLAUDE_CODE_ENABLE_TODO_TOOLS = "1" # Claude Code has its todo tools off for newer models

onward event user-prompt
& $agent $Task | onward ingest --save --emit none
while ($true) {
    $prompt = (onward check-continue --wait) -join "`n"
    if ($LASTEXITCODE -ne 0) { break }
    & $agent $prompt | onward ingest --save --emit none
}
if ($LASTEXITCODE -eq 10) { exit 0 } # done
exit $LASTEXITCODE
