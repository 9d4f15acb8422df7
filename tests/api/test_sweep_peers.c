// Sweeps of processes that send messages: here over sockets, so that no MPI is needed.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char text[] =
    "param m = 1 [kg], k = 20 [N/m], g = 9.81 [m/s^2], e = 0.6\n"
    "coord x = 1 [m], y = 0.5 [m]\nkinetic = m*(x'^2 + y'^2)/2\npotential = k*x^2/2 + m*g*y\n"
    "contact floor: y >= 0 restitution e\nmeasure rest = final(x), bounces = count(y <= 0)\n"
    "sweep e = 0.1..1.1 steps 5, k = 10..30 [N/m] steps 30: rest, bounces, keep rows where "
    "bounces > 8\nsimulate to 1 [s] every 0.1 [s]\n";
enum { CASES = 150, FAILING = 30, RANKS = 4 };

// ---- Peers over sockets

typedef struct Line {
  qdot_peers peers;
  int socket[RANKS]; // of the first process: to each other; of the others: only [0]
} Line;

static int send_bytes(void *user, uint32_t to, const void *bytes, size_t n) {
  Line *line = user;
  return send(line->socket[to], bytes, n, MSG_NOSIGNAL) != (ssize_t)n;
}

static size_t look(void *user, uint32_t *from) {
  Line *line = user;
  for (uint32_t i = 0; i < RANKS; i++) {
    if (line->socket[i] < 0) continue;
    ssize_t n = recv(line->socket[i], NULL, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    if (n <= 0) continue;
    *from = i;
    return (size_t)n;
  }
  return 0;
}

static int take(void *user, uint32_t from, void *bytes, size_t n) {
  Line *line = user;
  return recv(line->socket[from], bytes, n, 0) != (ssize_t)n;
}

// ---- A job

static char base[64];

static int set_up(void **state) {
  (void)state;
  snprintf(base, sizeof base, "/tmp/qdot-peers-XXXXXX");
  return mkdtemp(base) ? 0 : 1;
}

static int tear_down(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", base);
  return system(command);
}

static qdot_status run(const char *folder, const qdot_peers *peers, const char *model_text,
                       uint64_t *done, uint64_t *failed) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_status status =
      qdot_model_parse(cx, "drop.qdot", model_text, strlen(model_text), NULL, &model);
  assert_int_equal(status, QDOT_OK);
  qdot_run_options each = qdot_run_defaults();
  qdot_sweep_options options = qdot_sweep_defaults();
  each.folder = folder;
  options.run = &each, options.peers = peers, options.threads = peers ? 1 : 2;
  qdot_sweep *sweep;
  status = qdot_model_sweep(model, &options, &sweep);
  if (status == QDOT_OK && done) *done = qdot_sweep_done(sweep), *failed = qdot_sweep_failed(sweep);
  qdot_context_close(cx);
  return status;
}

typedef enum Fate { WORKS, DIES, HANGS, DIFFERS } Fate;

// What becomes of the last of the processes; the result of the first.
static qdot_status job(const char *name, Fate fate) {
  char folder[160], other[sizeof text];
  snprintf(folder, sizeof folder, "%s/%s", base, name);
  strcpy(other, text);
  other[strlen("param m = ")] = '2'; // another mass
  Line lines[RANKS];
  pid_t children[RANKS] = {0};
  for (uint32_t i = 0; i < RANKS; i++) {
    lines[i].peers = (qdot_peers){&lines[i], i, RANKS, send_bytes, look, take};
    for (int k = 0; k < RANKS; k++) lines[i].socket[k] = -1;
  }
  for (uint32_t i = 1; i < RANKS; i++) {
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    lines[0].socket[i] = pair[0], lines[i].socket[0] = pair[1];
    children[i] = fork();
    if (children[i] != 0) continue;
    bool is_last = i == RANKS - 1;
    if (is_last && fate == HANGS) pause();
    _exit(run(folder, &lines[i].peers, is_last && fate == DIFFERS ? other : text, NULL, NULL));
  }
  if (fate == DIES) {
    usleep(20000);
    kill(children[RANKS - 1], SIGKILL);
  }
  uint64_t done = 0, failed = 0;
  qdot_status status = run(folder, &lines[0].peers, text, &done, &failed);
  for (uint32_t i = 1; i < RANKS; i++) {
    int how;
    if (i == RANKS - 1 && fate == HANGS) kill(children[i], SIGKILL);
    waitpid(children[i], &how, 0);
    if (fate == WORKS) assert_int_equal(how, 0);
    close(lines[0].socket[i]), close(lines[i].socket[0]);
  }
  if (status == QDOT_OK) assert_int_equal(done, CASES);
  if (status == QDOT_OK) assert_int_equal(failed, FAILING);
  return status;
}

static void same_as_alone(const char *name) {
  char command[256];
  snprintf(command, sizeof command, "cd '%s' && diff -r -x 'sweep.*' alone '%s'", base, name);
  assert_int_equal(system(command), 0);
}

static void the_job_gives_the_same(void **state) {
  (void)state;
  char folder[160];
  snprintf(folder, sizeof folder, "%s/alone", base);
  assert_int_equal(run(folder, NULL, text, NULL, NULL), QDOT_OK);
  assert_int_equal(job("job", WORKS), QDOT_OK);
  same_as_alone("job");
}

// The others go on; what the lost one had is made by the first.
static void a_process_may_die_or_hang(void **state) {
  (void)state;
  assert_int_equal(job("died", DIES), QDOT_OK);
  same_as_alone("died");
  assert_int_equal(job("hung", HANGS), QDOT_OK);
  same_as_alone("hung");
}

static void other_models_are_refused(void **state) {
  (void)state;
  assert_int_equal(job("differs", DIFFERS), QDOT_BAD_ARGUMENT);
}

RUN_TESTS_BETWEEN(set_up, tear_down, cmocka_unit_test(the_job_gives_the_same),
                  cmocka_unit_test(a_process_may_die_or_hang),
                  cmocka_unit_test(other_models_are_refused))
