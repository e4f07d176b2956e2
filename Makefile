# The commands of the course. They need Python 3.11 to 3.14 and make, and nothing else: what
# readers and instructors do is in tools/__main__.py, and works without make, too.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements.lock
FULL_LOCK := requirements-dev.lock
SITE := build/site
CODE := benchmarks helpers src tests tools
PORT := 8000
# For rooms without a network: make wheelhouse where there is one, then, on a machine of the same
# kind with the same Python, make lab WHEELS=build/wheelhouse
COURSE = $(PYTHON) -m tools $(if $(WHEELS),--wheels '$(WHEELS)')
export COURSE_REPOSITORY

.DEFAULT_GOAL := help
.PHONY: full lab wheelhouse present vote sheet site open-site test test-later test-all test-firefox test-frontends test-hub lint notebooks bench peers mutants test-engines lock clean help

# Options for JupyterLab go into LAB: make lab LAB="--no-browser --port=9000"
lab: ## sets up .venv on first use, and opens JupyterLab at the first notebook
	@$(COURSE) lab $(LAB)

# The whole course as static pages, from the notebooks as they are stored; no network. Links to
# where it is published are on it if that is said: make site COURSE_REPOSITORY=owner/name
site: ## builds the web site of the course, build/site
	@$(COURSE) site

open-site: ## builds the site where it is old, and serves it on this machine; PORT=8000
	@$(COURSE) open-site --port $(PORT)

# All explorers on one page, for a room of laptops and phones: files, no kernel. Only this
# machine can open the page unless told otherwise: make present PRESENT="--bind 0.0.0.0"
present: ## serves all explorers on one page, for a room of laptops and phones; options in PRESENT
	@$(COURSE) present $(PRESENT)

# A room votes on the bets of a notebook: make vote VOTE="conventions --bind 0.0.0.0"; what was
# counted, as a table: make vote VOTE=conventions EXPORT=votes.csv
vote: ## lets a room vote on the bets of a notebook: VOTE=conventions; the counts: EXPORT=votes.csv
	@$(COURSE) vote $(VOTE) $(if $(EXPORT),--export '$(EXPORT)')

# Problems to print, with a key: make sheet SHEET="tied-at-k swap" STUDENTS=30 CLASS=spring
sheet: ## writes problem sheets for a class, with a key, to build/sheets: SHEET="tied-at-k swap" STUDENTS=30 CLASS=spring
	@$(COURSE) sheet $(SHEET) $(if $(STUDENTS),--students '$(STUDENTS)') $(if $(CLASS),--class '$(CLASS)')

wheelhouse: ## downloads what readers need, for rooms without a network
	@$(COURSE) wheelhouse

# What tests and builds the course, on top of what readers need.
full:
	@$(COURSE) setup --full

# At its end it says what was skipped and why, and what took more than a minute. tests/conftest.py has the order of the tests.
# What the notebooks store is printed by the locked packages; make test NBVAL=--nbval-lax runs
# them with any others, and does not compare.
test: NBVAL = --nbval
# Two workers fill two cores: threads of numpy's own would wait for each other, and busily.
test test-later: export OPENBLAS_NUM_THREADS = 1
# uv does not compile what it installs: were it never kept, each kernel would do so for itself.
test test-later: export PYTHONDONTWRITEBYTECODE =
PYTEST = $(BIN)/python -m pytest -n 2 --dist loadscope --no-loadscope-reorder -rfEs \
	--durations=20 --durations-min=60
test: full ## what a push needs: all but what test-later has, the notebooks included
	$(PYTEST) --push $(NBVAL) --nbval-current-env --nbval-cell-timeout=600 \
		--nbval-sanitize-with tests/nbval.cfg

# The marker `full`, tests/support/tiers.py; CONTRIBUTING.md says what has it, and why.
test-later: full ## what a push leaves out: every explorer and page in a browser
	$(PYTEST) -m full tests

# Then a push visits only those explorers again whose files are not these.
test-all: test test-later test-firefox ## everything, before what draws is called done
	$(BIN)/python tests/support/tiers.py

# Five minutes; without Firefox it is skipped, and says so.
test-firefox: full ## the site, and the explorers in JupyterLab, in Firefox
	$(BIN)/python -m pytest -rfEs tools/walk_firefox.py

# The explorers where they are shown without JupyterLab; in an environment of its own.
test-frontends: ## the explorers in Notebook 7 and in Voilà
	$(PYTHON) -m venv build/frontends
	build/frontends/bin/python -m pip install -q --require-hashes -r $(FULL_LOCK)
	build/frontends/bin/python -m pip install -q notebook==7.6.5 voila==0.5.13
	PYTHONPATH=$(CURDIR):$(CURDIR)/src build/frontends/bin/python -m pytest -rfEs tools/walk_frontends.py

# Thirty students on a JupyterHub; in an environment of its own, with a proxy from npm.
test-hub: ## thirty students on a JupyterHub of this machine; needs npm
	$(PYTHON) -m venv build/hub
	build/hub/bin/python -m pip install -q --require-hashes -r $(LOCK)
	build/hub/bin/python -m pip install -q -r tools/hub/requirements.txt
	npm install --silent --prefix build/hub configurable-http-proxy@5.3.0
	PYTHONPATH=$(CURDIR):$(CURDIR)/src build/hub/bin/python tools/hub/walk_hub.py $(HUB) \
		--proxy build/hub/node_modules/.bin/configurable-http-proxy

lint: full ## ruff for Python, oxlint for JavaScript; a schema and zizmor for the workflows
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/oxlint --config tools/oxlint.json --deny-warnings src
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github/workflows

# Execute every notebook and write it in its one canonical form.
notebooks: full ## executes all notebooks, and writes them in their canonical form
	$(BIN)/python -m course write notebooks/*.ipynb

bench: export PYTHONPATH = tests/support:tests/browser
bench: full site ## speed and memory, against their limits
	$(BIN)/python benchmarks/metrics.py
	$(BIN)/python benchmarks/tuning.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/lambdamart.py
	$(BIN)/python benchmarks/explorers.py
	$(BIN)/python benchmarks/room.py
	$(BIN)/python benchmarks/vote.py
	$(BIN)/python benchmarks/site.py

# What other tools print, each in the version that tools/peers names, in an environment of its own.
peers: ## writes down what other tools print, each in its version
	$(PYTHON) -m venv build/peers
	build/peers/bin/python -m pip install -q -r tools/peers/requirements.txt
	build/peers/bin/python -m pip install -q --no-deps allRank==1.4.3 recommenders==1.2.1
	for script in tools/peers/*.py; do PYTHONPATH=src build/peers/bin/python $$script; done

# One process, and it lets others go first; Ctrl-C at any time, it goes on where it was.
mutants: full ## which tests notice each of 85 changed lines; hours
	PYTHONPATH=tests/support $(BIN)/python tools/mutants.py

# The number of notebook *scale* from all engines, Spark and R too; a missing one is an error here.
test-engines: ## NDCG from DuckDB, SQLite, Polars, Spark and R; needs Java and R
	java -version
	Rscript --version
	$(PYTHON) -m venv build/engines
	build/engines/bin/python -m pip install -q -r $(FULL_LOCK)
	build/engines/bin/python -m pip install -q --no-build-isolation -e ".[engines]"
	build/engines/bin/python -m pytest -n 0 -rs tests/ndcglib/test_scale.py

# After a change of the dependencies in pyproject.toml. What readers install has the versions
# that the tests have.
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
	--generate-hashes --custom-compile-command "make lock" --quiet
lock: full ## pins the dependencies of pyproject.toml anew
	$(COMPILE) --extra install --extra test --extra dev --extra site -o $(FULL_LOCK)
	$(COMPILE) --extra install --constraint $(FULL_LOCK) -o $(LOCK)

clean: ## removes .venv
	rm -rf $(VENV)

help: ## says this: what make can do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r name words; do printf 'make %-15s %s\n' "$$name" "$$words"; done
