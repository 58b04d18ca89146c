# Everything a developer or CI runs. To choose: make test BPY=5.3 VENV=some/folder ARGS="-k placement"
PYTHON ?= $(shell command -v python3.11 || command -v python3.13 || command -v python3)
VENV ?= .venv
BPY ?=
PLATFORMS ?= linux-x64
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/scenewright
ENVIRONMENT = $(or $(PYTHON),$(error Python 3.11 or 3.13 is needed, and no python3 is on the PATH)) scripts/environment.py
IN := $(VENV)/bin

ROUNDS ?= 20

.PHONY: help demo dev test lint docs matrix extension install-check test-blender soak

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: ## set up what is needed and furnish a room
	@$(ENVIRONMENT) $(VENV) $(BPY:%=--bpy %)
	$(IN)/python scripts/demo.py

dev: ## the environment that the targets below run in, with test tools
	@$(ENVIRONMENT) $(VENV) --kind dev $(BPY:%=--bpy %)

test: dev ## the test suite
	$(IN)/pytest $(ARGS)

lint: dev ## style, types, and which floor may import which
	$(IN)/ruff check --output-format concise .
	$(IN)/ruff format --check .
	@mkdir -p .dev && ln -sfn .. .dev/scenewright # the root, under the name of the package
	$(IN)/mypy -p scenewright
	PYTHONPATH=.dev $(IN)/lint-imports --no-cache

docs: dev ## docs/commands.md and docs/schemas/, from the code
	$(IN)/python scripts/docs.py

matrix: ## the suite on every Blender that is promised
	@failed=; for series in 4.2 4.5 5.2 5.3; do \
		$(MAKE) test BPY=$$series VENV=$(CACHE)/dev-$$series || failed="$$failed $$series"; \
	done; test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }

extension: dev ## dist/scenewright-VERSION-PLATFORM.zip; PLATFORMS="linux-x64 windows-x64 macos-arm64" for all
	$(IN)/python scripts/extension.py $(PLATFORMS)

install-check: extension ## install the zip in Blender as a module, compare both doors
	@for series in 4.5 5.3; do \
		$(ENVIRONMENT) $(CACHE)/bare-$$series --kind bare --bpy $$series; \
		case $$? in \
			0) $(CACHE)/bare-$$series/bin/python scripts/install_check.py dist/*linux_x64.zip || exit 1;; \
			77) test -z "$$CI" && echo "skipped: install check with bpy $$series" || exit 1;; \
			*) exit 1;; \
		esac; \
	done

test-blender: extension ## install the zip in a real Blender (Debian's 4.3, in a folder of its own; needs root)
	$(IN)/python scripts/real_blender.py dist/*linux_x64.zip

soak: dev ## the tests with chance in them over and over, on new examples each time; ROUNDS=200 for a night
	$(IN)/pytest -q -m chance --seeds 50 --timeout=0 $(ARGS)
	@for round in $$(seq $(ROUNDS)); do \
		echo "round $$round of $(ROUNDS)"; \
		env -u CI $(IN)/pytest -q -m hypothesis --timeout=0 $(ARGS) || exit 1; \
	done
