// The names of the roads.
#include "derive/roads/road.h"

#include <string.h>

static const char *const names[ROADS] = {
#define ROAD(NAME, name, text) [ROAD_##NAME] = text,
#include "derive/roads/roads.def"
#undef ROAD
};

const char *road_text(Road road) { return names[road]; }

bool road_from_text(const char *text, Road *out) {
  for (int i = ROAD_LAGRANGE + 1; i < ROADS; i++) {
    if (strcmp(text, names[i]) != 0) continue;
    *out = (Road)i;
    return true;
  }
  return false;
}

Road road_of(const char *text) {
  Road road = ROAD_LAGRANGE;
  if (text) road_from_text(text, &road);
  return road;
}
