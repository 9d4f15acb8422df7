# Thin over CMake: `make run` shows Qdot at work, `make test` proves it.
BUILD ?= build
PREFIX ?= /usr/local
CONFIGURE = cmake -S . -B $(BUILD) -G Ninja
EXAMPLE ?= examples/double_pendulum.qdot

.PHONY: build engine run studio studio-page studio-pictures site test bench soak coverage gallery measure golden-update install clean

# Leaves the command at build/qdot and libqdot.so beside it.
build:
	@tools/setup run
	@mkdir -p $(BUILD)
	@grep -qsx 'CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)' $(BUILD)/CMakeCache.txt || rm -f $(BUILD)/CMakeCache.txt
	@$(CONFIGURE) > $(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
	@test -e $(BUILD)/qdot || echo "building, which takes about a minute ..."
	@ninja -C $(BUILD) --quiet qdot_library qdot_command > $(BUILD)/build.log || { cat $(BUILD)/build.log; exit 1; }

# The engine as one file for other programs, which needs a C11 compiler and nothing else.
engine:
	@tools/engine $(BUILD)/engine
	@echo "$(BUILD)/engine/qdot_engine.c and qdot_engine.h: doc/engine.md says how to use them"

# One example: its equations, its motion, its pictures, its report.
run: build
	$(BUILD)/qdot derive $(EXAMPLE)
	$(BUILD)/qdot run $(EXAMPLE)
	@echo "next: open $(notdir $(EXAMPLE:.qdot=))-out/report.html in a browser, then read doc/first-day.md"

# The studio's server and page; `make studio` also opens it, in this folder or in DIR.
studio-page:
	@tools/setup studio
	@$(MAKE) --no-print-directory build
	@ninja -C $(BUILD) --quiet qdot_studio > $(BUILD)/build.log || { cat $(BUILD)/build.log; exit 1; }
	@tools/studio-page $(BUILD)

# The pictures of doc/studio.md, taken in a browser.
studio-pictures: studio-page
	@tools/studio-pictures $(BUILD)

studio: studio-page
	@$(BUILD)/qdot studio $(or $(DIR),examples)

# The studio, the module qdot.js and the examples as a static folder that needs no server of ours: build/site.
site:
	@tools/setup site
	@$(MAKE) --no-print-directory studio-page
	@tools/site $(BUILD)

# Everything that must hold; the time of each group and the count at the end.
test:
	@tools/setup test
	@tools/test

# Measurements, as tables, beside the tools that `tools/setup bench` installs.
bench: build
	@$(CONFIGURE) -DQDOT_BENCH=ON > $(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
	@ninja -C $(BUILD) --quiet bench_programs > $(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@ninja -C $(BUILD) --quiet -k 0 bench_peers >> $(BUILD)/bench.log || echo "some peers do not compile: see $(BUILD)/bench.log"
	@bench/run $(BUILD)

# Long checks: fuzzing, sanitizers, valgrind, static analysis. Thirteen groups of an hour, or MINUTES, each.
soak:
	@tools/setup soak
	@MINUTES=$(MINUTES) tools/soak

# Which lines the tests run: a figure for each layer, and the lines that none does.
coverage:
	@tools/setup soak
	@tools/coverage

# Every example, computed and drawn, on one page: build/gallery/index.html.
gallery: build
	@tools/gallery $(BUILD) $(BUILD)/gallery

# Figures about the source: lines of files and functions, comments.
measure:
	@tools/measure

# Rewrites the stored results of tests/golden; review the difference as code.
golden-update: build
	@tools/golden-update $(BUILD)

# With DESTDIR for a package. As root the loader is told, so that programs find the library at once.
install: build
	@cmake --install $(BUILD) --prefix $(PREFIX) > $(BUILD)/install.log || { cat $(BUILD)/install.log; exit 1; }
	@test -n "$(DESTDIR)" -o "$$(id -u)" != 0 || ldconfig
	@echo "installed $(DESTDIR)$(PREFIX)/bin/qdot; make sure that $(PREFIX)/bin is in PATH"

clean:
	rm -rf build build-*
