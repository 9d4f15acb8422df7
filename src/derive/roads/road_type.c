// The roads by number.
#include "derive/roads/road_type.h"

static const RoadType *const types[ROADS] = {
#define ROAD(NAME, name, text) [ROAD_##NAME] = &name##_road,
#include "derive/roads/roads.def"
#undef ROAD
};

const RoadType *road_type(Road road) { return types[road]; }

Status road_take(Context *cx, const System *s, SimplifyLevel level, bool for_people,
                 RoadTaken *out) {
  const RoadType *type = road_type(out->road = road_of(s->model->road));
  out->result = NULL;
  if (!type) return QDOT_OK;
  void *result;
  Status status = type->derive(cx, s, &result);
  if (status != QDOT_OK) return status;
  type->simplify(cx, s, level, for_people, result);
  out->result = result;
  return QDOT_OK;
}
