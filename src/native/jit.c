// Owns the pages of machine code: written first, then made executable and no longer writable. In a
// browser it owns functions that were made of WebAssembly modules.
#include "native/jit.h"

#include <string.h>

#if defined(__x86_64__) && defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>

#include "native/jit_x86_64.h"

uint32_t jit_lanes(void) { return x86_available() ? x86_lanes() : 1; }

bool jit_compile(Context *cx, const Program *program, uint32_t lanes, JitCode *out) {
  if (!x86_available() || lanes > x86_lanes()) return false;
  Mark mark = arena_mark(&cx->scratch);
  X86Code code = x86_translate(cx, program, lanes);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t size = (code.buffer.bytes.n + page - 1) / page * page;
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool done = false;
  if (pages != MAP_FAILED) {
    memcpy(pages, code.buffer.bytes.at, code.buffer.bytes.n);
    done = !mprotect(pages, size, PROT_READ | PROT_EXEC);
    if (!done) munmap(pages, size);
  }
  if (done) {
    *out = (JitCode){.pages = pages, .size = size, .work_size = code.work_size};
    // a data pointer becomes a function pointer
    void *entry = (char *)pages + code.entry;
    memcpy(&out->run, &entry, sizeof entry);
  }
  arena_release(&cx->scratch, mark);
  return done;
}

void jit_close(JitCode *code) {
  if (code->pages) munmap(code->pages, code->size);
  *code = (JitCode){0};
}

#elif defined(__EMSCRIPTEN__)
#include <emscripten.h>

#include "native/jit_wasm.h"

// Makes a function of a module and returns its place in the table of functions, or 0.
EM_JS(int, wasm_install, (const uint8_t *bytes, size_t n), {
  try {
    var module = new WebAssembly.Module(HEAPU8.slice(bytes, bytes + n));
    var made = new WebAssembly.Instance(module, {m : {memory : wasmMemory, table : wasmTable}});
    var free = (Module.freePlaces = Module.freePlaces || []);
    var place = free.length ? free.pop() : wasmTable.grow(1);
    wasmTable.set(place, made.exports.run);
    return place;
  } catch (error) {
    return 0;
  }
});

EM_JS(void, wasm_remove, (int place), {
  wasmTable.set(place, null);
  Module.freePlaces.push(place);
});

uint32_t jit_lanes(void) { return 4; }

bool jit_compile(Context *cx, const Program *program, uint32_t lanes, JitCode *out) {
  if (lanes > jit_lanes()) return false;
  Mark mark = arena_mark(&cx->scratch);
  WasmCode code = wasm_translate(cx, program, lanes);
  int place = wasm_install(code.module.bytes.at, code.module.bytes.n);
  if (place > 0) {
    *out = (JitCode){.pages = (void *)(uintptr_t)place, .work_size = code.work_size};
    uintptr_t entry = (uintptr_t)place; // a place in the table is a function pointer
    memcpy(&out->run, &entry, sizeof entry);
  }
  arena_release(&cx->scratch, mark);
  return place > 0;
}

void jit_close(JitCode *code) {
  if (code->pages) wasm_remove((int)(uintptr_t)code->pages);
  *code = (JitCode){0};
}

#else

uint32_t jit_lanes(void) { return 1; }

bool jit_compile(Context *cx, const Program *program, uint32_t lanes, JitCode *out) {
  (void)cx, (void)program, (void)lanes, (void)out;
  return false;
}

void jit_close(JitCode *code) { *code = (JitCode){0}; }

#endif
