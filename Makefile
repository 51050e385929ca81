# Everything a newcomer needs is `make demo` and `make test`; both install what is missing.
SHELL := /bin/bash
.DEFAULT_GOAL := help

RELEASE := .build/release
# Real footage for the tests that want it; they say so and skip when there is none.
export CUTFARM_FOOTAGE ?= $(wildcard $(abspath ../shared/media))

.PHONY: help deps build release demo demo-stop test lint thorough mutants chaos bench transition-sheet containers install install-files clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

deps:
	@scripts/install-dependencies

build: deps ## build for debugging
	swift build

release: deps ## build optimised: .build/release/cutfarm and cutfarm-render
	swift build -c release

demo: release ## render Examples/ through a farm of two workers and leave its dashboard running
	@scripts/demo $(RELEASE)

demo-stop: ## stop what `make demo` left running
	@scripts/demo --stop

test: ## lint and run all tests
	@scripts/install-dependencies test
	$(MAKE) --no-print-directory lint
	@scripts/build-tests
	@scripts/test-modules

lint: ## formatting and style, as CI checks them
	swift format lint --strict --parallel -r Package.swift Sources Tests Benchmarks

thorough: ## the large seeded suites: hundreds of random edits, thousands of simulator seeds; movies in two browsers
	@scripts/install-dependencies thorough
	@scripts/build-tests
	CUTFARM_THOROUGH=1 CUTFARM_SIMULATOR_SEEDS=5000 CUTFARM_MODULE_LIMIT=7200 scripts/test-modules

mutants: ## plant known mistakes, one at a time, and see that the tests catch each; a stopped run goes on
	@scripts/install-dependencies test
	Tests/Mutants/run

chaos: release ## kill and stop processes, fill disks, disturb connections; compare the outputs' bytes; a stopped run goes on
	@scripts/install-dependencies test
	Tests/Chaos/run $(RELEASE)

bench: release ## side by side with ffmpeg and melt, and ns per pixel of each kernel
	@scripts/install-dependencies bench
	Benchmarks/run $(RELEASE)

transition-sheet: release ## render docs/transitions.png, a picture of every transition
	scripts/transition-sheet $(RELEASE)

containers: release ## build the images and render the demo with three worker containers
	docker/demo

PREFIX ?= /usr/local
install: release install-files ## install both programs and systemd's units below PREFIX

# The units name the programs by their place; systemd looks for units below /usr/local/lib and /usr/lib.
install-files:
	install -D -m 755 $(RELEASE)/cutfarm $(DESTDIR)$(PREFIX)/bin/cutfarm
	install -D -m 755 $(RELEASE)/cutfarm-render $(DESTDIR)$(PREFIX)/bin/cutfarm-render
	install -D -m 644 systemd/cutfarm.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/cutfarm.conf
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in coordinator worker watch-folder@; do \
		sed 's#/usr/local/bin/#$(PREFIX)/bin/#' systemd/cutfarm-$$unit.service \
			> $(DESTDIR)$(PREFIX)/lib/systemd/system/cutfarm-$$unit.service || exit 1; \
	done

clean: ## remove what was built and rendered
	rm -rf .build out Examples/media
