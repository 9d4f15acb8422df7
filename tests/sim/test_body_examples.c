// Every example made of bodies moves the same in all formulations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/read.h"
#include "support/examples.h"
#include "support/motion.h"

// The model with outputs that record the pose of every body; NULL where it has none.
static const char *with_poses(Context *cx, const char *text) {
  static const char *const parts[] = {"%s.x", "%s.y", "sin(%s.theta)"};
  Model *model;
  if (model_read(cx, "test", text, strlen(text), NULL, &model) != QDOT_OK) return NULL;
  if (model->mechanism.bodies.n == 0) return NULL;
  Text out = text_new(&cx->keep);
  text_addf(&out, "%s\n", text);
  for (uint32_t i = 0; i < model->mechanism.bodies.n; i++)
    for (int k = 0; k < 3; k++) {
      const char *body = symbol_text(cx, model->mechanism.bodies.at[i].name);
      text_addf(&out, "output checked[%u,%d] = %s\n", i + 1, k + 1,
                text_format(&cx->keep, parts[k], body));
    }
  return out.at;
}

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  m.options.t_end = fmin(m.options.t_end, 1);
  m.options.every = m.options.t_end / 4;
  m.options.method.rtol = 1e-10;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_true(m.summary.energy_drift < 1e-6);
  return m;
}

static void check_example(Context *cx, const char *path) {
  const char *text = with_poses(cx, example_text(cx, path));
  if (!text) return;
  Motion expected = moved(cx, text, FORMULATION_LAGRANGE);
  for (int f = 1; f < FORMULATIONS; f++) {
    Motion m = moved(cx, text, (Formulation)f);
    for (uint32_t i = 0; i < m.columns.n; i++) {
      const char *name = m.columns.at[i].name;
      if (strncmp(name, "checked", 7) != 0 && strcmp(name, "E_kin") != 0) continue;
      for (int row = 1; row <= 4; row++) {
        double t = row * m.options.every, value = motion_at(&expected, t, name);
        double apart = fabs(motion_at(&m, t, name) - value) / fmax(1, fabs(value));
        if (apart > 1e-6)
          print_error("%s: %s at %g s is %.10g, expected %.10g\n", formulation_text((Formulation)f),
                      name, t, motion_at(&m, t, name), value);
        assert_true(apart <= 1e-6);
      }
    }
  }
}

static void examples(void **state) {
  (void)state;
  with_every_example(check_example);
}

// In every formulation a vector consists of the definitions that it points at.
static void check_vectors(Context *cx, const char *path) {
  const char *text = example_text(cx, path);
  Model *model, *plain;
  assert_int_equal(model_read(cx, path, text, strlen(text), NULL, &model), QDOT_OK);
  for (int f = 0; f < FORMULATIONS && model->mechanism.bodies.n > 0; f++) {
    if (model_formulate(cx, model, (Formulation)f, &plain) != QDOT_OK) continue;
    for (uint32_t i = 0; i < plain->vectors.n; i++) {
      const Vector *v = &plain->vectors.at[i];
      for (uint32_t k = 0; !v->moves && k < v->n; k++)
        assert_int_equal(plain->definitions.at[v->first + k].value, v->at[k]);
    }
  }
}

static void vectors_keep_their_components(void **state) {
  (void)state;
  with_every_example(check_vectors);
}

RUN_TESTS(cmocka_unit_test(vectors_keep_their_components), cmocka_unit_test(examples))
