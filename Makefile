# Thin over CMake: make run, make test, make bench, make soak.
build: setup
	@cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release > build.log 2>&1 || (cat build.log; exit 1)
	@ninja -C build
.PHONY: build
