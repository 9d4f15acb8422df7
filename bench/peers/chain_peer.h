// What the peers in C++ share: the rods of hand.h, states, errors, rows.
#ifndef QDOT_BENCH_CHAIN_PEER_H
#define QDOT_BENCH_CHAIN_PEER_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

extern "C" {
#include "hand.h"
#include "measure.h"
}

static const int chain_links[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};

// Rods at absolute angles q and rates qd, with the accelerations of the recursion by hand.
struct Rods {
  HandChain chain;
  int n;
  std::vector<double> q, qd, qdd;
  explicit Rods(int links) : n(links), q(links), qd(links), qdd(links) {
    hand_chain_open(&chain, n);
    for (int i = 0; i < n; i++) q[i] = 0.3 + 0.37 * i, qd[i] = 0.1 * i - 1;
    hand_articulated(&chain, q.data(), qd.data(), qdd.data());
  }
  double relative(const std::vector<double> &x, int i) const { return x[i] - (i ? x[i - 1] : 0); }
  // The largest relative error of accelerations of joints.
  template <typename Vector> double error(const Vector &joint) const {
    double sum = 0, worst = 0;
    for (int i = 0; i < n; i++) {
      sum += joint[i];
      worst = std::max(worst, std::fabs(sum - qdd[i]) / (1 + std::fabs(qdd[i])));
    }
    return worst;
  }
};

// The first angle after a second from rest at 0.3, by hand at 1e-13.
static inline double rods_after_a_second(int n) {
  HandChain *chain = new HandChain;
  std::vector<double> y(2 * n);
  hand_chain_open(chain, n);
  for (int i = 0; i < n; i++) y[i] = 0.3;
  hand_integrate(chain, y.data(), 1, 1e-13);
  delete chain;
  return y[0];
}

static inline void call_work(void *argument) {
  (*static_cast<std::function<void()> *>(argument))();
}

// The least CPU seconds of one call; the work is called `calls` times between two looks.
static inline double seconds_of(std::function<void()> work, int calls = 1) {
  std::function<void()> many = [&] {
    for (int i = 0; i < calls; i++) work();
  };
  return measure_work(call_work, &many) / calls;
}

static inline double instructions_of(std::function<void()> work) {
  return measure_instructions(call_work, &work);
}

static inline void put_row(const char *tool, const char *kind, int n, double value, double error,
                           const char *remark) {
  char job[80];
  std::snprintf(job, sizeof job, "%s/%d", kind, n);
  measure_row(tool, job, value, error, remark);
}

// One right-hand side: its time and, for the limit, its instructions.
static inline void put_rhs(const char *tool, int n, std::function<void()> work, double error,
                           const char *remark) {
  put_row(tool, "rhs", n, seconds_of(work, 2000 / n + 1), error, remark);
  if (n == 10 || n == 100) put_row(tool, "instructions", n, instructions_of(work), NAN, remark);
}

#endif
