.PHONY: build install uninstall test lint bench docs release-check torture

PREFIX ?= /usr/local
bin = $(DESTDIR)$(PREFIX)/bin
share = $(DESTDIR)$(PREFIX)/share
sources := $(shell find main.go go.mod go.sum cmd companion internal release -type f)

# The four programs, the man pages and the completions.
build: onward onward-mcp onward-etcd .release/man

# With a C compiler at hand, Go links the C library for the sake of one package, and the program starts slower.
onward: $(sources)
	CGO_ENABLED=0 go build -trimpath -o . . ./companion/onward-schema

# Modules of their own, so that nobody who builds onward alone has to fetch what they are made of.
onward-mcp onward-etcd: $(sources)
	cd companion/$@ && CGO_ENABLED=0 go build -trimpath -o ../../ .

.release/man: onward
	release/extras.sh .release ./onward

# Installs what `make` built, so that `make && sudo make install` needs no Go for root.
install: build
	mkdir -p "$(bin)" "$(share)/man/man1" "$(share)/man/man7" "$(share)/bash-completion/completions" "$(share)/zsh/site-functions" "$(share)/fish/vendor_completions.d"
	install -m 755 onward onward-schema onward-mcp onward-etcd "$(bin)"
	install -m 644 .release/man/*.1.gz "$(share)/man/man1"
	install -m 644 .release/man/*.7.gz "$(share)/man/man7"
	install -m 644 .release/completions/onward.bash "$(share)/bash-completion/completions/onward"
	install -m 644 .release/completions/onward.zsh "$(share)/zsh/site-functions/_onward"
	install -m 644 .release/completions/onward.fish "$(share)/fish/vendor_completions.d/onward.fish"

uninstall:
	rm -f "$(bin)/onward" "$(bin)/onward-schema" "$(bin)/onward-mcp" "$(bin)/onward-etcd" "$(share)"/man/man[17]/onward.[17].gz "$(share)"/man/man[17]/onward-*.[17].gz
	rm -f "$(share)/bash-completion/completions/onward" "$(share)/zsh/site-functions/_onward" "$(share)/fish/vendor_completions.d/onward.fish"

test:
	go test ./...
	cd companion/onward-mcp && go test .
	cd companion/onward-etcd && go test ./...

# Everything that must hold before a change goes in, the linters among it.
lint:
	.ci/run

# Everything that is written by a program: the help, the messages, the golden output, the picture of the README.
docs:
	go test ./cmd ./internal/agent ./internal/render . -update
	docs/picture/picture.sh

# Two builds of a release have the same bytes, and the workflows are valid, where the tools for it are installed.
release-check:
	release/check.sh
	if command -v actionlint; then actionlint; fi

# What a start of the program costs, and what long lists and large stores cost.
bench:
	go run ./test/bench/startup
	go run ./test/bench/scale
	cd companion/onward-etcd && go test ./etcd -count=1 -run TestFleet -long -v

# Every fault that can be made, and one table of what came of them: two to three hours.
# The errors can be divided: go test ./test/torture -sweep all -part 1/8.
torture:
	test/torture/run
