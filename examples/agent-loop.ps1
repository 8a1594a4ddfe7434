# Keeps an agent going until its todo list is done. $env:AGENT is the command that runs one turn.
param([string]$Task = "make a plan and do it")
$agent = if ($env:AGENT) { $env:AGENT } else { Join-Path $PSScriptRoot "stand-in-agent.sh" }

onward event user-prompt
& $agent $Task | onward ingest --save --emit none
while ($true) {
    $prompt = (onward check-continue --wait) -join "`n"
    if ($LASTEXITCODE -ne 0) {
        if ($LASTEXITCODE -eq 10) { exit 0 } else { exit $LASTEXITCODE }
    }
    & $agent $prompt | onward ingest --save --emit none
}
