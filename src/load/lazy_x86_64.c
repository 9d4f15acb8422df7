// Loads foreign libraries at the first call of one of their functions: most commands need few of
// them, and the dynamic loader would spend more time on all than a small job takes.
//
//   cairo_create(...)  ->  jmp *entry  ->  first: lazy_enter -> lazy_bind: dlopen, dlsym
//                                          then:  the function itself
//
// lazy.def comes from tools/lazy-names, which compares what our objects call with what the
// libraries define: LIBRARY(its name) and FUNCTION(name, number of its library). A procedure
// linkage table of our own, in other words; the callers know nothing of it.
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Laid out as the assembler below expects it: target first.
typedef struct Entry {
  void *target; // where a call goes
  const char *name;
  int library;
} Entry;

static const char *const libraries[] = {
#define LIBRARY(file) file,
#define FUNCTION(symbol, library)
#include "lazy.def"
#undef FUNCTION
#undef LIBRARY
};

#define LIBRARY(file)
#define FUNCTION(symbol, library)                                                                  \
  extern char first_call_of_##symbol[];                                                            \
  static Entry entry_of_##symbol                                                                   \
      __attribute__((used)) = {first_call_of_##symbol, #symbol, library};                          \
  __asm__(".text\n"                                                                                \
          ".globl " #symbol "\n.hidden " #symbol "\n.type " #symbol ", @function\n" #symbol ":\n"  \
          "  jmp *entry_of_" #symbol "(%rip)\n"                                                    \
          ".hidden first_call_of_" #symbol "\n.globl first_call_of_" #symbol                       \
          "\nfirst_call_of_" #symbol ":\n"                                                         \
          "  lea entry_of_" #symbol "(%rip), %r11\n"                                               \
          "  jmp lazy_enter\n"                                                                     \
          ".size " #symbol ", . - " #symbol "\n");
#include "lazy.def"
#undef FUNCTION
#undef LIBRARY

// Keeps every register that may carry an argument, asks lazy_bind, goes where it says.
__asm__(".text\n"
        ".type lazy_enter, @function\n"
        "lazy_enter:\n"
        "  push %rbp\n  mov %rsp, %rbp\n  and $-16, %rsp\n  sub $192, %rsp\n"
        "  mov %rdi, (%rsp)\n  mov %rsi, 8(%rsp)\n  mov %rdx, 16(%rsp)\n  mov %rcx, 24(%rsp)\n"
        "  mov %r8, 32(%rsp)\n  mov %r9, 40(%rsp)\n  mov %rax, 48(%rsp)\n"
        "  movaps %xmm0, 64(%rsp)\n  movaps %xmm1, 80(%rsp)\n  movaps %xmm2, 96(%rsp)\n"
        "  movaps %xmm3, 112(%rsp)\n  movaps %xmm4, 128(%rsp)\n  movaps %xmm5, 144(%rsp)\n"
        "  movaps %xmm6, 160(%rsp)\n  movaps %xmm7, 176(%rsp)\n"
        "  mov %r11, %rdi\n  call lazy_bind\n  mov %rax, %r11\n"
        "  mov (%rsp), %rdi\n  mov 8(%rsp), %rsi\n  mov 16(%rsp), %rdx\n  mov 24(%rsp), %rcx\n"
        "  mov 32(%rsp), %r8\n  mov 40(%rsp), %r9\n  mov 48(%rsp), %rax\n"
        "  movaps 64(%rsp), %xmm0\n  movaps 80(%rsp), %xmm1\n  movaps 96(%rsp), %xmm2\n"
        "  movaps 112(%rsp), %xmm3\n  movaps 128(%rsp), %xmm4\n  movaps 144(%rsp), %xmm5\n"
        "  movaps 160(%rsp), %xmm6\n  movaps 176(%rsp), %xmm7\n"
        "  leave\n  jmp *%r11\n"
        ".size lazy_enter, . - lazy_enter\n");

// As the dynamic loader does when a library is missing: says so and ends the program.
static void give_up(const char *reason) {
  static const char before[] = "libqdot: ";
  if (write(2, before, sizeof before - 1) < 0 || write(2, reason, strlen(reason)) < 0 ||
      write(2, "\n", 1) < 0)
    abort();
  _exit(127);
}

// Several threads may come here at once: dlopen and dlsym allow it, and all store the same address.
// A library stays loaded until the program ends.
void *lazy_bind(Entry *entry) __attribute__((used, visibility("hidden")));
void *lazy_bind(Entry *entry) {
  void *library = dlopen(libraries[entry->library], RTLD_LAZY | RTLD_LOCAL);
  void *target = library ? dlsym(library, entry->name) : NULL;
  if (!target) give_up(dlerror());
  __atomic_store_n(&entry->target, target, __ATOMIC_RELEASE);
  return target;
}
