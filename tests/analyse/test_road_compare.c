// Every example by every road: proved equal to Lagrange's equations.
#include <string.h>

#include "analyse/road_compare.h"
#include "derive/formulate.h"
#include "derive/momenta.h"
#include "lang/read.h"
#include "support/check.h"
#include "support/examples.h"

// Beyond that proofs by all roads take longer than a test may.
enum { MOST_COORDINATES = 5, MOST_ROWS = 2 };

static uint32_t compared, by_routh;

static void check_example(Context *cx, const char *path) {
  const char *text = example_text(cx, path);
  Model *model;
  System *s;
  assert_int_equal(model_read(cx, path, text, strlen(text), NULL, &model), QDOT_OK);
  if (model_formulate(cx, model, FORMULATION_LAGRANGE, &model) != QDOT_OK) return;
  assert_int_equal(momenta_take(&model), QDOT_OK);
  if (model->coordinates.n == 0 || model_system(model, DERIVE_MATRICES, &s) != QDOT_OK) return;
  if (s->n > MOST_COORDINATES || s->row_count + s->contact_count > MOST_ROWS) return;
  RoadComparison c;
  assert_int_equal(compare_roads(cx, model, &c), QDOT_OK);
  if (!c.is_proved) {
    for (int road = 0; road < ROADS; road++)
      if (!c.runs[road].refusal && c.runs[road].agreement.equality != EQUAL_YES)
        print_error("%s: %s is not proved\n", path, c.runs[road].name);
    fail();
  }
  assert_true(c.shortest < 0 || c.runs[c.shortest].operations <= c.runs[0].operations ||
              c.runs[0].has_multipliers || !c.runs[0].is_measured);
  compared++;
  by_routh += !c.runs[ROAD_ROUTH].refusal;
}

static void examples(void **state) {
  (void)state;
  with_every_example(check_example);
  print_message("%u examples, %u of them with cyclic coordinates\n", compared, by_routh);
  assert_true(compared > 30 && by_routh > 3);
}

RUN_TESTS(cmocka_unit_test(examples))
