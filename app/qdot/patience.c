// A line that counts the seconds, driven by a timer: no part of the work needs to know of it.
#include "patience.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t seconds, is_visible;

static void write_all(const char *text, size_t n) {
  while (n > 0) {
    ssize_t done = write(2, text, n);
    if (done <= 0) return;
    text += done, n -= (size_t)done;
  }
}

// Only what a signal's handler may do.
static void count(int number) {
  (void)number;
  char text[] = "\rworking ...      s\033[K";
  int left = ++seconds, at = 16;
  for (; left > 0 && at > 12; left /= 10) text[at--] = (char)('0' + left % 10);
  is_visible = 1;
  write_all(text, sizeof text - 1);
}

static void set_timer(long interval) {
  struct itimerval every = {{interval, 0}, {interval, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
}

void patience_begin(void) {
  const char *terminal = getenv("TERM");
  if (!isatty(2) || !terminal || strcmp(terminal, "dumb") == 0) return;
  struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  seconds = 0;
  set_timer(1);
}

void patience_end(void) {
  set_timer(0);
  if (!is_visible) return;
  static const char clear[] = "\r\033[K";
  is_visible = 0;
  write_all(clear, sizeof clear - 1);
}
