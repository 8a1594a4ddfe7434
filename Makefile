.PHONY: build test lint bench torture

build:
	go build .

test:
	go test ./...

# Everything that must hold before a change goes in, the linters among it.
lint:
	.ci/run

# What a start of the program costs, and what long lists and large stores cost.
bench:
	go run ./bench/startup
	go run ./bench/scale

# Every fault at every system call, every way in which the power can fail, and every mutant: about half an hour.
torture:
	go test ./torture -sweep all -timeout 2h -v
	cd torture/powerloss && go test -long -timeout 1h -v
	torture/fuzz 2m
