// Every allocation of ours fails once, from a model's text to its rows; nothing leaks.
#include <string.h>

#include "derive/selfcheck.h"
#include "lang/read.h"
#include "print/listing_json.h"
#include "print/listing_text.h"
#include "sim/sim.h"
#include "support/check.h"
#include "support/faults.h"

static const char pendulum[] = "model \"Pendulum\"\n"
                               "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n"
                               "coord x ~ 0.5 [m], y ~ -0.5 [m], theta = 60 [deg]\n"
                               "let r = (L*sin(theta), -L*cos(theta))\n"
                               "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                               "potential = m*g*y\n"
                               "constraint X: x = r.x\n"
                               "constraint Y: y = r.y\n"
                               "simulate to 0.1 [s] every 50 [ms]\n";

static Status read_and_derive(Context *cx, const char *text, DeriveParts parts, System *system) {
  Model *model;
  Status status = model_read(cx, "m.qdot", text, strlen(text), NULL, &model);
  return status == QDOT_OK ? derive_system(cx, model, parts, system) : status;
}

static Status derive_and_write(Context *cx, void *argument) {
  System system;
  Status status = read_and_derive(cx, argument, DERIVE_MATRICES, &system);
  if (status != QDOT_OK) return status;
  ListingOptions options = {0};
  Listing listing;
  status = listing_open(&system, &options, &listing);
  if (status != QDOT_OK) return status;
  Text out = text_new(&cx->keep);
  TextStyle style = {true, 80};
  listing_text(&listing, &style, &out);
  return listing_json(&listing, &out);
}

static Status forget_row(void *user, const double *values, uint32_t n) {
  (void)user, (void)values, (void)n;
  return QDOT_OK;
}

static Status derive_and_run(Context *cx, void *argument) {
  System system;
  Status status = read_and_derive(cx, argument, DERIVE_LIFTED, &system);
  if (status != QDOT_OK) return status;
  SimOptions options;
  status = sim_options(cx, system.model, &options);
  RowSink sink = {.row = forget_row};
  SimSummary summary = {0};
  return status == QDOT_OK ? sim_run(cx, &system, &options, &sink, &summary) : status;
}

static void writing(void **state) {
  (void)state;
  print_message("%zu allocations\n",
                fail_each_allocation(derive_and_write, (void *)pendulum, QDOT_OK));
}

static void running(void **state) {
  (void)state;
  print_message("%zu allocations\n",
                fail_each_allocation(derive_and_run, (void *)pendulum, QDOT_OK));
}

static void mistakes(void **state) {
  (void)state;
  static const char wrong[] = "coord x = 1 [m]\nkinetic = 1/2*m*x'^2\npotential = 3 [kg]*x\n";
  fail_each_allocation(derive_and_write, (void *)wrong, QDOT_UNKNOWN_NAME);
}

RUN_TESTS(cmocka_unit_test(writing), cmocka_unit_test(running), cmocka_unit_test(mistakes))
