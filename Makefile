# Every command of the project. `make run` and `make test` install what they need; `make help` lists all.
SHELL := /bin/bash
.DEFAULT_GOAL := help
export CARGO_TARGET_DIR ?= $(CURDIR)/target
JALON := $(CARGO_TARGET_DIR)/debug/jalon
PORT ?= 8080
DATA ?= $(CURDIR)/data

.PHONY: help setup web server run dev test check security gen e2e screens ground-pictures pictures bench fuzz drill chaos test-s3 diskfull dist testdist deploycheck release clean

##@ Start here

help: ## List the commands
	@sed -nE -e 's/^##@ (.*)/\n\1/p' -e 's/^([a-z0-9-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

##@ Build and run

setup: ## Install what is missing (Rust and Node must be there)
	@scripts/setup.sh build

web: setup ## Build the web app
	@scripts/web.sh

# With --workspace third-party crates have the features that the tests build them with: `make test` does not compile them again.
server: ## Build the server
	@scripts/setup.sh server
	@node scripts/cargo.mjs "Building the server" build --locked --workspace --bin jalon

run: ## Build everything, fill a demo database when there is none, serve on http://localhost:8080
	@scripts/setup.sh server
	@$(MAKE) --no-print-directory --jobs=2 web server
	@scripts/run.sh "$(JALON)" "$(DATA)" "$(PORT)"

dev: setup server ## Server and web app with reload while you type (web on http://localhost:5173)
	@node scripts/dev.mjs "$(JALON)" "$(DATA)" "$(PORT)"

##@ Check a change

test: ## Install what is missing, then run every test: Rust on both databases, web units, browser journeys
	@scripts/setup.sh test
	@node scripts/test.mjs all

e2e: ## Browser journeys only
	@scripts/setup.sh test
	@node scripts/test.mjs e2e

check: ## Formatting, lints, types, unused exports, generated files: warnings are errors
	@scripts/check.sh

security: setup ## Licences and sources of crates, locked packages, every operation asked by schemathesis (EXAMPLES=12 each)
	@scripts/security.sh $(EXAMPLES)

drill: setup ## Back up the demo, lose everything, restore it, compare (POSTGRES=1: with pgBackRest, to a moment)
	@scripts/drill$(if $(POSTGRES),-postgres).sh

chaos: ## Kill nodes, the database and the bucket at random under load, then compare (CHAOS=short for a minute; docs/dev/chaos.md)
	@scripts/chaos.sh $(CHAOS)

test-s3: setup ## The tests of blobs, uploads, media and roadbooks on three Garage servers, one killed at a time; then chaos on them
	@scripts/test-s3.sh

diskfull: setup server ## Fill the disk of a server while it is used, kill it, make room: nothing acknowledged is lost (as root)
	@scripts/disk-full.py $(JALON)

fuzz: ## Run the fuzz targets for a minute each (needs cargo-fuzz and a nightly toolchain)
	@scripts/fuzz.sh

##@ Generated files and pictures

gen: setup ## Make the generated files again: openapi.json, openapi.public.json and the web app's types
	@scripts/gen.sh

screens: ## A picture of each screen: path x 1440/390 px x fr/en, into web/screens
	@scripts/setup.sh test
	@node scripts/screens.mjs

ground-pictures: ## A picture of each step on the ground: 390 px x fr/en, into web/screens/terrain
	@scripts/setup.sh test
	@node scripts/ground-pictures.mjs

pictures: ## Take the guide's pictures again, from a new demo
	@scripts/setup.sh test
	@node scripts/guide-pictures.mjs

##@ Measure and release

bench: web setup ## Every bench on a release build, then their figures beside limits and last time (BENCH=NAME: one of them)
	@node bench/all.mjs $(BENCH)

release: web ## The one binary, with the web app inside
	@node scripts/cargo.mjs "Building the release" build --locked --release --package jalon && echo "$(CARGO_TARGET_DIR)/release/jalon"

dist: setup ## All that operators are given, into dist/: tarball, Debian package, image, SBOM, licences, sums (PROFILE=dev to try)
	@scripts/dist.sh

testdist: ## Install, use, upgrade and purge the Debian package in dist/, start the image (as root, in roots of their own)
	@scripts/test-deb.sh dist/jalon_*.deb
	@scripts/test-image.sh dist/jalon-*-image-*.tar

deploycheck: ## The files of deploy/ against Compose, Kubernetes, Caddy, HAProxy and systemd
	@scripts/check-deploy.sh

clean: ## Remove what was built and the demo data
	@rm -rf "$(CARGO_TARGET_DIR)" web/dist web/node_modules data
