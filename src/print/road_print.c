// The roads by number, and what all of them print.
#include "print/road_print.h"

static const RoadPrint *const prints[ROADS] = {
#define ROAD(NAME, name, text) [ROAD_##NAME] = &name##_print,
#include "derive/roads/roads.def"
#undef ROAD
};

const RoadPrint *road_print(Road road) { return prints[road]; }

void road_print_equations(TerminalPage *page, const Expr *left, const Expr *right, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const char *name = terminal_set(page, left[i]);
    terminal_equation(page, name, terminal_set(page, right[i]));
  }
}
