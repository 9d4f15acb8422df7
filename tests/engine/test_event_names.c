// Events of a plan have the names that they have by the model.
#include <stdlib.h>

#include "base/text.h"
#include "engine/run/run_whole.h"
#include "sim/plan_source.h"
#include "support/motion.h"

static unsigned check_names(Motion *m) {
  const Plan *plan = &plan_source_of(&m->system, m->options.backend)->plan;
  unsigned kinds = 0;
  for (uint32_t i = 0; i < m->summary.events.n; i++) {
    const SimEvent *e = &m->summary.events.at[i];
    const char *name = plan_event_name(plan, e);
    assert_true(name && name[0]);
    assert_string_equal(name, sim_event_name(&m->system, e));
    kinds |= 1u << e->kind;
  }
  return kinds;
}

TEST(events_of_examples) {
  static const char *const names[] = {"bouncing_ball", "stick_slip",  "band_brake", "rocking_block",
                                      "woodpecker",    "press_wedge", "plank"};
  const char *path = getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : ".";
  unsigned kinds = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Motion m =
        motion_load_file(cx, text_format(&cx->keep, "%s/examples/%s.qdot", path, names[i]), NULL);
    m.options.t_end = m.options.t_end < 3 ? m.options.t_end : 3;
    motion_run(&m);
    kinds |= check_names(&m);
  }
  unsigned all = 1u << SIM_IMPACT | 1u << SIM_RELEASE | 1u << SIM_STICK | 1u << SIM_SLIP;
  assert_int_equal(kinds & all, all);
}

// A drive whose speed jumps, and lines of the model.
TEST(events_of_drives_and_lines) {
  Motion m = motion_of(cx, "param m = 1 [kg], k = 100 [N/m]\ncoord x ~ 0 [m], y = 0 [m]\n"
                           "coord x' ~ 0 [m/s]\nkinetic = 3/2*m*x'^2 + 1/2*m*y'^2\n"
                           "potential = 1/2*k*(y - x)^2\nmemory n = 0\n"
                           "constraint drive: x' = if(t < 0.5 [s], 0, 1.5 [m/s])\n"
                           "when x = 0.3 [m]: n = n + 1\nstop when x > 0.6 [m]\n"
                           "simulate to 2 [s] every 0.1 [s]\n");
  assert_int_equal(m.status, QDOT_OK);
  unsigned all = 1u << SIM_JUMP | 1u << SIM_RESET | 1u << SIM_STOP;
  assert_int_equal(check_names(&m) & all, all);
}

RUN_TESTS(cmocka_unit_test(events_of_examples), cmocka_unit_test(events_of_drives_and_lines))
