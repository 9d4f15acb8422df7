// qdot studio: a page in the browser on which a model is written, drawn and seen in motion.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assets.h"
#include "client.h"
#include "http.h"

extern char **environ;

enum { DONE = 0, WRONG = 1, USAGE = 2 };
static const double GRACE = 3; // seconds in which a page may be loaded again

typedef struct Options {
  const char *place; // a model, a folder, or NULL
  unsigned port;
  bool opens_browser, stays;
} Options;

// ---- The command line

static bool read_port(const char *word, unsigned *port) {
  char *end;
  unsigned long value = strtoul(word, &end, 10);
  *port = (unsigned)value;
  return word[0] >= '0' && word[0] <= '9' && *end == 0 && value < 65536;
}

// `qdot` has checked the words; they come as it has understood them.
static bool read_options(int count, char **words, Options *out) {
  *out = (Options){.opens_browser = true};
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--no-browser") == 0)
      out->opens_browser = false;
    else if (strcmp(words[i], "--stay") == 0)
      out->stays = true;
    else if (strcmp(words[i], "--port") == 0 && i + 1 < count &&
             read_port(words[i + 1], &out->port))
      i++;
    else if (words[i][0] != '-' && !out->place)
      out->place = words[i];
    else
      return false;
  }
  return true;
}

// ---- Where the models are

static bool is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

// Enters the folder, so that data files beside a model are found.
static bool enter_folder(const char *path, Server *server) {
  if (chdir(path) == 0 && folder_open(&server->folder, ".")) return true;
  fprintf(stderr, "qdot studio: cannot open the folder '%s': %s\n", path, strerror(errno));
  return false;
}

static bool enter_place(const char *place, Server *server) {
  if (!place || is_folder(place)) return enter_folder(place ? place : ".", server);
  const char *slash = strrchr(place, '/');
  server->first_file = slash ? slash + 1 : place;
  if (!file_name_is_good(server->first_file)) {
    fprintf(stderr, "qdot studio: '%s' is neither a folder nor a model NAME.qdot\n", place);
    return false;
  }
  char *folder = slash ? strndup(place, (size_t)(slash - place) + 1) : strdup(".");
  bool done = folder && enter_folder(folder, server);
  free(folder);
  return done;
}

// ---- The browser

static void open_browser(const char *address) {
  char *const words[] = {"xdg-open", (char *)address, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
}

// ---- Until the end

static bool is_over(Server *server) {
  pthread_mutex_lock(&server->lock);
  bool over = server->was_used && server->client_count == 0 && !server->stays &&
              seconds_now() - server->left > GRACE;
  pthread_mutex_unlock(&server->lock);
  return over;
}

// Until the last page is closed, or Ctrl-C.
static void wait_for_end(Server *server, int signals) {
  struct pollfd file = {.fd = signals, .events = POLLIN};
  for (;;) {
    struct signalfd_siginfo about;
    poll(&file, 1, 250);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    if (is_over(server)) return;
    if (file.revents & POLLIN && read(signals, &about, sizeof about) > 0) return;
    file.revents = 0;
  }
}

static int catch_signals(void) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  signal(SIGPIPE, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &ends, NULL); // threads inherit it
  return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int serve(Server *server, const Options *options) {
  int signals = catch_signals();
  unsigned port = options->port;
  int listening = http_listen(&port);
  Http *http = NULL;
  if (listening >= 0 && gate_open(&server->gate, port)) http = http_open(server, listening);
  if (!http) {
    fprintf(stderr, "qdot studio: cannot listen on port %u of 127.0.0.1; try --port 0\n", port);
    return WRONG;
  }
  char address[SECRET_LENGTH + 64];
  snprintf(address, sizeof address, "http://127.0.0.1:%u/?token=%s", port, server->gate.token);
  printf("%s\n", address);
  fflush(stdout);
  if (options->opens_browser) open_browser(address);
  wait_for_end(server, signals);
  clients_end(server);
  if (!http_close(http)) _exit(DONE); // somebody works for ever
  return DONE;
}

int main(int count, char **words) {
  static Server server;
  Options options;
  if (!read_options(count, words, &options)) {
    fprintf(stderr, "usage: qdot studio [MODEL|DIR] [--port P] [--no-browser] [--stay]\n");
    return USAGE;
  }
  pthread_mutex_init(&server.lock, NULL);
  server.stays = options.stays;
  if (!assets_load()) {
    fprintf(stderr, "qdot studio: the page has not been built; run 'make studio'\n");
    return WRONG;
  }
  return enter_place(options.place, &server) ? serve(&server, &options) : WRONG;
}
