.PHONY: build test lint bench docs release-check torture

# With a C compiler at hand, Go links the C library for the sake of one package, and the program starts slower.
build:
	CGO_ENABLED=0 go build -trimpath -o . . ./companion/onward-schema

test:
	go test ./...

# Everything that must hold before a change goes in, the linters among it.
lint:
	.ci/run

# Everything that is written by a program: the help, the messages, the golden output, the picture of the README.
docs:
	go test ./cmd ./internal/agent ./internal/render . -update
	docs/picture/picture.sh

# Two builds of a release have the same bytes. The configurations are checked by their own tools, where those are installed.
release-check:
	release/check.sh
	if command -v goreleaser; then goreleaser check; fi
	if command -v actionlint; then actionlint; fi

# What a start of the program costs, and what long lists and large stores cost.
bench:
	go run ./bench/startup
	go run ./bench/scale

# Every fault at every system call, every way in which the power can fail, and every mutant: two or three hours,
# of which the errors take up to one and the fuzzing 40 minutes. The errors can be divided: go test ./torture -sweep all -part 1/8.
torture:
	go test ./torture -sweep all -timeout 4h -v
	cd torture/powerloss && go test -long -timeout 1h -v
	torture/fuzz 2m
