.PHONY: build demo install uninstall test lint nightly bench docs release-check torture

PREFIX ?= /usr/local
bin = $(DESTDIR)$(PREFIX)/bin
share = $(DESTDIR)$(PREFIX)/share
sources := $(shell find main.go go.mod go.sum cmd companion internal release -type f)

# The four programs, the man pages and the completions.
build: onward onward-mcp onward-etcd .release/man

# If a C compiler is installed, Go links the C library for one package, and the program starts slower.
onward: $(sources)
	@echo 'building onward: about a minute the first time'
	CGO_ENABLED=0 go build -trimpath -o . . ./companion/onward-schema
	@# Linux starts a copy faster than a file that the linker has just written: a hook takes 1.9 hello worlds instead of 2.5.
	@cp onward onward.copy && mv -f onward.copy onward

# Builds onward, and shows a run with a scripted agent.
demo: onward
	@examples/demo.sh

# Separate modules, so that building onward alone does not fetch their dependencies.
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
	@echo 'Hooks that onward has installed stay. To remove them, run this before: onward hooks uninstall --all'
	rm -f "$(bin)/onward" "$(bin)/onward-schema" "$(bin)/onward-mcp" "$(bin)/onward-etcd" "$(share)"/man/man[17]/onward.[17].gz "$(share)"/man/man[17]/onward-*.[17].gz
	rm -f "$(share)/bash-completion/completions/onward" "$(share)/zsh/site-functions/_onward" "$(share)/fish/vendor_completions.d/onward.fish"

# Without the C library, as the programs are built: the scripts start onward 6,000 times, and it starts faster then, by a third.
test:
	CGO_ENABLED=0 go test -timeout 20m ./...
	cd companion/onward-mcp && CGO_ENABLED=0 go test .
	cd companion/onward-etcd && CGO_ENABLED=0 go test -timeout 20m ./...

# Everything that must pass before a change is merged, including the linters: a quarter of an hour.
lint:
	.ci/run

# The rest, which takes an hour and a half.
nightly:
	.ci/nightly

# Everything that is generated: the help, docs/commands.md, docs/settings.md, the messages, the golden output, the picture of the README.
docs:
	go test ./cmd ./internal/agents ./internal/render ./internal/report ./internal/install . -update
	docs/picture/picture.sh

# Checks that two builds of a release are identical, and that the workflows are valid if actionlint is installed.
release-check:
	release/check.sh
	if command -v actionlint; then actionlint; fi

# Measures the cost of a start, of long lists and of large stores.
bench:
	go run ./test/bench/startup
	go run ./test/bench/scale
	cd companion/onward-etcd && go test ./etcd -count=1 -run TestFleet -long -v

# Injects every fault and prints one table of the results: two to three hours.
# The errors can be split: go test ./test/torture -sweep all -part 1/8.
torture:
	test/torture/run
