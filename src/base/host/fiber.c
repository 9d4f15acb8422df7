// Stacks and the way from one to the other.
#include "base/host/fiber.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_THREAD__)
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define BEFORE_SWITCH(shadow, bottom, size) __sanitizer_start_switch_fiber(shadow, bottom, size)
#define AFTER_SWITCH(shadow, bottom, size) __sanitizer_finish_switch_fiber(shadow, bottom, size)
#else
#define BEFORE_SWITCH(shadow, bottom, size) ((void)(shadow), (void)(bottom), (void)(size))
#define AFTER_SWITCH(shadow, bottom, size) ((void)(shadow), (void)(bottom), (void)(size))
#endif

// Runs are not deep, but a set of contacts that is met for the first time is compiled within one.
enum { STACK_BYTES = 8 << 20 };

bool fiber_available(void) { return true; }

bool fiber_open(Fiber *f) {
  *f = (Fiber){.size = STACK_BYTES, .is_over = true};
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void *pages = mmap(NULL, f->size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (pages == MAP_FAILED) return false;
  f->pages = pages;
  bool is_guarded = mprotect(pages, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE) == 0;
  if (!is_guarded) fiber_close(f);
  return is_guarded;
}

void fiber_close(Fiber *f) {
  if (f->pages) munmap(f->pages, f->size);
  *f = (Fiber){0};
}

// Saves what a call must keep on the present stack, *from says where, and continues on the other.
void fiber_switch(void **from, void *to);
__asm__(".text\n"
        ".globl fiber_switch\n"
        ".hidden fiber_switch\n"
        ".type fiber_switch, @function\n"
        "fiber_switch:\n"
        "  push %rbp\n"
        "  push %rbx\n"
        "  push %r12\n"
        "  push %r13\n"
        "  push %r14\n"
        "  push %r15\n"
        "  mov %rsp, (%rdi)\n"
        "  mov %rsi, %rsp\n"
        "  pop %r15\n"
        "  pop %r14\n"
        "  pop %r13\n"
        "  pop %r12\n"
        "  pop %rbx\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size fiber_switch, .-fiber_switch\n");

// The first function of every fiber finds it in RBX, where fiber_begin has put it.
_Noreturn void fiber_main(Fiber *f);
void fiber_entry(void);
__asm__(".text\n"
        ".hidden fiber_entry\n"
        ".type fiber_entry, @function\n"
        "fiber_entry:\n"
        "  mov %rbx, %rdi\n"
        "  xor %ebp, %ebp\n"
        "  call fiber_main\n"
        ".size fiber_entry, .-fiber_entry\n");

static void leave(Fiber *f, bool for_good) {
  BEFORE_SWITCH(for_good ? NULL : &f->own_shadow, f->caller_bottom, f->caller_size);
  fiber_switch(&f->at, f->caller);
  AFTER_SWITCH(f->own_shadow, &f->caller_bottom, &f->caller_size);
}

__attribute__((used, visibility("hidden"))) _Noreturn void fiber_main(Fiber *f) {
  AFTER_SWITCH(NULL, &f->caller_bottom, &f->caller_size);
  f->body(f->argument);
  f->is_over = true;
  leave(f, true);
  __builtin_unreachable();
}

void fiber_begin(Fiber *f, void (*body)(void *argument), void *argument) {
  f->body = body, f->argument = argument, f->is_over = false;
  // as fiber_switch leaves a stack: six registers, then where to return to, and a place that keeps
  // the first call aligned
  enum { WORDS = 9 };
  uint64_t *top = (uint64_t *)((char *)f->pages + f->size) - WORDS;
  for (int i = 0; i < WORDS; i++) top[i] = 0;
  top[4] = (uint64_t)(uintptr_t)f;
  top[6] = (uint64_t)(uintptr_t)fiber_entry;
  f->at = top;
}

void fiber_resume(Fiber *f) {
  BEFORE_SWITCH(&f->caller_shadow, f->pages, f->size);
  fiber_switch(&f->caller, f->at);
  AFTER_SWITCH(f->caller_shadow, NULL, NULL);
}

void fiber_yield(Fiber *f) { leave(f, false); }

#else

bool fiber_available(void) { return false; }
bool fiber_open(Fiber *f) {
  *f = (Fiber){0};
  return false;
}
void fiber_close(Fiber *f) { (void)f; }
void fiber_begin(Fiber *f, void (*body)(void *argument), void *argument) {
  (void)f, (void)body, (void)argument;
}
void fiber_resume(Fiber *f) { (void)f; }
void fiber_yield(Fiber *f) { (void)f; }

#endif
