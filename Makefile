# The commands of the course. `make lab` and `make test` need Python 3.11 to 3.14
# and make, and nothing else: they build .venv from the lock file first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
LOCK := requirements.lock
SITE := build/site
PORT := 8000
# pip is what everybody has; .ci/run brings uv, which takes a tenth of the time.
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check

# For rooms without a network: make wheelhouse where there is one, then, on a machine of the same
# kind with the same Python, make lab WHEELS=build/wheelhouse
ifdef WHEELS
export PIP_NO_INDEX := 1
export PIP_FIND_LINKS := $(abspath $(WHEELS))
endif

.PHONY: always lab wheelhouse present vote site open-site test test-firefox test-frontends test-hub lint notebooks bench peers test-engines lock clean

# JupyterLab refuses to start for root, as in a container, unless it is told that this is meant.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

# Options for JupyterLab go into LAB: make lab LAB="--no-browser --port=9000"
lab: $(READY)
	$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(AS_ROOT) $(LAB)

wheelhouse:
	$(PYTHON) -m pip download -q --require-hashes -r $(LOCK) -d build/wheelhouse

# All explorers on one page, for a room of laptops and phones: files, no kernel. Only this
# machine can open the page unless told otherwise: make present PRESENT="--bind 0.0.0.0"
present: $(SITE)/index.html
	$(BIN)/python -m helpers.course.site.serve $(SITE) $(PRESENT)

# A room votes on the bets of a notebook: make vote VOTE="conventions --bind 0.0.0.0"; what was
# counted, as a table: make vote VOTE=conventions EXPORT=votes.csv
vote: $(READY)
	$(BIN)/python -m helpers.course.vote $(VOTE) $(if $(EXPORT),--export $(EXPORT))

# The whole course as static pages, from the notebooks as they are stored; no network. Links to
# where it is published are on it if that is said: make site COURSE_REPOSITORY=owner/name
site: $(SITE)/index.html

build/repository: always
	@mkdir -p build; echo '$(COURSE_REPOSITORY)' | cmp -s - $@ || echo '$(COURSE_REPOSITORY)' > $@

$(SITE)/index.html: build/repository $(READY) $(shell find helpers notebooks -name "*.*" -type f -not -name "*.pyc")
	COURSE_REPOSITORY='$(COURSE_REPOSITORY)' $(BIN)/python -m helpers.course.site $(SITE)

# Browsers load no modules from files, so that even here a server is needed.
open-site: $(SITE)/index.html
	$(BIN)/python -m helpers.course.site.serve $(SITE) --site --port $(PORT)

# At its end it says what was skipped and why, and what took more than a minute. tests/conftest.py has the order of the tests.
# What the notebooks store is printed by the locked packages; make test NBVAL=--nbval-lax runs
# them with any others, and does not compare.
test: NBVAL = --nbval
# Two workers fill two cores: threads of numpy's own would wait for each other, and busily.
test: export OPENBLAS_NUM_THREADS = 1
# uv does not compile what it installs: were it never kept, each kernel would do so for itself.
test: export PYTHONDONTWRITEBYTECODE =
test: $(READY)
	$(BIN)/python -m pytest $(NBVAL) --nbval-current-env --nbval-cell-timeout=600 \
		--nbval-sanitize-with tests/nbval.cfg -n 2 --dist loadscope --no-loadscope-reorder -rfEs \
		--durations=20 --durations-min=60

# Five minutes; without Firefox it is skipped, and says so.
test-firefox: $(READY)
	$(BIN)/python -m pytest -rfEs tests/walk_firefox.py

# The explorers where they are shown without JupyterLab; in an environment of its own.
test-frontends:
	$(PYTHON) -m venv build/frontends
	build/frontends/bin/python -m pip install -q --require-hashes -r $(LOCK)
	build/frontends/bin/python -m pip install -q notebook==7.6.5 voila==0.5.13
	PYTHONPATH=$(CURDIR) build/frontends/bin/python -m pytest -rfEs tests/walk_frontends.py

# Thirty students on a JupyterHub; in an environment of its own, with a proxy from npm.
test-hub:
	$(PYTHON) -m venv build/hub
	build/hub/bin/python -m pip install -q --require-hashes -r $(LOCK)
	build/hub/bin/python -m pip install -q -r tests/hub/requirements.txt
	npm install --silent --prefix build/hub configurable-http-proxy@5.3.0
	PYTHONPATH=$(CURDIR) build/hub/bin/python tests/hub/walk_hub.py $(HUB) \
		--proxy build/hub/node_modules/.bin/configurable-http-proxy

lint: $(READY)
	$(BIN)/ruff check helpers tests
	$(BIN)/ruff format --check helpers tests

# Execute every notebook and write it in its one canonical form.
notebooks: $(READY)
	$(BIN)/python -m helpers.course.authoring.write notebooks/*.ipynb

bench: $(READY) $(SITE)/index.html
	$(BIN)/python tests/bench_metrics.py
	$(BIN)/python tests/bench_tuning.py
	$(BIN)/python tests/bench_scale.py
	$(BIN)/python tests/bench_explorers.py
	$(BIN)/python tests/bench_room.py
	$(BIN)/python tests/bench_vote.py
	$(BIN)/python tests/bench_site.py

# What other tools print, each in the version that tests/peers names, in an environment of its own.
peers:
	$(PYTHON) -m venv build/peers
	build/peers/bin/python -m pip install -q -r tests/peers/requirements.txt
	build/peers/bin/python -m pip install -q --no-deps allRank==1.4.3 recommenders==1.2.1
	for script in tests/peers/*.py; do build/peers/bin/python $$script; done

# The number of notebook *scale* from all engines, Spark and R too; a missing one is an error here.
test-engines:
	java -version
	Rscript --version
	$(PYTHON) -m venv build/engines
	build/engines/bin/python -m pip install -q -r $(LOCK)
	build/engines/bin/python -m pip install -q --no-build-isolation -e ".[engines]"
	build/engines/bin/python -m pytest -n 0 -rs tests/test_scale.py

# After a change of the dependencies in pyproject.toml.
lock: $(READY)
	$(BIN)/uv pip compile pyproject.toml --extra test --extra dev --extra site \
		--universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock" \
		--quiet -o $(LOCK)

clean:
	rm -rf $(VENV)

# Exactly the locked packages, then the course's own `helpers`, editable, with
# the locked setuptools (no build isolation: that would fetch an unlocked one).
$(READY): $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 15) else "This course needs Python 3.11 to 3.14; " + sys.executable + " is " + sys.version.split()[0] + ". Name another one: make PYTHON=python3.12 lab")'
	@echo 'Building $(VENV), once: about 150 packages, 1.3 GB. This takes a few minutes.'
	@echo 'Its last step, "Installing collected packages", is the longest and stands still.'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r $(LOCK)
	$(INSTALL) --no-deps --no-build-isolation -e .
	mkdir -p $(VENV)/share/jupyter/lab/settings  # or JupyterLab's news prompt covers the first page
	cp helpers/course/lab/overrides.json $(VENV)/share/jupyter/lab/settings/
	touch $(READY)
